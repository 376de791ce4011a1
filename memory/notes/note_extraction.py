"""Extracting sentences worth storing as memories, which fit no slot of the profile.

The trained reader judges which sentences will still matter: a plan, an event, a date, a decision, a
wish how to do things. Each sentence that can be understood by itself becomes a memory in the user's
own words.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from memory.language.dates import planned_days
from memory.language.engine.masking import MASK_CHARACTER
from memory.language.origin import Origin
from memory.language.reader.facts import FactCandidate
from memory.language.reader.network import ReadSentence
from memory.language.reading import ALONE, Reading
from memory.language.safety import sensitivity
from memory.language.text import compression, terms
from memory.models import CONTENT_LENGTH, Memory
from memory.notes.drafts import NoteDraft
from memory.slots import SLOTS

Category, Kind, Priority = Memory.Category, Memory.Kind, Memory.Priority

MOST_WORDS = 70
# Up to SHORT_LINE characters are stored whole; longer texts are cut to HYBRID_LENGTH.
SHORT_LINE = 340
HYBRID_LENGTH = 240
# A memory with at least this share of a message's characters counts as the whole message.
WHOLE_NOTE = 0.6
# With fewer other content words, a sentence says no more than the facts read from it.
_SAYS_MORE = 4

# Sentence kinds: statement, correction, order to remember.
_TELLING = frozenset("scr")
ORDER_TO_REMEMBER = "r"
# Least probability that a sentence is worth storing, and that it may be private and waits for
# approval.
WORTH, MAY_BE_PRIVATE = 0.5, 0.29
SURELY_WORTH = 0.75
"""From this probability on a sentence surely tells of a life."""
_TASTES = frozenset({"likes", "dislikes", "interests", "constraints", "diet"})


@dataclass(frozen=True)
class Remark:
    """A draft of a memory and its place in the message: `text[start:end]`."""

    start: int
    end: int
    draft: NoteDraft


def read_remarks(
    reading: Reading,
    said_at: datetime,
    facts: Iterable[FactCandidate] = (),
    dated: Collection[FactCandidate] = (),
) -> list[Remark]:
    """Return the sentences of a message that are most worth storing, in reading order.

    `facts` were read from the same text; a sentence that says no more than these facts is left out,
    as is a private one. `dated` are facts whose stated time is saved, too. Empty if the message may
    be private (`needs_privacy_consent`). For text that was not typed, the caller sets trust and
    origin.
    """
    if needs_privacy_consent(reading):
        return []
    facts = list(facts)
    remarks = [
        remark
        for span in _note_spans(reading)
        if (remark := _remark(reading, span, said_at, facts, dated)) is not None
    ]
    remarks.sort(key=lambda remark: -remark.draft.significance)
    most = settings.MEMORY["remarks_a_message"]
    return sorted(remarks[:most], key=lambda remark: remark.start)


def _private_probability(reading: Reading, sentence: ReadSentence) -> float:
    """Return the probability that a sentence is about a private matter, 0..1."""
    spans = reading.read.spans_in(sentence.start, sentence.end)
    text = reading.text[sentence.start : sentence.end]
    return sensitivity.private_probability(text, sentence, spans)


def needs_privacy_consent(reading: Reading) -> bool:
    """Return whether a message contains a sentence worth storing that may be private.

    False for long messages and for messages that quote others: there only the sentence is left out.
    """
    if reading.private or reading.foreign or len(reading.text) > SHORT_LINE:
        return False
    return any(
        _private_probability(reading, sentence) >= MAY_BE_PRIVATE
        and sentence.kind != ORDER_TO_REMEMBER
        for sentence in _worth_noting(reading)
    )


def is_noteworthy(reading: Reading, least: float = WORTH) -> bool:
    """Return whether a sentence of a text is worth storing with at least this probability."""
    return any(sentence.worth >= least for sentence in reading.read.sentences)


def _worth_noting(reading: Reading) -> Iterator[ReadSentence]:
    """Yield the sentences worth storing that are in the writer's own words."""
    for sentence in reading.read.sentences:
        words = reading.masked[sentence.start : sentence.end]
        fits = len(words.split()) <= MOST_WORDS and MASK_CHARACTER not in words
        ordered = sentence.kind == ORDER_TO_REMEMBER
        if fits and sentence.kind in _TELLING and (ordered or sentence.worth >= WORTH):
            yield sentence


