"""Reading the rows of an export, validating each field.

A row is a line of JSON with exactly the fields of `parts.fields`, each of the type and within the
choices and lengths of its model field.
"""

import json
import math
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, NoReturn
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db.models import (
    BooleanField,
    DateField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    JSONField,
    UUIDField,
)

from conversations.models import Message
from memory.slots import SLOTS
from privacy import parts
from privacy.restoring import json_shapes
from privacy.restoring.json_shapes import Keys
from privacy.restoring.opening import Copy, NotACopy, file_of, lines

Row = dict[str, Any]
_MESSAGES = "conversations.message"
Clean = Callable[[Any], Any]
# Longer than any message or answer.
_LONGEST_TEXT = 400_000
_YEARS = range(2, 9999)
# Fields with links to restored rows.
_WITH_LINKS = {"content", "compact_summary"}
# Tables whose slots have to be in the registry.
_OF_A_SLOT = ("memory.profilefact", "memory.override", "memory.blockedslot", "ledger.contradiction")


class InvalidLine(NotACopy):
    """Raised for an invalid line; the message names file, line and what is expected."""

    def __init__(self, table: str, line: int, what: str) -> None:
        super().__init__(
            f"{file_of(table)}, line {line}: {what} Fix that line, or download the copy again"
            " and upload it unchanged."
        )


def read(archive: zipfile.ZipFile, copy: Copy, table: str, keys: Keys) -> Iterator[tuple[int, Row]]:
    """Yield the numbered rows of a table with new ids. Raises InvalidLine or NotACopy."""
    if table not in copy.rows:
        return
    columns, last, number = _columns(table, keys), None, 0
    for number, line in lines(archive, table):
        if number > copy.rows[table]:
            break
        data = _parsed(table, number, line)
        if set(data) != set(columns):
            raise InvalidLine(table, number, f"it must have the fields {', '.join(columns)}.")
        row = {name: _cleaned(table, number, name, data, columns[name]) for name in columns}
        if table == _MESSAGES:
            _check_length(number, row)
        key = UUID(data["id"])
        if last is not None and key <= last:
            raise InvalidLine(table, number, "its id must come after the one on the line before.")
        last = key
        yield number, row
    if number != copy.rows[table]:
        many = "more" if number > copy.rows[table] else f"{number:,}"
        raise NotACopy(
            f"{file_of(table)} has {many} rows, but the copy lists {copy.rows[table]:,}. "
            "Download the copy again and upload it unchanged."
        )


def _check_length(number: int, row: Row) -> None:
    """Raise InvalidLine if a user's message is longer than messages may be."""
    most = settings.MESSAGE_MAX_LENGTH
    if row["role"] == Message.Role.USER and len(row["content"]) > most:
        raise InvalidLine(_MESSAGES, number, f'"content" can have at most {most:,} characters.')


def _parsed(table: str, number: int, line: bytes) -> Row:
    try:
        data = json.loads(line, parse_constant=_no_number)
        # JSON allows lone surrogates and NUL, which PostgreSQL does not.
        odd = b"\\u" in line and "\\u0000" in json.dumps(data, ensure_ascii=False).encode().decode()
    except (ValueError, RecursionError):
        odd, data = True, None
    if odd or not isinstance(data, dict):
        raise InvalidLine(
            table, number, "it isn’t a JSON object, or has characters that can’t be saved."
        )
    return data


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _cleaned(table: str, number: int, name: str, data: Row, clean: Clean) -> Any:
    try:
        return clean(data[name])
    except ValidationError as error:
        raise InvalidLine(table, number, f'"{name}" {error.messages[0]}') from None
    except (ValueError, TypeError, KeyError, OverflowError):
        raise InvalidLine(table, number, f'"{name}" isn’t valid.') from None


# --- Validators of fields -------------------------------------------------------------------------


def _columns(table: str, keys: Keys) -> dict[str, Clean]:
    model = parts.model_of(table)
    fields = {field.attname: field for field in model._meta.concrete_fields}
    columns = {
        name: _clean_of(table, fields[name], keys) if name in fields else _flag
        for name in parts.fields(table)
    }
    for name in _WITH_LINKS & set(columns):
        columns[name] = _linked(columns[name], keys)
    if table in _OF_A_SLOT:
        columns["slot"] = _slot
    return columns


def _clean_of(table: str, field: "Field[Any, Any]", keys: Keys) -> Clean:
    clean: Clean
    if isinstance(field, ForeignKey | UUIDField):
        clean = _id(keys)
    elif isinstance(field, JSONField):
        clean = json_shapes.of(table, field.name, keys)
    elif isinstance(field, ArrayField):
        clean = _several(field, keys)
    else:
        clean = _plain(field)

    def or_nothing(value: Any) -> Any:
        if value is None and field.null:
            return None
        return clean(value)

    return or_nothing


def _linked(clean: Clean, keys: Keys) -> Clean:
    return lambda value: keys.in_links(clean(value))


def _id(keys: Keys) -> Clean:
    return lambda value: keys.new(UUID(_text(value)))


def _several(field: "ArrayField[Any, Any]", keys: Keys) -> Clean:
    base = field.base_field
    clean_item = _id(keys) if isinstance(base, UUIDField) else _plain(base)

    def clean(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValidationError("must be a list.")
        return [clean_item(held) for held in value]

    return clean


def _plain(field: "Field[Any, Any]") -> Clean:
    if isinstance(field, BooleanField):
        return _flag
    if isinstance(field, FloatField):
        return _share
    kind: Clean = _number if isinstance(field, IntegerField) else _text

    def clean(value: Any) -> Any:
        value = kind(value)
        # `blank=False` concerns forms; the column may still be empty.
        if value == "" and not isinstance(field, DateField):
            return value
        return _dated(field.clean(value, None))

    return clean


def _dated(value: Any) -> Any:
    if isinstance(value, date) and value.year not in _YEARS:
        raise ValidationError("is too far in the past or future.")
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValidationError("must include its offset from UTC.")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValidationError("must be true or false.")
    return value


def _share(value: Any) -> float:
    fits = type(value) in (int, float) and math.isfinite(value) and 0 <= value <= 1
    if not fits:
        raise ValidationError("must be a number from 0 to 1.")
    return float(value)


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ValidationError("must be a whole number.")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ValidationError(f"must be a text of at most {_LONGEST_TEXT:,} characters.")
    return value


def _slot(value: Any) -> str:
    if value not in SLOTS:
        raise ValidationError("isn’t a kind of fact I know.")
    return str(value)
