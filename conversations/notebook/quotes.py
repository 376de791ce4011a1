"""Answering with an earlier message: the passage that surely answers, quoted with its date.

Retrieval finds candidates; a classifier (`memory.language.answer_probabilities`) rates each as an
answer to the question. If none is sure, nothing is quoted.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from uuid import UUID

from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.learning import related_messages
from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import (
    Answer,
    after,
    line,
    noted_line,
    recorded_step,
    source,
    used_message,
    used_note,
)
from conversations.prompt import Prompt
from conversations.search import message_recall, word_mentions
from conversations.search.message_recall import Passage, RecallMode
from memory.language.classifiers.statement_pairs import answer_probabilities, find_ending
from memory.language.dates.asked_times import find_asked_times, tells_when
from memory.language.dates.planned_days import read_sentence_dates
from memory.language.dates.tense import asks_ahead
from memory.language.dates.time_expressions import TimeSpan
from memory.language.queries.query_intent import QueryIntent, split_sentences
from memory.language.reader.others import facts_of_others
from memory.language.reading import Reading, only_asks
from memory.language.text.dedup import content_stem_ids
from memory.language.text.terms import STOPWORDS, split_words, stem_id
from memory.language.text.text_network import encode_sentences
from memory.retrieval.relevance import ScoredNote
from memory.slots import SLOTS

YOU_TOLD_ME = "You told me:"
OUTDATED = " · you later said something else"
_ALIKE = 24
"""Messages that are looked at for their meaning alone."""
_EXCERPT = 280
"""Characters of a message that are read and quoted together; a longer one is read in parts."""
_MOST_BEFORE = 300
"""Characters of the message that it goes on from, its last."""
_ANSWERS, _LIKENESS, _RECALLED = 6.2, 8.0, 1.5
"""The log-odds of an answer from which on it is shown; what likeness in meaning (0..1) and the
first place in recall add to what the classifier says.
"""
_MOST_WORDS = 0.6
"""Share of the words of a question in another language that its answer has."""
_ENDS = 0.5
"""From this probability on a later passage is shown before the one that it may end or correct."""
_OF_A_TIME = 6
"""Messages of a time that are quoted where nothing but the time is asked about."""
_MOST_DAYS = 31
"""A stretch of more days is not told with a quote."""
_WHO = frozenset({"person", "family", "relation", "pets", "pet_name"})
"""Labels of the reader that name people and pets."""
_NAME = re.compile(r"(?<=\w )[A-Z][\w-]+")


@dataclass(frozen=True)
class Excerpt:
    """A part of a message that may answer. before: the message that it continues. fit: its log-odds
    of being the answer. outdated: what replaces a short message by now.
    """

    message: Message
    text: str
    place: int
    before: Message | None = None
    fit: float = 0.0
    outdated: str = ""

    @property
    def in_full(self) -> str:
        """The text, after the end of the message that it continues."""
        return f"{self.before.content[-_MOST_BEFORE:]} {self.text}" if self.before else self.text


def show(prompt: Prompt, answer: Answer) -> bool:
    """Quote the messages that answer the question; return False, without saying anything, if none
    surely does.
    """
    spans = find_asked_times(prompt.asked, localtime(prompt.question.said_at))
    with recorded_step(answer, "recall_memories", query=prompt.asked) as step:
        alike = message_recall.passages(prompt.question, _ALIKE, RecallMode.MEANING)
        passages = _once([*prompt.passages, *alike])
        step.count(passages)
        parts = [part for part in _excerpts(passages) if _is_of(spans, part)]
        mention_query = word_mentions.parse_mention_query(prompt.asked, prompt.question.said_at)
        people = _people_in(prompt, mention_query.telling)
        named = [part for part in parts if people & content_stem_ids(part.in_full)]
        events = [part for part in named if not spans or not _tells_no_event(part.in_full)]
        # "What did I do last May?", "What is Tobi doing this week?" ask for a time only.
        if spans and people and len(people) == len(mention_query.telling):
            return _show_the_time(prompt, spans, events, answer) or _say_none(
                prompt, spans, mention_query.telling, answer
            )
        if spans and not people and len(mention_query.telling) <= 1:
            return _show_the_time(prompt, spans, parts, answer)
        weighed = _weighed(prompt, parts)
        best = _surely_answering(prompt.asked, weighed)
        note = _best_note(prompt) if best is None else None
        if best is None and note is None and passages:
            step.wording = f"{formatting.number(len(passages))} came close, but none answered it"
    if best is not None:
        _quote(prompt, best, weighed, answer)
    elif note is not None:
        answer.say(YOU_TOLD_ME)
        answer.point(noted_line(note), used_note(note))
    elif spans and events:
        return _show_the_time(prompt, spans, events, answer)
    return best is not None or note is not None


def add_note(prompt: Prompt, answer: Answer) -> None:
    """Add the memory that also answers, unless the answer already contains it."""
    note = _best_note(prompt)
    if note is not None and (note.original or note.content) not in "".join(answer.pieces):
        answer.point(noted_line(note), used_note(note))


def _surely_answering(question: str, weighed: Sequence[Excerpt]) -> Excerpt | None:
    """Return the best excerpt that surely answers and is no question itself. A question in another
    language than English is matched by shared words instead.
    """
    near: Iterable[Excerpt] = takewhile(lambda part: part.fit >= _ANSWERS, weighed)
    if STOPWORDS.isdisjoint(split_words(question)):
        words = content_stem_ids(question)
        least = max(1, _MOST_WORDS * len(words))
        near = [part for part in weighed if len(words & content_stem_ids(part.text)) >= least]
    return next((part for part in near if part.message.author or not only_asks(part.text)), None)


def name_in_confidence(prompt: Prompt, answer: Answer) -> bool:
    """Link to the confidential message that surely answers; return False if there is none."""
    passages = message_recall.passages(prompt.question, _ALIKE, RecallMode.ELSEWHERE)
    weighed = _weighed(prompt, _excerpts(passages))
    if not weighed or weighed[0].fit < _ANSWERS:
        return False
    where = source(weighed[0].message)
    answer.say(
        f"Something private you told me on {where} may answer this. I show it only in that "
        "conversation."
    )
    return True


def _once(passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages in the same order, each part of a message once."""
    by_part: dict[tuple[UUID, str], Passage] = {}
    for passage in passages:
        by_part.setdefault((passage.hit.message_id, passage.hit.text), passage)
    return list(by_part.values())