def _note_spans(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield the spans [start, end) of the memories in a message.

    A span is a sentence that can be understood by itself, or an order to remember, plus directly
    following sentences that add a value ("Her name is Soot").
    """
    span: tuple[int, int] | None = None
    for sentence in _worth_noting(reading):
        ordered = sentence.kind == ORDER_TO_REMEMBER
        perhaps = _private_probability(reading, sentence) >= MAY_BE_PRIVATE
        private = any(start <= sentence.start < end for start, end in reading.private)
        if private or (perhaps and not ordered):
            continue
        if ordered or sentence.alone >= ALONE:
            if span:
                yield span
            span = sentence.start, sentence.end
        elif span and _adds_a_value(reading, span, sentence):
            span = span[0], sentence.end
    if span:
        yield span


def _adds_a_value(reading: Reading, span: tuple[int, int], sentence: ReadSentence) -> bool:
    """Return whether a sentence directly follows a span, has the same origin, and has a value."""
    same = reading.origin_of(*span) == reading.origin_of(sentence.start, sentence.end)
    between = reading.text[span[1] : sentence.start]
    near = sentence.end - span[0] <= SHORT_LINE and not any(map(str.isalnum, between))
    return same and near and bool(reading.read.spans_in(sentence.start, sentence.end))


def _remark(
    reading: Reading,
    span: tuple[int, int],
    said_at: datetime,
    facts: list[FactCandidate],
    dated: Collection[FactCandidate],
) -> Remark | None:
    start, end = span
    sentence = as_one_line(reading.text[start:end])
    inside = [fact for fact in facts if start <= fact.start < end]
    if any(SLOTS[fact.slot].sensitive for fact in inside):
        return None
    spans = reading.read.spans_in(start, end)
    values = [read for read in spans if read.label in SLOTS]
    if values and all(read.status == "asked" for read in values):
        return None
    more = {"place"} if any(fact in dated for fact in inside) else {"place", "date"}
    tells_more = any(read.label in more or read.status in ("other", "planned") for read in spans)
    if inside and not tells_more and not _says_more(sentence, inside):
        return None
    return Remark(start, end, _draft(reading, start, end, said_at))


def _says_more(text: str, facts: list[FactCandidate]) -> bool:
    """Return whether a sentence of a text says more than these facts."""
    known_words = {word for fact in facts for word in terms.split_words(fact.value)}
    return any(
        len([word for word in terms.content_words(sentence) if word not in known_words])
        >= _SAYS_MORE
        for sentence in compression.split_lines_and_sentences(text)
    )


def as_one_line(text: str) -> str:
    """Return a text without line ends, bullets and a final full stop."""
    return " ".join(text.split()).strip(" -*•").rstrip(".")


def as_note_draft(text: str, said_at: datetime) -> NoteDraft:
    """Return a draft of a memory for a text, even if the text is not worth storing."""
    return _draft(Reading(text), 0, len(text), said_at)


def _draft(reading: Reading, start: int, end: int, said_at: datetime) -> NoteDraft:
    sentence = as_one_line(reading.text[start:end])
    content, spans = _as_said(sentence)
    read = [each for each in reading.read.sentences if start <= each.start < end]
    category, kind = sort_of(reading, start, end)
    ordered = any(each.kind == ORDER_TO_REMEMBER for each in read)
    return NoteDraft(
        content=content,
        original="" if content == sentence else sentence,
        category=category,
        kind=kind,
        priority=Priority.HIGH if ordered or category is Category.STYLE else Priority.NORMAL,
        mode=Memory.Mode.LOSSLESS if content == sentence else Memory.Mode.HYBRID,
        key_spans=spans,
        significance=max((each.worth for each in read), default=WORTH),
        confidence=0.8,
        trust=settings.MEMORY["trust_by_origin"][Origin.TYPED],
        happened_on=day_named(_what_holds(read, reading.text) or sentence, said_at),
    )


def sort_of(reading: Reading, start: int, end: int) -> tuple[Memory.Category, Memory.Kind]:
    """Return category and kind of the memory in `text[start:end]`, by the values marked there."""
    spans = reading.read.spans_in(start, end)
    labels, statuses = {span.label for span in spans}, {span.status for span in spans}
    if "here" in statuses:
        return Category.TOPIC, Kind.WORKING
    if "preferences" in labels:
        return Category.STYLE, Kind.PROCEDURAL
    if labels & _TASTES:
        return Category.PREFERENCE, Kind.SEMANTIC
    if "planned" in statuses:
        return Category.TOPIC, Kind.SEMANTIC
    return Category.FACT, Kind.EPISODIC if "date" in labels else Kind.SEMANTIC


def _what_holds(read: list[ReadSentence], text: str) -> str:
    """Return the last sentence of a correction, as the first may name the wrong value; else ''."""
    if not any(sentence.kind == "c" for sentence in read):
        return ""
    return text[read[-1].start : read[-1].end]


def _as_said(sentence: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a memory for a sentence, and the key spans that are never cut.

    A long sentence is cut after a clause, with the cut names, numbers and dates in brackets. Key
    spans are empty for a short one.
    """
    whole = sentence[:CONTENT_LENGTH]
    if len(whole) <= SHORT_LINE:
        return whole, ()
    spans = tuple(compression.key_spans(sentence))
    short = compression.truncate_at_clause(whole, HYBRID_LENGTH)
    missed = compression.missing(spans, short)
    return (f"{short} ({', '.join(missed)})" if missed else short), spans


def day_named(sentence: str, said_at: datetime) -> date | None:
    """Return the one day that a sentence names; None for no day or several."""
    dates = planned_days.read_sentence_dates(sentence, said_at)
    return dates.first if dates is not None and dates.first == dates.last else None
