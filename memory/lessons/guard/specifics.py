"""Wording about one person, firm or occasion, even if it names none.

A lesson speaks of people of a kind ("users", "teams"), in the present, and of nobody in particular.
The patterns recognise grammar: a speaker, somebody singled out, an occasion, a place in relation to
another. They are data, see `specifics.toml`.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("specifics.toml")
_PLACE = re.compile(r"\{([a-z]+)\}")


def matches(text: str, section: str) -> Iterator[str]:
    """Yield the stretches that patterns of a section of the file match."""
    for pattern in _patterns(section):
        yield from (match[0] for match in pattern.finditer(text))


@cache
def _patterns(section: str) -> tuple[re.Pattern[str], ...]:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    words = data["words"]
    return tuple(
        re.compile(_PLACE.sub(lambda match: words[match[1]], pattern), re.IGNORECASE)
        for pattern in data[section].values()
    )
