"""The reading of a text, computed once and shared by all code that asks about the text.

Use `read_text`: it limits how much is read (`memory.language.budget`), and reads long texts in
another process.
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
    """The bounds of a sentence as [start, end) in characters, and its ending punctuation."""

    start: int
    end: int
    mark: str


class Reading:
    """The reading of a text; each part is computed at first use and cached.

    All offsets are those of the text. A reading does not change and may be shared. `whole` is the
    given text; `text` is the part that is read, with the inside of long runs filled; `unread` are
    the parts of `whole` that are not read. `imported` is set by the caller if all of it was said
    elsewhere.
    """

    imported = False

    def __init__(
        self,
        text: str,
        pasted: Sequence[str] = (),
        most: int = READ_CHARS,
        context: str = "",
    ) -> None:
        """Read the first `most` characters of a text.

        `pasted` are strings that were seen being pasted, `context` is the text that it may answer.
        With `most` 0 nothing is read, and the text counts as confidential.
        """
        self.context = context
        self.whole = text
        self.most = most
        self.text, self.unread = apply_budget(text, most)
        self._pasted = pasted

    @property
    def is_unreadable(self) -> bool:
        """Whether nothing is known about the text."""
        return not self.most and bool(self.whole)

    @property
    def read_up_to(self) -> int | None:
        """The number of characters that were read, including filled runs; None for all."""
        return len(self.text) if len(self.text) < len(self.whole) else None

    @property
    def is_long(self) -> bool:
        """Whether the text is too long to be read in this process."""
        filled = sum(end - start for start, end in self.unread if start < len(self.text))
        return len(self.text) - filled > READ_HERE_CHARS

    def compute_parts(self) -> dict[str, object]:
        """Compute all parts; return them by name, for `take_parts` in another process."""
        return {name: getattr(self, name) for name in _PARTS}

    def set_context(self, context: str) -> None:
        """Set the text said just before, which this text may answer; drops affected parts."""
        if context != self.context:
            self.context = context
            for part in ("read", "facts"):
                self.__dict__.pop(part, None)

    def __reduce__(self) -> tuple[type[Reading], tuple[str, tuple[str, ...], int, str]]:
        return type(self), (self.whole, tuple(self._pasted), self.most, self.context)

    def take_parts(self, parts: dict[str, object]) -> None:
        """Set the parts that `compute_parts` returned for the same text."""
        self.__dict__.update(parts)

    # --- Whose words, and what they say -----------------------------------------------------------

    @cached_property
    def seen_pasted(self) -> tuple[ForeignSpan, ...]:
        """The parts that were seen being pasted."""
        spans = origin.locate_pastes(self.whole, self._pasted)
        return tuple(span for span in spans if span.start < len(self.text))

    @cached_property
    def foreign(self) -> tuple[ForeignSpan, ...]:
        """The parts that somebody else wrote."""
        return tuple(origin.find_foreign_spans(self.text, self.seen_pasted))

    def origin_of(self, start: int, end: int) -> Origin:
        """Return the origin of `text[start:end]`; in an imported text, nothing is typed."""
        read_origin = origin.origin_of(self.foreign, start, end)
        return Origin.IMPORTED if self.imported and read_origin == Origin.TYPED else read_origin

    @cached_property
    def masked(self) -> str:
        """The text with quotes, e-mails, code, secrets and the like masked."""
        return masking.mask_text(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the masked text: the author's own words."""
        return _cut(self.masked)

    @cached_property
    def all_sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the unmasked text, including quotes."""
        return self.sentences if self.masked == self.text else _cut(self.text)

    @cached_property
    def marked_sentences(self) -> tuple[str, ...]:
        """The sentences of the unmasked text as strings, with their punctuation."""
        return tuple(query_intent.split_sentences(self.text))

    @cached_property
    def read(self) -> ReadText:
        """The trained reader's reading of the masked text."""
        bounds = tuple(sentences.whole_sentences(self.sentences))
        return _read_once(self.masked, bounds, self.context)

    @cached_property
    def read_unmasked(self) -> ReadText:
        """The trained reader's reading of the unmasked text."""
        if self.masked == self.text:
            return self.read
        bounds = tuple(sentences.whole_sentences(self.all_sentences))
        return _read_once(self.text, bounds, self.context)

    @cached_property
    def facts(self) -> tuple[FactCandidate, ...]:
        """The facts that the author states about themselves, in order, from the masked text.

        No duplicates; at most one current value for a single-valued slot.
        """
        return tuple(fact_candidates(self.masked, self.read))

    # --- What the text asks -----------------------------------------------------------------------

    @cached_property
    def last_asked(self) -> str:
        """The last sentence, which usually holds the question; '' if there is none."""
        return self.marked_sentences[-1] if self.marked_sentences else ""

    @cached_property
    def core(self) -> str:
        """The last sentence without punctuation and polite phrases."""
        return query_intent.core_of(self.last_asked)

    @cached_property
    def intent(self) -> QueryIntent | None:
        """The request to the memory in the last sentence; None for anything else."""
        if not self.last_asked or len(self.text) > query_intent.MAX_INTENT_LENGTH:
            return None
        return query_intent.of_sentence(self.last_asked, self.core)

    # --- What needs care --------------------------------------------------------------------------

    @cached_property
    def question_spans(self) -> tuple[tuple[int, int], ...]:
        """The sentences that only ask, as [start, end): they state nothing."""
        return tuple(
            (sentence.start, sentence.end)
            for sentence in self.read.sentences
            if self._asks(sentence)
        )

    def _asks(self, sentence: ReadSentence) -> bool:
        # Including its punctuation.
        marked = self.text[sentence.start : sentence.end + 1].rstrip()
        if sentence.kind in ASKING or not marked.endswith("?"):
            return sentence.kind in ASKING
        # "I have asthma, may I dive?" states something, too.
        values = self.read.spans_in(sentence.start, sentence.end)
        return not any(value.status == "current" and value.probability >= SURE for value in values)

    @cached_property
    def only_asks(self) -> bool:
        """Whether all sentences only ask, so that there is nothing to learn."""
        return 0 < len(self.read.sentences) == len(self.question_spans)

    @cached_property
    def states_nothing(self) -> bool:
        """Whether all sentences are questions, orders to forget, courtesies, or yes or no."""
        return all(
            sentence.kind in _STATING_NOTHING or self._asks(sentence)
            for sentence in self.read.sentences
        )

    @property
    def stands_alone(self) -> bool:
        """Whether a sentence can be understood by itself: it says whom or what it is about."""
        return any(sentence.alone >= MAY_STAND_ALONE for sentence in self.read.sentences)

    @cached_property
    def asks_for_silence(self) -> bool:
        """Whether the text asks for confidentiality."""
        return guard.asks_for_silence(self.text)

    @cached_property
    def asks_to_forget(self) -> bool:
        """Whether the text asks to forget something, or not to store it."""
        return guard.asks_to_forget(self.text)

    @property
    def only_forgets(self) -> bool:
        """Whether the text asks to forget or not to store something, and says nothing else."""
        return self.asks_to_forget and not guard.tells_beside_a_wish(self.text)

    @property
    def tells_beside_a_wish(self) -> bool:
        """Whether the text asks to forget or not to store something, and says more."""
        return self.asks_to_forget and guard.tells_beside_a_wish(self.text)

    @cached_property
    def holds_a_secret(self) -> bool:
        """Whether the text contains a password, a key or a card number."""
        return guard.holds_a_secret(self.text)

    @cached_property
    def orders_gravely(self) -> bool:
        """Whether the text gives the assistant orders so grave that nothing is learned from it."""
        return instructions.judge_instruction_by_rule(self.text).grave

    @cached_property
    def claimed(self) -> tuple[tuple[int, int], ...]:
        """The sentences with an unchecked claim (a right, a rank or a rule), as [start, end)."""
        return tuple((start, end) for start, end, _ in claims.stretches(self.text))

    @cached_property
    def private(self) -> tuple[tuple[int, int], ...]:
        """The sentences about private matters, as [start, end)."""
        return tuple((start, end) for start, end, slot in self.sentence_slots if slot)

    @cached_property
    def sentence_slots(self) -> tuple[tuple[int, int, str], ...]:
        """Every sentence as (start, end, private slot); the slot is '' if it is not private."""
        return tuple(sensitivity.sentence_slots(self))

    @cached_property
    def standing_spans(self) -> tuple[tuple[int, int, str], ...]:
        """The parts that are not simply said by the author, see `message_provenance`."""
        from memory.language import message_provenance

        return tuple(message_provenance.find_standing_spans(self))

    @property
    def orders(self) -> tuple[tuple[int, int], ...]:
        """The sentences with orders that may not be stored, as [start, end)."""
        return tuple(
            (start, end) for start, end, standing in self.standing_spans if standing == "order"
        )


