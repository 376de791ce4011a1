"""A step on the way to an answer: which tool was called with what, and how it went."""

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Step:
    """As it is kept with the answer, and shown in the page.

    `found` says in a few words what came back, or why nothing did. 'asked': it takes something
    away and waits for its owner's yes; `arguments` are kept so that the yes can be carried out.
    """

    tool: str
    arguments: dict[str, Any]
    state: Literal["done", "failed", "asked"]
    found: str
    milliseconds: int

    def as_kept(self) -> dict[str, Any]:
        """Plain values for the row."""
        return asdict(self)