def _excerpts(passages: Sequence[Passage]) -> list[Excerpt]:
    """Return the messages split into excerpts: whole sentences of at most `_EXCERPT` characters."""
    excerpts = []
    for place, passage in enumerate(passages):
        parts = list(_parts(passage.message.content))
        outdated = passage.hit.outdated if len(parts) == 1 else ""
        excerpts += [Excerpt(passage.message, text, place, outdated=outdated) for text in parts]
    return excerpts


def _parts(text: str) -> Iterator[str]:
    part = ""
    for sentence in split_sentences(text):
        if part and len(part) + len(sentence) >= _EXCERPT:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    if part:
        yield part


def _weighed(prompt: Prompt, parts: Sequence[Excerpt]) -> list[Excerpt]:
    """Return the excerpts rated as answers, best first."""
    if not parts:
        return []
    parts = _after_what_they_go_on_from(prompt, parts)
    fits = _fits(prompt, [part.in_full for part in parts], [part.place for part in parts])
    weighed = [replace(part, fit=fit) for part, fit in zip(parts, fits, strict=True)]
    return sorted(weighed, key=lambda part: -part.fit)


def _fits(prompt: Prompt, texts: Sequence[str], places: Sequence[int]) -> list[float]:
    """Return the log-odds that each text answers; `places` are the texts' ranks in retrieval.
    Statements about people in the question are also rated by themselves; the best rating counts.
    """
    question = prompt.asked
    relatives = [fact.value for fact in prompt.recall.facts.get("family", [])]
    readings = [
        (number, reading)
        for number, text in enumerate(texts)
        for reading in (text, *_said_of_others(question, text, relatives))
    ]
    shares = answer_probabilities([(question, reading) for _, reading in readings])
    vectors = encode_sentences([question, *(reading for _, reading in readings)])
    fits = [-math.inf] * len(texts)
    for (number, _), share, likeness in zip(
        readings, shares, vectors[1:] @ vectors[0], strict=True
    ):
        sure = min(max(share, 1e-4), 1 - 1e-4)
        odds = math.log(sure / (1 - sure))
        fit = odds + _LIKENESS * float(likeness) + _RECALLED * 0.9 ** places[number]
        fits[number] = max(fits[number], fit)
    return fits


