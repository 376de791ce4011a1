"""The personas of a new installation, from `personas.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from personas import membership
from personas.models import Persona

_FILE = Path(__file__).with_name("personas.toml")


@cache
def described() -> dict[str, dict[str, Any]]:
    """Return the content of the file by the handle of each persona."""
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def seed() -> list[Persona]:
    """Create missing personas and return them; changes by staff stay. Safe to repeat."""
    there = set(Persona.objects.values_list("handle", flat=True))
    new = [
        Persona(handle=handle, **of) for handle, of in described().items() if handle not in there
    ]
    Persona.objects.bulk_create(new, ignore_conflicts=True)
    membership.recognisable.cache_clear()
    return new
