"""Other ids for what is restored: the account that it came from may still exist."""

import hashlib
import re
from typing import Any
from uuid import UUID

from django.conf import settings

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Where answers lead to: conversations, the lines and notes that they tell of, and what has gone.
_LINK = re.compile(
    rf"(/(?:talk|topics|notebook/(?:facts|memories|conflicts))/(?={_UUID.pattern}/)|[?&]gone=)"
    rf"({_UUID.pattern})"
)
# How much of an id is made anew: what a version 7 UUID draws by lot. What is before it is time and
# order, by which lists are sorted.
_ANEW = 4


class Keys:
    """The ids of one restore: the same id becomes the same one, in another restore another."""

    def __init__(self, restore: UUID) -> None:
        secret = f"{restore} {settings.SECRET_KEY}".encode()
        self._secret = hashlib.blake2b(secret).digest()

    def new(self, old: UUID) -> UUID:
        """What an id of the copy is called here."""
        drawn = hashlib.blake2b(old.bytes, key=self._secret, digest_size=_ANEW).digest()
        return UUID(bytes=old.bytes[:-_ANEW] + drawn)

    def in_links(self, text: str) -> str:
        """A text in which links to what was restored lead there."""
        return _LINK.sub(lambda match: f"{match[1]}{self.new(UUID(match[2]))}", text)

    def in_json(self, value: Any) -> Any:
        """A JSON value in which ids are the new ones, as values, as keys and in links."""
        if isinstance(value, dict):
            return {self.in_json(key): self.in_json(held) for key, held in value.items()}
        if isinstance(value, list):
            return [self.in_json(held) for held in value]
        if not isinstance(value, str):
            return value
        return str(self.new(UUID(value))) if _UUID.fullmatch(value) else self.in_links(value)
