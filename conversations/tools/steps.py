"""A step on the way to an answer: which tool was called with what, and how it went."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from conversations.deletion.derived_texts import ERASED

State = Literal["done", "failed", "asked", "declined", "overtaken"]


@dataclass(frozen=True)
class Step:
    """As it is kept with the answer, and shown in the page.

    `found` says in a few words what came back, or why nothing did. 'asked': it takes something
    away and waits for its owner's yes; `arguments` are kept so that the yes can be carried out.
    'declined': the owner said no. 'overtaken': they did not answer, and asked for something else.
    """

    tool: str
    arguments: dict[str, Any]
    state: State
    found: str
    milliseconds: int

    def as_kept(self) -> dict[str, Any]:
        """Plain values for the row."""
        return asdict(self)

    @classmethod
    def from_kept(cls, kept: dict[str, Any]) -> Self:
        """From the row."""
        return cls(**kept)

    @property
    def mark(self) -> str:
        """What a yes names, so that it never carries out anything but what was shown."""
        named = json.dumps([self.tool, self.arguments], sort_keys=True)
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    @property
    def is_emptied(self) -> bool:
        """Whether its words were taken out, with what they told of."""
        return not self.arguments and self.found == ERASED

    def went(self, state: State, found: str, milliseconds: int) -> Self:
        """The same step, after its owner has answered."""
        return replace(self, state=state, found=found, milliseconds=milliseconds)