def _said_of_others(question: str, text: str, relatives: Sequence[str]) -> Iterator[str]:
    """Yield the statements of a text about people in the question, such as 'Ada: Lives in Leeds'. A
    relative in the profile ("sister Ada") is recognised by either word.
    """
    wanted = content_stem_ids(question)
    known = [relative.split() for relative in relatives]
    names = [*split_words(text), *(word for relative in known for word in relative)]
    if not wanted or wanted.isdisjoint(content_stem_ids(" ".join(names))):
        return
    reading = Reading(text)
    for people, slot, value in facts_of_others(text, reading.read):
        also = [word for words in known for word in words if not set(words).isdisjoint(people)]
        named = [who for who in dict.fromkeys((*people, *also)) if wanted & content_stem_ids(who)]
        if named:
            yield f"{' '.join(named)}: {SLOTS[slot].note.format(value=value)}"


def _after_what_they_go_on_from(prompt: Prompt, parts: Sequence[Excerpt]) -> list[Excerpt]:
    own = {part.message.pk: part.message for part in parts if not part.message.author}
    before = related_messages.said_before(prompt.question, own.values())
    return [replace(part, before=before.get(part.message.pk)) for part in parts]


def _may_be_quoted(prompt: Prompt, part: Excerpt) -> bool:
    """Return whether the excerpt may be quoted here: confidential ones in private conversations
    only.
    """
    private = prompt.question.conversation.privacy == Conversation.Privacy.PRIVATE
    return private or not part.message.confidential


def _best_note(prompt: Prompt) -> ScoredNote | None:
    """Return the memory that answers best, if it surely answers; else None."""
    texts = [note.original or note.content for note in prompt.own_notes]
    fits = _fits(prompt, texts, range(len(texts)))
    best = max(range(len(texts)), key=lambda place: fits[place], default=None)
    return prompt.own_notes[best] if best is not None and fits[best] >= _ANSWERS else None


def _quote(prompt: Prompt, best: Excerpt, others: Sequence[Excerpt], answer: Answer) -> None:
    """Quote the best message, preceded by a later one that ends or corrects it."""
    names = set(_NAME.findall(prompt.asked))
    later = [
        part
        for part in others
        if part.message.said_at > best.message.said_at
        and part.message.is_stated_by_owner
        and best.message.is_stated_by_owner
        and _may_be_quoted(prompt, part)
        # A statement about Graz does not end one about Linz.
        and names <= set(_NAME.findall(f". {part.in_full}"))
    ]
    corrections = [part for part in later if part.message.corrects_id == best.message.pk]
    ended = find_ending(best.text, [part.in_full for part in later], _ENDS)
    newer = corrections or [later[place] for place in ended]
    newer.sort(key=lambda part: part.message.said_at, reverse=True)
    answer.say(YOU_TOLD_ME)
    for part in newer[:1]:
        answer.point(_line(part), used_message(part.message))
    by_now = f" · {literal(best.outdated)}" if best.outdated else ""
    mark = OUTDATED if newer else by_now
    answer.point(f"{_line(best)}{mark}", used_message(best.message))
    quoted = {part.message.pk for part in (*newer[:1], best)}
    answer.rest_on(*(used_note(note) for note in prompt.remembered if note.message_id in quoted))


def _line(part: Excerpt) -> str:
    """Return the quote with its date, the message that it continues, and the days that it names."""
    before = after(part.before.content) if part.before else ""
    dates = read_sentence_dates(part.text, localtime(part.message.said_at))
    days = ""
    if dates is not None and dates.exactly and not dates.is_a_guess:
        said_then = dates.first == dates.last == localtime(part.message.said_at).date()
        if not said_then and (dates.last - dates.first).days <= _MOST_DAYS:
            days = f" ({dates.in_words})"
    return f"{line(part.message, part.text)}{before}{days}"


