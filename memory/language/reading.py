"""One text, read once: everything that asks about it shares what was read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from memory.language import extraction, origin
from memory.language.engine import clauses, masking
from memory.language.engine.fact_candidates import FactCandidate
from memory.language.origin import ForeignSpan, Origin
from memory.language.queries import query_intent, query_normalization, speech_acts
from memory.language.queries.query_intent import QueryIntent
from memory.language.safety import claims, guard, instructions, sensitivity


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

    # --- Whose words they are, and what they say --------------------------------------------------

    @cached_property
    def seen_pasted(self) -> tuple[ForeignSpan, ...]:
        """The stretches that were seen being pasted."""
        return tuple(origin.locate_pastes(self.text, self._pasted))

    @cached_property
    def foreign(self) -> tuple[ForeignSpan, ...]:
        """The stretches that somebody else wrote."""
        return tuple(origin.find_foreign_spans(self.text, self._pasted))

    def origin_of(self, start: int, end: int) -> Origin:
        """Whose words `text[start:end]` are."""
        return origin.origin_of(self.foreign, start, end)

    @cached_property
    def masked(self) -> str:
        """The text with all hidden that its writer only shows: quotes, mail, code, secrets."""
        return masking.mask_text(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the masked text: what its writer says in their own words."""
        return _cut(self.masked)

    @cached_property
    def all_sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the text as it is, with what it quotes."""
        return self.sentences if self.masked == self.text else _cut(self.text)

    @cached_property
    def marked_sentences(self) -> tuple[str, ...]:
        """The sentences of the text as it is, each with the mark that ends it."""
        return tuple(query_intent.split_sentences(self.text))

    @cached_property
    def facts(self) -> tuple[FactCandidate, ...]:
        """What the text asserts about its writer; see :func:`extraction.extract_facts`."""
        return tuple(extraction.facts_of(self.masked, self.sentences))

    # --- What it asks ----------------------------------------------------------------------------

    @cached_property
    def normalized_question(self) -> str:
        """What is asked, with hurried spelling written out and without courtesies."""
        return query_normalization.read_as(self.text)

    @cached_property
    def acts(self) -> tuple[tuple[str, bool], ...]:
        """Its sentences as they are asked, each with whether it asks."""
        same = self.normalized_question == self.text
        found = (
            self.marked_sentences
            if same
            else query_intent.split_sentences(self.normalized_question)
        )
        # What is left of it without a courtesy is a request all the same.
        wants = len(found) == 1 and speech_acts.asks_to_be_told(self.text)
        return tuple((one, wants or speech_acts.is_question_in_full(one)) for one in found)

    @cached_property
    def last_asked(self) -> str:
        """Its last sentence, as it is asked; '' where there is none. Mostly it is what counts."""
        last = next((one for one, _ in reversed(self.acts)), "")
        # A long text keeps its courtesies, the question at its end does not.
        long = len(self.normalized_question) > query_intent.MAX_INTENT_LENGTH
        return query_normalization.read_as(last) if long else last

    @cached_property
    def core(self) -> str:
        """The last sentence without its mark and the politeness around it."""
        return query_intent.core_of(self.last_asked)

    @cached_property
    def intent(self) -> QueryIntent | None:
        """What is asked of the memory; None for everything else."""
        if not self.last_asked or len(self.normalized_question) > query_intent.MAX_INTENT_LENGTH:
            return None
        return query_intent.of_sentence(self.last_asked, self.core)

    @cached_property
    def is_pure_question(self) -> bool:
        """Whether it is a question from its first word on, and states nothing beside it."""
        return speech_acts.is_pure_question(self.text)

    # --- What must be minded ---------------------------------------------------------------------

    @cached_property
    def question_spans(self) -> tuple[tuple[int, int], ...]:
        """The sentences that state nothing, as [start, end): those that only ask what is known of
        who asks, and private ones that only ask anything at all.
        """
        return tuple(
            (start, end) for start, end, kind in self.sentence_slots if self._asks(start, end, kind)
        )

    def _asks(self, start: int, end: int, private_kind: str) -> bool:
        sentence = self.text[start : end + 1].rstrip()  # With the mark that ends it.
        if speech_acts.asks_of_oneself(sentence):
            return True
        return bool(private_kind) and speech_acts.is_pure_question(sentence)

    @cached_property
    def states_nothing(self) -> bool:
        """Whether all of its sentences are such: then there is nothing to learn from it."""
        return 0 < len(self.sentence_slots) == len(self.question_spans)

    @cached_property
    def asks_for_silence(self) -> bool:
        """Whether it asks that what it says be kept between the two who talk."""
        return guard.asks_for_silence(self.text)

    @cached_property
    def asks_to_forget(self) -> bool:
        """Whether it asks that something be forgotten, or not be noted in the first place."""
        return guard.asks_to_forget(self.text)

    @property
    def only_forgets(self) -> bool:
        """Whether it asks to forget or not to note something, and tells nothing with it."""
        return self.asks_to_forget and not guard.tells_beside_a_wish(self.text)

    @property
    def tells_beside_a_wish(self) -> bool:
        """Whether it asks not to note something, and tells something with it."""
        return self.asks_to_forget and guard.tells_beside_a_wish(self.text)

    @cached_property
    def holds_a_secret(self) -> bool:
        """Whether a password, a key or a card number stands in it."""
        return guard.holds_a_secret(self.text)

    @cached_property
    def orders_gravely(self) -> bool:
        """Whether it gives an assistant orders for which the rest of it is not believed either."""
        return instructions.judge_instruction_by_rule(self.text).grave

    @cached_property
    def claimed(self) -> tuple[tuple[int, int], ...]:
        """The sentences that claim a right, a rank or a rule, as [start, end)."""
        return tuple((start, end) for start, end, _ in claims.stretches(self.text))

    @cached_property
    def private(self) -> tuple[tuple[int, int], ...]:
        """The sentences that touch what nobody should hear again elsewhere, as [start, end)."""
        return tuple(sensitivity.private_stretches(self))

    @cached_property
    def sentence_slots(self) -> tuple[tuple[int, int, str], ...]:
        """Every sentence as [start, end), with the private slot that it touches, '' for none."""
        return tuple(sensitivity.told_in(self))


def _cut(text: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(*bounds) for bounds in clauses.find_sentence_spans(text))
