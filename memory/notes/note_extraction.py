"""Sentences worth a note that fit no slot of the profile: read by rules, no model, no database.

A sentence is worth a note when its person says something about themselves that will still matter:
a plan, an event, a date, a decision, how they want things done. How significant it is decides how
much of it is kept (`Mode`): word for word, its gist with the key words, or its gist alone.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from memory.language import relatives
from memory.language.amendments import is_explicit_correction
from memory.language.classifiers.sentence_labels import (
    courtesy_probability,
    label_probabilities,
    private_probability,
    read_together,
    request_probability,
)
from memory.language.dates import time_expressions, year_inference
from memory.language.dates.planned_days import find_planned_days
from memory.language.engine.clause_guards import Verdict, judge
from memory.language.engine.clauses import Clause, Subject, clauses
from memory.language.engine.fact_candidates import FactCandidate
from memory.language.engine.masking import MASK_CHARACTER
from memory.language.engine.predicates import Mode, Predicate, parse
from memory.language.origin import Origin
from memory.language.reading import Reading
from memory.language.safety import sensitivity
from memory.language.text import compression, terms
from memory.models import CONTENT_LENGTH, Memory
from memory.notes.drafts import NoteDraft
from memory.notes.labels import leans_on_context
from memory.notes.significance import (
    FEWEST_WORDS,
    MOST_SENTENCES,
    PLAN,
    REMEMBER,
    is_noteworthy,
    mode_of,
    priority_of,
    sets_a_time,
    significance_of,
    sort_of,
)
from memory.slots import SLOTS

MOST_WORDS = 70
# What has so many characters is kept whole; of a longer text so much.
SHORT_LINE = 340
# A note of at least this share of a message's letters tells all of it.
WHOLE_NOTE = 0.6
GIST_LENGTH, HYBRID_LENGTH = 200, 240
# A few words alone about somebody who was named before say little: "she turned 74".
_FEWEST_LEANING = 6
# A sentence whose other words are so few says no more than the facts that were read from it.
_SAYS_MORE = 4

# From this probability of a private matter on a note waits for a yes.
_MAY_BE_PRIVATE = 0.5
_PARTS = re.compile(r"[,;]\s+|\s+(?:and|but|while)\s+")
# From this one on it is taken for private: 81 of 160 private sentences, 4 of 240 ordinary ones.
_PROBABLY_PRIVATE = 0.9
# So many of its little words make a message English.
_ENGLISH = 2

# So probably a sentence of no more words is a courtesy; what stands in a message that as a whole is
# one with the second is said in passing.
_COURTESY, _COURTESY_WORDS, _IN_PASSING = 0.7, 14, 0.6
# So probably a message is a request, and what it states after it belongs to that: "Write it in
# French. To my aunt."
_REQUEST = 0.6

_TOGETHER = SHORT_LINE

# What is asked or supposed is not told.
_UNSAID = frozenset({Verdict.QUESTION, Verdict.HYPOTHETICAL})

# What only the classifier takes for worth a note weighs so much: it is kept as it was said.
_NOTEWORTHY = 0.6

_OWN = {Subject.SELF, Subject.WE, Subject.MY}


@dataclass(frozen=True)
class Remark:
    """What is worth a note, `text[start:end]`, and the note; `leans` where only what was said
    before it tells of whom it speaks.
    """

    start: int
    end: int
    draft: NoteDraft
    leans: bool = False


def read_remarks(
    reading: Reading, said_at: datetime, facts: Iterable[FactCandidate] = ()
) -> list[Remark]:
    """The few most significant sentences of a message, in reading order.

    `facts` are what was taken from the same text: a sentence that says no more than they
    do is left to them, and one that speaks of private matters is left out. Where one perhaps does,
    nothing is noted without a yes (`needs_privacy_consent`). Trust and origin are the caller's to
    lower when the words were not typed.
    """
    if needs_privacy_consent(reading):
        return []
    facts = list(facts)
    found = [
        remark
        for start, end in _statements(reading)
        if (remark := _remark(reading.text, start, end, said_at, facts)) is not None
    ]
    if found and _is_in_passing(reading):
        found = [remark for remark in found if _is_surely_worth_it(reading, remark)]
    found.sort(key=lambda remark: -remark.draft.significance)
    return sorted(found[: settings.MEMORY["remarks_a_message"]], key=lambda remark: remark.start)


def needs_privacy_consent(reading: Reading) -> bool:
    """Whether a message tells something worth a note that may be a private matter, as the
    classifier judges it, not a list of words. A part of such a message alone says little; of a long
    one, or one with somebody else's words, only that sentence is left out.
    """
    if reading.private or reading.foreign or len(reading.text) > _TOGETHER:
        return False
    return any(
        sentence is not None and sentence.may_be_private and sentence.states
        for sentence in _sentences(reading)
    )


def is_probably_private(reading: Reading) -> bool:
    """Whether a message that waits for a yes is so probably private that it is quoted nowhere else
    before that.
    """
    # Its examples are English: of another language they know little.
    english = len(terms.STOPWORDS.intersection(terms.split_words(reading.text))) >= _ENGLISH
    probably = english and private_probability(reading.text) >= _PROBABLY_PRIVATE
    return probably and needs_privacy_consent(reading)


def _statements(reading: Reading) -> Iterator[tuple[int, int]]:
    """Where somebody states something about themselves, as it is or was, in their own words.

    What stands together in a message is one note: the second sentence goes on about the first
    ("Her name is Soot"), and one alone may be the lesser half. A courtesy, a question, a request, a
    private sentence and a secret are in none. What puts something right is one note with all its
    sentences.
    """
    runs = list(_note_spans(reading))
    if any(sentence.states for run in runs for sentence in run) and _puts_right(reading):
        yield reading.sentences[0].start, reading.sentences[-1].end
        return
    for run in runs:
        if any(sentence.states for sentence in run):
            yield run[0].start, run[-1].end


@dataclass(frozen=True)
class _Sentence:
    """A sentence `text[start:end]` that may be noted: whether it states something by itself, and
    whether it may be a private matter.
    """

    start: int
    end: int
    states: bool
    may_be_private: bool


def _note_spans(reading: Reading) -> Iterator[list[_Sentence]]:
    """The sentences that may be noted, those together that stand together and are short enough."""
    run: list[_Sentence] = []
    for sentence in _sentences(reading):
        open_to_notes = sentence is not None and not sentence.may_be_private
        if run and not (sentence and open_to_notes and _stands_with(reading, run[0], sentence)):
            yield run
            run = []
        if sentence is not None and open_to_notes:
            run.append(sentence)
    if run:
        yield run


def _stands_with(reading: Reading, first: _Sentence, sentence: _Sentence) -> bool:
    """Whether both may be one note: near enough, and by the same hand."""
    same = reading.origin_of(first.start, first.end) == reading.origin_of(
        sentence.start, sentence.end
    )
    return same and sentence.end - first.start <= _TOGETHER


def _puts_right(reading: Reading) -> bool:
    """Whether it says of itself that it corrects, asks nothing, and is short enough for a note."""
    return (
        is_explicit_correction(reading.text)
        and len(reading.text) <= _TOGETHER
        and MASK_CHARACTER not in reading.masked
        and not any(mark == "?" for _, _, mark in reading.sentences)
    )


def _sentences(reading: Reading) -> Iterator[_Sentence | None]:
    """The sentences that may be noted, one by one, and None for every other sentence."""
    if reading.acts and all(asks for _, asks in reading.acts) and not REMEMBER.search(reading.text):
        return
    prepared = reading.masked
    whole = reading.text if len(reading.text) <= _TOGETHER else ""
    read_together([whole, *(reading.text[a:b] for a, b, _ in reading.sentences[:MOST_SENTENCES])])
    requests = whole and request_probability(whole) >= _REQUEST and not REMEMBER.search(whole)
    was_asked = False
    for start, end, mark in reading.sentences[:MOST_SENTENCES]:
        words, sentence = prepared[start:end].split(), reading.text[start:end]
        was_asked = was_asked or mark == "?" or request_probability(sentence) >= _REQUEST
        belongs_to_it = requests and was_asked
        unfit = len(words) > MOST_WORDS or MASK_CHARACTER in prepared[start:end] or belongs_to_it
        if unfit or sensitivity.is_private_text(sentence) or _is_courtesy(sentence):
            yield None
            continue
        parts = clauses(prepared, start, end)
        verdicts = judge(prepared, parts, mark)
        told = _UNSAID.isdisjoint(verdicts)
        states = len(words) >= FEWEST_WORDS and (
            _states_something(prepared, parts, verdicts) or (told and is_noteworthy(sentence))
        )
        if states or told:
            yield _Sentence(start, end, states, _may_be_private(sentence, whole))
        else:
            yield None


def _is_courtesy(sentence: str) -> bool:
    """Whether it only thanks or takes leave, whatever day it names: "that's all for today"."""
    return len(sentence.split()) <= _COURTESY_WORDS and courtesy_probability(sentence) >= _COURTESY


def _is_in_passing(reading: Reading) -> bool:
    """Whether a message as a whole greets, thanks or takes leave."""
    whole = reading.text[:_TOGETHER]
    greets = label_probabilities("intent", whole)["greeting"]
    return courtesy_probability(whole) + greets >= _IN_PASSING


def _is_surely_worth_it(reading: Reading, remark: Remark) -> bool:
    text = reading.text[remark.start : remark.end]
    return REMEMBER.search(text) is not None or is_noteworthy(text, surely=True)


def _states_something(text: str, parts: list[Clause], verdicts: list[Verdict]) -> bool:
    before: Predicate | None = None
    for clause, verdict in zip(parts, verdicts, strict=True):
        if verdict is Verdict.QUESTION:
            return False
        before = parse(text, clause, before)
        # A plan is unreal to the profile and worth a note all the same.
        planned = before.mode is not Mode.UNREAL or PLAN.search(text, clause.start, clause.end)
        if clause.subject in _OWN and verdict is Verdict.CLEAR and planned:
            return True
        if REMEMBER.search(text, clause.start, clause.end) and verdict is Verdict.CLEAR:
            return True
        if verdict is Verdict.CLEAR and _is_of_somebody_or_set(text[clause.start : clause.end]):
            return True
    return False


def _is_of_somebody_or_set(clause: str) -> bool:
    return relatives.tells_of_somebody(clause) or sets_a_time(clause)


def _remark(
    text: str, start: int, end: int, said_at: datetime, facts: list[FactCandidate]
) -> Remark | None:
    sentence = " ".join(text[start:end].split()).strip(" -*•")
    inside = [fact for fact in facts if start <= fact.start < end]
    if sensitivity.is_private_text(sentence) or any(
        SLOTS[candidate.slot].sensitive for candidate in inside
    ):
        return None
    if inside and not (_says_more(sentence, inside) or relatives.tells_of_their_life(sentence)):
        rest = _without(sentence, [candidate.value for candidate in inside])
        # A birthday is told by the fact itself.
        dated = any(candidate.slot == "birthday" for candidate in inside)
        plans = [] if dated else find_planned_days(sentence, said_at)
        if not (plans or any(map(relatives.tells_of_somebody, rest))):
            return None
    weight = significance_of(sentence)
    mode = mode_of(weight)
    leans = leans_on_context(sentence)
    if leans and len(sentence.split()) < _FEWEST_LEANING:
        return None
    if mode is None and any(map(is_noteworthy, compression.split_lines_and_sentences(sentence))):
        weight, mode = _NOTEWORTHY, mode_of(_NOTEWORTHY)
    if mode is None:
        return None
    return Remark(start, end, _draft(sentence, weight, mode, said_at), leans)


def _may_be_private(sentence: str, within: str) -> bool:
    """Whether its examples take a sentence for a private matter, and the message `within` which it
    stands too, which tells what a sentence alone does not.
    """
    # Whoever asks for a note has it, unless its words are private: then they are asked once more.
    if REMEMBER.search(sentence):
        return False
    return min(private_probability(text) for text in (sentence, within) if text) >= _MAY_BE_PRIVATE


def _says_more(text: str, facts: list[FactCandidate]) -> bool:
    """Whether one of its sentences says more than these facts."""
    told = {word for fact in facts for word in terms.split_words(fact.value)}
    return any(
        len([word for word in terms.content_words(sentence) if word not in told]) >= _SAYS_MORE
        for sentence in compression.split_lines_and_sentences(text)
    )


def _without(sentence: str, values: Collection[str]) -> list[str]:
    """The parts of a sentence in which none of these values stands."""
    parts = _PARTS.split(sentence)
    return [one for one in parts if not any(value in one for value in values)]


def _draft(sentence: str, weight: float, mode: Memory.Mode, said_at: datetime) -> NoteDraft:
    spans = compression.key_spans(sentence) if mode is Memory.Mode.HYBRID else ()
    content = _as_said(sentence, mode, spans)
    category, kind = sort_of(sentence)
    return NoteDraft(
        content=content,
        original="" if content == sentence else sentence,
        category=category,
        kind=kind,
        priority=priority_of(sentence, category, mode),
        mode=Memory.Mode.LOSSLESS if content == sentence else mode,
        key_spans=spans,
        significance=weight,
        confidence=0.8,
        trust=settings.MEMORY["trust_by_origin"][Origin.TYPED],
        happened_on=day_named(_what_holds(sentence), said_at),
    )


def _what_holds(sentence: str) -> str:
    """Of what puts something right the last sentence: the first may name what was wrong."""
    if not is_explicit_correction(sentence):
        return sentence
    return compression.split_lines_and_sentences(sentence)[-1]


def as_note_draft(sentence: str, said_at: datetime) -> NoteDraft:
    """A sentence that is worth a note whatever it weighs."""
    whole = " ".join(sentence.split()).strip(" -*•")
    return _draft(whole, significance_of(whole), Memory.Mode.LOSSLESS, said_at)


def _as_said(sentence: str, mode: Memory.Mode, spans: Iterable[str]) -> str:
    """The sentence as a person may read it again, in its own words. What weighs less and is no
    short line is cut after a whole clause; where it weighs a little more, with the names, numbers
    and dates of what is cut.
    """
    whole = sentence[:CONTENT_LENGTH]
    if mode is Memory.Mode.LOSSLESS or len(whole) <= SHORT_LINE:
        return whole
    if mode is Memory.Mode.COMPRESSED:
        return compression.truncate_at_clause(whole, GIST_LENGTH)
    short = compression.truncate_at_clause(whole, HYBRID_LENGTH)
    missed = compression.missing(spans, short)
    return f"{short} ({', '.join(missed)})" if missed else short


def day_named(sentence: str, said_at: datetime) -> date | None:
    """The one day a sentence names, or None: in a plan the next such day, in a report the last."""
    found = [
        span
        for span in time_expressions.find_stated_times(sentence, said_at)
        if span.first == span.last
    ]
    days = {span.first for span in found}
    if len(days) != 1:
        return None
    day, said_on = days.pop(), said_at.date()
    return (
        year_inference.come_round(day, found[0])
        if year_inference.is_next_occurrence(sentence, found[0], said_on)
        else day
    )
