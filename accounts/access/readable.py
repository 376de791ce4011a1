"""Validating request data: characters and numbers that cannot be stored are refused."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import JSONParser

UNREADABLE = "This contains a character that cannot be shown, such as NUL. Remove it and try again."
NO_NUMBER = "This contains a number that is too large to save. Send a smaller one."
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
# Deeper than any valid body, and well below Python's recursion limit.
_DEEPEST = 100


class ReadableJSONParser(JSONParser):
    """Parses JSON in UTF-8; errors name the field with a value that cannot be stored."""

    def parse(
        self, stream: Any, media_type: Any = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the parsed body. Raises ParseError and ValidationError."""
        context = {**(parser_context or {}), "encoding": "utf-8"}
        data = super().parse(stream, media_type, context)
        refuse_unreadable(data if isinstance(data, dict) else {"body": data})
        return data


def refuse_unreadable(fields: Mapping[str, Any]) -> None:
    """Raise ValidationError for values that cannot be stored, ParseError for too deep nesting."""
    for name, value in fields.items():
        for text in (name, *_leaves(value)):
            if isinstance(text, str) and _UNREADABLE.search(text):
                raise ValidationError({name: [UNREADABLE]})
            if isinstance(text, float) and not math.isfinite(text):
                raise ValidationError({name: [NO_NUMBER]})


def _leaves(value: Any) -> Iterator[Any]:
    """Yield every value and key in a JSON value, without recursion. Raises ParseError."""
    level, depth = [value], 0
    while level:
        if (depth := depth + 1) > _DEEPEST:
            raise ParseError("This is nested too deeply.")
        inner: list[Any] = []
        for held in level:
            if isinstance(held, dict):
                yield from held
                inner += held.values()
            elif isinstance(held, list):
                inner += held
            else:
                yield held
        level = inner