def show_plans(prompt: Prompt, answer: Answer) -> bool:
    """Show the memories that plan a value of the slot asked about; return False if the question is
    not about the future, or there are none.
    """
    if not asks_ahead(prompt.asked):
        return False
    notes = [note for note in prompt.own_notes[:_OF_A_TIME] if _plans(note, prompt.asked_slots)]
    if notes:
        answer.say(YOU_TOLD_ME)
    for note in notes:
        answer.point(noted_line(note), used_note(note))
    return bool(notes)


def _plans(note: ScoredNote, slots: Sequence[str]) -> bool:
    spans = Reading(note.original or note.content).read.spans
    return any(span.status == "planned" and span.label in slots for span in spans)


# --- Questions about a time ----------------------------------------------------------------------


def _is_of(spans: Sequence[TimeSpan], part: Excerpt) -> bool:
    """Return whether an excerpt was said in, or is about, the time asked about."""
    if not spans:
        return True
    said_at = localtime(part.message.said_at)
    dates = read_sentence_dates(part.text, said_at)
    first, last = (dates.first, dates.last) if dates else (said_at.date(), said_at.date())
    return any(
        (span.first <= last and first <= span.last) or span.first <= said_at.date() <= span.last
        for span in spans
    )


def _show_the_time(
    prompt: Prompt, spans: Sequence[TimeSpan], parts: Sequence[Excerpt], answer: Answer
) -> bool:
    """Quote messages of or about a period, in order; return whether there are any."""
    shown = [part for part in parts if _may_be_quoted(prompt, part)][:_OF_A_TIME]
    if shown:
        answer.say(f"{capfirst(literal(spans[0].said))}, as far as I know:")
    for part in sorted(shown, key=lambda part: part.message.said_at):
        by_now = f" · {literal(part.outdated)}" if part.outdated else ""
        answer.point(f"{line(part.message, part.text)}{by_now}", used_message(part.message))
    return bool(shown)


def _people_in(prompt: Prompt, words: Sequence[str]) -> set[int]:
    """Return the stems of the words that name people or pets, by the question's reading or the
    profile.
    """
    reading = prompt.question.reading
    named = [
        reading.text[span.start : span.end] for span in reading.read.spans if span.label in _WHO
    ]
    facts = prompt.recall.facts
    named += [fact.value for slot in ("family", "pets") for fact in facts.get(slot, [])]
    stems = content_stem_ids(" ".join(named))
    return {number for word in words if (number := stem_id(word)) in stems}


def _tells_no_event(text: str) -> bool:
    """Return whether a text only describes somebody, such as their job or town, without a day."""
    return not tells_when(text) and bool(facts_of_others(text, Reading(text).read))


def _say_none(
    prompt: Prompt, spans: Sequence[TimeSpan], who: Sequence[str], answer: Answer
) -> bool:
    """Say that nothing is known of these people in that period, or link to a private message."""
    if not name_in_confidence(prompt, answer):
        names = formatting.listed([literal(capfirst(word)) for word in who])
        answer.say(f"I don’t know anything about {names} {literal(spans[0].said)}.")
    return True


# --- Messages about a subject ---------------------------------------------------------------------


def said_about(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Quote the latest messages with the words of a subject, in order, and mention confidential
    ones; return False, without saying anything, if there are none.
    """
    query = word_mentions.parse_mention_query(intent.about, prompt.question.said_at)
    with recorded_step(answer, "search_conversations", query=query.words) as step:
        mentions = word_mentions.mentions(prompt.question, query, own=False)
        step.count(mentions.said)
    messages = [message for message in mentions.said if not message.reading.only_forgets]
    if messages:
        answer.say(f"Here’s what was said{query.when}:")
    outdated = message_recall.read_outdated(prompt.question, messages[:_OF_A_TIME])
    for message in reversed(messages[:_OF_A_TIME]):
        by_now = outdated.get(message.pk, "")
        mark = f" · {literal(by_now)}" if by_now else ""
        answer.point(f"{line(message)}{mark}", used_message(message))
    if mentions.withheld:
        single = len(mentions.withheld) == 1
        answer.paragraph(
            "One message about it is private, so I show it only in its own conversation."
            if single
            else "Some messages about it are private, so I show each only in its own conversation."
        )
    return bool(messages or mentions.withheld)
