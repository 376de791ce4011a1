"""Finding wording about one person, firm or occasion, even without a name.

Lessons are about kinds of people ("users", "teams"), in the present. The patterns recognise
grammar: a speaker, a single person, an occasion, a relative place; see `specifics.toml`.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("specifics.toml")
_PLACE = re.compile(r"\{([a-z]+)\}")


def matches(text: str, section: str) -> Iterator[str]:
    """Yield the parts of a text that match the patterns of a section in `specifics.toml`."""
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
