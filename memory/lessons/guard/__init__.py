"""Whether a text may be shared: refused unless every test lets it pass."""

import re
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """Whether a text may be shared, as it may be, or why not."""

    accepted: bool
    text: str = ""
    reason: str = ""
    words: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """What the writer should do."""
        return "" if self.accepted else f"Say it without {', '.join(self.words)}."


def check(
    text: str,
    *,
    terms: Collection[str] = (),
    private: Collection[str] = (),
    said: Collection[str] = (),
) -> Verdict:
    """Judge a text."""
    plain = " ".join(text.split())
    if wrong := re.findall(r"(?<=\s)[A-Z]\w*|\d+|[@/]", plain):
        return Verdict(accepted=False, reason="name", words=tuple(wrong))
    if held := [one for one in private if one.lower() in plain.lower()]:
        return Verdict(accepted=False, reason="private", words=tuple(held))
    return Verdict(accepted=True, text=plain)