def extract_facts(text: str, context: str = "") -> list[FactCandidate]:
    """Return the facts that a text states about its author; `context` was said before it."""
    return list(Reading(text, context=context).facts)


@lru_cache(maxsize=256)
def _read_once(text: str, bounds: tuple[tuple[int, int], ...], context: str) -> ReadText:
    """Return the network's reading of a text, cached."""
    return network().read(text, bounds, context)


@lru_cache(maxsize=4096)
def only_asks(text: str) -> bool:
    """Return whether the beginning of a text only asks for something."""
    return Reading(text, most=_BEGINNING).only_asks


@lru_cache(maxsize=4096)
def stands_alone(text: str) -> bool:
    """Return whether a sentence at the beginning of a text can be understood by itself."""
    return Reading(text, most=_BEGINNING).stands_alone


@lru_cache(maxsize=4096)
def is_correction(text: str) -> bool:
    """Return whether a text is a correction, by its first sentences or by a star ("*Tuesday")."""
    if _STARRED.fullmatch(text.strip()):
        return True
    read_sentences = Reading(text, most=_BEGINNING).read.sentences
    return any(sentence.kind == _CORRECTION for sentence in read_sentences)


_PARTS = tuple(name for name, part in vars(Reading).items() if isinstance(part, cached_property))


def read_text(text: str, pasted: Sequence[str] = (), most: int = READ_CHARS) -> Reading:
    """Return the reading of a text of any length, in bounded time.

    A long text is read in another process, while other threads of this one continue. If that takes
    too long, nothing is read (`is_unreadable`). The last few long readings are cached.
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
