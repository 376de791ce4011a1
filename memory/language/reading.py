"""One text, read once: everything that asks about it shares what was read.

`read_text` is the door: what it returns was read within the budget (`memory.language.budget`), a
long text in another process.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from memory.language import origin
from memory.language.budget import READ_CHARS, READ_HERE_CHARS, apply_budget
from memory.language.engine import masking, sentences
from memory.language.origin import ForeignSpan, Origin
from memory.language.queries import query_intent
from memory.language.queries.query_intent import QueryIntent
from memory.language.reader.facts import SURE, FactCandidate, fact_candidates
from memory.language.reader.network import ReadSentence, ReadText, network
from memory.language.safety import claims, guard, instructions, sensitivity

ASKING = frozenset("qat")
"""Kinds of sentences that ask (`training/README.md` has all)."""
ALONE, MAY_STAND_ALONE = 0.7, 0.6
"""From these probabilities on a sentence is noted by itself, or shown without what was said before
it.
"""
_CORRECTION = "c"
_STARRED = re.compile(r"\*[^*\n]{1,40}|[^*\n]{1,40}\*")
_STATING_NOTHING = ASKING | frozenset("fpyn")
_BEGINNING = 400
"""Characters of a text that tell whether it only asks."""


class Sentence(NamedTuple):
    """Where a sentence stands, as [start, end) in characters, and the mark that ends it."""

    start: int
    end: int
    mark: str


class Reading:
    """What a text says, each part worked out when it is first asked for and then kept.

    Offsets are those of the text, in all parts. A reading never changes, so it may be handed to
    whatever asks about the same text; one that is not asked costs nothing.

    `whole` is the text as it was given, `text` its beginning as it is read: every character in its
    place, the inside of long runs filled. `unread` are the stretches of `whole` that are not read.
    `imported` says that all of it was said elsewhere: it is set by whoever knows.
    """

    imported = False

    def __init__(
        self,
        text: str,
        pasted: Sequence[str] = (),
        most: int = READ_CHARS,
        context: str = "",
    ) -> None:
        """Read the first `most` characters of `text`, of which the strings `pasted` were seen being
        pasted, as an answer to `context`. With 0 nothing is read: then it tells nothing, and is
        confidential.
        """
        self.context = context
        self.whole = text
        self.most = most
        self.text, self.unread = apply_budget(text, most)
        self._pasted = pasted

    @property
    def is_unreadable(self) -> bool:
        """Whether nothing is known of what it says."""
        return not self.most and bool(self.whole)

    @property
    def read_up_to(self) -> int | None:
        """How many of its characters were read, counted with its runs; None for all of them."""
        return len(self.text) if len(self.text) < len(self.whole) else None

    @property
    def is_long(self) -> bool:
        """Whether it is too long to be read in the process that asks."""
        filled = sum(end - start for start, end in self.unread if start < len(self.text))
        return len(self.text) - filled > READ_HERE_CHARS

    def compute_parts(self) -> dict[str, object]:
        """Compute all parts; return them by name, for `take_parts` in another process."""
        return {name: getattr(self, name) for name in _PARTS}

    def set_context(self, context: str) -> None:
        """Read it as what was said right after another text, which it may answer."""
        if context != self.context:
            self.context = context
            for part in ("read", "facts"):
                self.__dict__.pop(part, None)

    def __reduce__(self) -> tuple[type[Reading], tuple[str, tuple[str, ...], int, str]]:
        return type(self), (self.whole, tuple(self._pasted), self.most, self.context)

    def take_parts(self, parts: dict[str, object]) -> None:
        """Take over what `compute_parts` returned for the same text."""
        self.__dict__.update(parts)

    # --- Whose words they are, and what they say --------------------------------------------------

    @cached_property
    def seen_pasted(self) -> tuple[ForeignSpan, ...]:
        """The stretches that were seen being pasted."""
        spans = origin.locate_pastes(self.whole, self._pasted)
        return tuple(span for span in spans if span.start < len(self.text))

    @cached_property
    def foreign(self) -> tuple[ForeignSpan, ...]:
        """The stretches that somebody else wrote."""
        return tuple(origin.find_foreign_spans(self.text, self.seen_pasted))

    def origin_of(self, start: int, end: int) -> Origin:
        """Return whose words `text[start:end]` are; in an imported text, none are typed."""
        read_origin = origin.origin_of(self.foreign, start, end)
        return Origin.IMPORTED if self.imported and read_origin == Origin.TYPED else read_origin

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
    def read(self) -> ReadText:
        """What the trained reader tells of it: its sentences, and the values marked in them."""
        bounds = tuple(sentences.whole_sentences(self.sentences))
        return _read_once(self.masked, bounds, self.context)

    @cached_property
    def read_unmasked(self) -> ReadText:
        """What the trained reader tells of the text as it is, with what it quotes."""
        if self.masked == self.text:
            return self.read
        bounds = tuple(sentences.whole_sentences(self.all_sentences))
        return _read_once(self.text, bounds, self.context)

    @cached_property
    def facts(self) -> tuple[FactCandidate, ...]:
        """The facts that the text states about its writer, in the order of the text: no
        duplicates, at most one current value for a single-valued slot, nothing from masked text.
        """
        return tuple(fact_candidates(self.masked, self.read))

    # --- What it asks ----------------------------------------------------------------------------

    @cached_property
    def last_asked(self) -> str:
        """Its last sentence; '' where there is none. Mostly it is what counts."""
        return self.marked_sentences[-1] if self.marked_sentences else ""

    @cached_property
    def core(self) -> str:
        """The last sentence without its mark and the politeness around it."""
        return query_intent.core_of(self.last_asked)

    @cached_property
    def intent(self) -> QueryIntent | None:
        """What is asked of the memory; None for everything else."""
        if not self.last_asked or len(self.text) > query_intent.MAX_INTENT_LENGTH:
            return None
        return query_intent.of_sentence(self.last_asked, self.core)

    # --- What must be minded ---------------------------------------------------------------------

    @cached_property
    def question_spans(self) -> tuple[tuple[int, int], ...]:
        """The sentences that only ask, as [start, end): they state nothing."""
        return tuple(
            (sentence.start, sentence.end)
            for sentence in self.read.sentences
            if self._asks(sentence)
        )

    def _asks(self, sentence: ReadSentence) -> bool:
        # With the mark that ends it.
        marked = self.text[sentence.start : sentence.end + 1].rstrip()
        if sentence.kind in ASKING or not marked.endswith("?"):
            return sentence.kind in ASKING
        # "I have asthma, may I dive?" states something beside what it asks.
        values = self.read.spans_in(sentence.start, sentence.end)
        return not any(value.status == "current" and value.probability >= SURE for value in values)

    @cached_property
    def only_asks(self) -> bool:
        """Whether all of its sentences only ask: then there is nothing to learn from it."""
        return 0 < len(self.read.sentences) == len(self.question_spans)

    @cached_property
    def states_nothing(self) -> bool:
        """Whether each of its sentences asks, orders something to be forgotten, is a courtesy or
        says yes or no.
        """
        return all(
            sentence.kind in _STATING_NOTHING or self._asks(sentence)
            for sentence in self.read.sentences
        )

    @property
    def stands_alone(self) -> bool:
        """Whether one of its sentences may be understood by itself: it says of whom or what it
        speaks.
        """
        return any(sentence.alone >= MAY_STAND_ALONE for sentence in self.read.sentences)

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
        return tuple((start, end) for start, end, slot in self.sentence_slots if slot)

    @cached_property
    def sentence_slots(self) -> tuple[tuple[int, int, str], ...]:
        """Every sentence as [start, end), with the private slot that it touches, '' for none."""
        return tuple(sensitivity.sentence_slots(self))

    @cached_property
    def standing_spans(self) -> tuple[tuple[int, int, str], ...]:
        """What of it is not simply said by its writer; see `message_provenance`."""
        from memory.language import message_provenance

        return tuple(message_provenance.find_standing_spans(self))

    @property
    def orders(self) -> tuple[tuple[int, int], ...]:
        """The sentences that are orders which may not be remembered, as [start, end)."""
        return tuple(
            (start, end) for start, end, standing in self.standing_spans if standing == "order"
        )


def extract_facts(text: str, context: str = "") -> list[FactCandidate]:
    """Return the facts that a text states about its author, where `context` was said before it."""
    return list(Reading(text, context=context).facts)


@lru_cache(maxsize=256)
def _read_once(text: str, bounds: tuple[tuple[int, int], ...], context: str) -> ReadText:
    """Return what the network reads of a text; the beginning of a short one is all of it."""
    return network().read(text, bounds, context)


@lru_cache(maxsize=4096)
def only_asks(text: str) -> bool:
    """Return whether all that a text begins with only asks for something."""
    return Reading(text, most=_BEGINNING).only_asks


@lru_cache(maxsize=4096)
def stands_alone(text: str) -> bool:
    """Return whether a sentence at the beginning of a text may be understood by itself."""
    return Reading(text, most=_BEGINNING).stands_alone


@lru_cache(maxsize=4096)
def is_correction(text: str) -> bool:
    """Return whether a sentence at the beginning of a text corrects something; a star before or
    behind a few words says so.
    """
    if _STARRED.fullmatch(text.strip()):
        return True
    read_sentences = Reading(text, most=_BEGINNING).read.sentences
    return any(sentence.kind == _CORRECTION for sentence in read_sentences)


_PARTS = tuple(name for name, part in vars(Reading).items() if isinstance(part, cached_property))


def read_text(text: str, pasted: Sequence[str] = (), most: int = READ_CHARS) -> Reading:
    """Return the reading of a text of any length, in bounded time, whatever stands in it.

    A long text is read in another process, with all of its parts, while other threads of this one
    go on. Where that takes longer than it may, the reading is one of nothing
    (`is_unreadable`). The last few long ones are kept.
    """
    reading = Reading(text, pasted, most)
    return _read_apart(text, tuple(pasted), most) if reading.is_long else reading


@lru_cache(maxsize=16)
def _read_apart(text: str, pasted: tuple[str, ...], most: int) -> Reading:
    from memory.language import reading_process

    reading = Reading(text, pasted, most)
    parts = reading_process.shared().compute_parts(reading)
    if parts is None:
        return Reading(text, pasted, most=0)
    reading.take_parts(parts)
    return reading


def _cut(text: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(*bounds) for bounds in sentences.find_sentence_spans(text))
