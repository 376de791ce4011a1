"""One text, read once: everything that asks about it shares what was read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from memory.language import extraction, origin
from memory.language.engine import clauses, masking
from memory.language.engine.fact_candidates import Candidate
from memory.language.origin import Origin, Span


class Sentence(NamedTuple):
    """Where a sentence stands, as [start, end) in characters, and the mark that ends it."""

    start: int
    end: int
    mark: str


class Reading:
    """What a text says, each part worked out when it is first asked for and then kept.

    Offsets are those of the text, in all parts. A reading never changes, so it may be handed to
    whatever asks about the same text; one that is not asked costs nothing.
    """

    def __init__(self, text: str, pasted: Sequence[str] = ()) -> None:
        """Read `text`, of which the strings `pasted` were seen being pasted."""
        self.text = text
        self._pasted = pasted

    @cached_property
    def foreign(self) -> tuple[Span, ...]:
        """The stretches that somebody else wrote."""
        return tuple(origin.spans(self.text, self._pasted))

    def origin_of(self, start: int, end: int) -> Origin:
        """Whose words `text[start:end]` are."""
        return origin.origin_of(self.foreign, start, end)

    @cached_property
    def masked(self) -> str:
        """The text with all hidden that its writer only shows: quotes, mail, code, secrets."""
        return masking.prepare(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the masked text: what its writer says in their own words."""
        return _cut(self.masked)

    @cached_property
    def all_sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the text as it is, with what it quotes."""
        return _cut(self.text)

    @cached_property
    def facts(self) -> tuple[Candidate, ...]:
        """What the text asserts about its writer; see :func:`extraction.extract`."""
        return tuple(extraction.facts_of(self.masked, self.sentences))


def _cut(text: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(*bounds) for bounds in clauses.sentences(text))
