"""Rule-based summaries of a part of a conversation. Pure: no database, no clock."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property

from conversations.summaries.digest import (
    MOST_SUBJECTS,
    YOU,
    Digest,
    DigestLine,
    I,
    importance,
    parse,
)
from memory.language.engine.masking import MASK_CHARACTER, mask_text
from memory.language.engine.sentences import find_sentence_spans
from memory.language.origin import ForeignSpan, Origin, origin_of
from memory.language.queries.query_intent import is_all_marked_questions
from memory.language.reading import only_asks
from memory.language.safety.guard import asks_to_forget, explain_refusal
from memory.language.safety.instructions import judge_instruction_by_rule
from memory.language.text.compression import truncate_at_clause
from memory.language.text.dedup import content_stem_ids
from memory.language.text.keyphrases import Utterance, extract_keyphrases, make_keyphrase_key
from memory.notes.note_extraction import day_named
from memory.notes.second_person import in_second_person, leading_clause

# Longest line in characters: from a former summary, of the newest messages, and of the subjects.
_OLD, _END, _ABOUT_LENGTH = 90, 160, 160
# How many of the newest messages are included, so that the conversation can continue.
_NEWEST_MESSAGES = 3
# The assistant's sentences count less than the user's.
_ASSISTANT_WEIGHT = 0.6
_LEAST_WEIGHT = 0.45
_FEWEST_WORDS, _MOST_SENTENCES = 4, 40
_DECIDED = re.compile(
    r"\b(?:(?:we|i)(?:'ll| will|'re going to|'m going to| are going to| am going to) "
    r"(?:go (?:with|for)|take (?!a (?:look|break|rest|walk)|care|it|my time)|choose|pick|settle on"
    r"|stick (?:with|to))|(?:we|i)(?:'re|'m| are| am)? (?:went|going) with"
    r"|let's (?:go (?:with|for|to)|take|do (?!it\b|this\b)|use|make it (?!happen)|meet|book|say"
    r"|stick (?:with|to)|choose|pick|settle)"
    r"|(?:i|we)(?:'ve| have)?(?: (?:just|finally|already|both))* (?:decided|chose|chosen|picked"
    r"|selected|opted for|hired|settled (?:on|for)|agreed (?:on|to|that)|booked|reserved"
    r"|signed up|ordered|cancelled)"
    r"|(?:it|that)(?:'s| is) (?:decided|settled|agreed|booked)|made up (?:my|our) mind)\b",
    re.IGNORECASE,
)
_NOT_DECIDED = re.compile(
    r"\b(?:if|unless|whether|would|should|could|might|maybe|perhaps)\b|\bnot\b|n't\b|\bnever\b",
    re.IGNORECASE,
)
# Encouragement: important when it was said, not later.
_ENCOURAGEMENT = re.compile(
    r"\b(?:don't|do not|never|won't) (?:forget|quit|give up|stop)\b|\bremember\b|\bbelieve in\b"
    r"|\bkeep (?:going|it up|on|at it|pushing)\b|\b(?:here|there) for you\b",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"\b(?:i have no note|i cannot answer|i can't answer|i (?:do not|don't) know|no idea"
    r"|(?:am|i'm) not sure|i found nothing|nothing (?:about|on) that|let me (?:check|think|ask))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SpokenMessage:
    """A message to summarize: speaker (`YOU`, `I` or a name), whether it is the user, time and
    text.

    foreign: parts of the text that the user did not type. number: the message's number. gives_back:
    whether it is an answer that only repeats stored data; such an answer is left out.
    """

    by: str
    own: bool
    said_at: datetime
    text: str
    foreign: Sequence[ForeignSpan] = ()
    number: int = 0
    gives_back: bool = False


@dataclass(frozen=True)
class _Sentence:
    """One sentence of a message; `place` is the message's index."""

    place: int
    said: SpokenMessage
    text: str

    @property
    def asks(self) -> bool:
        return self.text.endswith("?")

    @cached_property
    def is_fit(self) -> bool:
        """Whether it may be in a summary; slow, so checked last."""
        return is_fit(self.text)

    def point(self) -> DigestLine:
        text = leading_clause(self.text)
        if self.said.by == YOU:
            text = in_second_person(text)
        return DigestLine(self.said.said_at.date(), self.said.by, text, self.said.number)


def extract(former: str, messages: Sequence[SpokenMessage]) -> Digest:
    """Merge the former summary, shortened, with the messages after it."""
    before = parse(former)
    sentences = [
        sentence
        for position, message in enumerate(messages)
        for sentence in _sentences(position, message)
    ]
    days = [(sentence, day) for sentence, day in _days(sentences) if sentence.is_fit]
    dated = {sentence.text for sentence, _ in days}
    decided = [
        sentence
        for sentence in sentences
        if _decides(sentence) and sentence.text not in dated and sentence.is_fit
    ]
    taken = {*dated, *(sentence.text for sentence in decided)}
    weighty = [
        sentence
        for sentence in _weighty(sentences)
        if sentence.text not in taken and sentence.is_fit
    ]
    unanswered = [sentence for sentence in _unanswered(sentences, messages) if sentence.is_fit]
    mattered = [*_condensed(before.mattered), *(sentence.point() for sentence in weighty)]
    still_open = [line for line in before.open_questions if not _settled(line.text, sentences)]
    return Digest(
        about=_subjects(before.about, sentences),
        mattered=mattered,
        decided=[*_condensed(before.decided), *(sentence.point() for sentence in decided)],
        open_questions=[*still_open, *(sentence.point() for sentence in unanswered)],
        days=sorted(
            [
                *_condensed(before.days),
                *(replace(sentence.point(), day=day) for sentence, day in days),
            ],
            key=lambda line: line.day,
        ),
        last=[line for line in _latest_messages(sentences, messages) if line not in mattered],
    )


def _subjects(before: Sequence[str], sentences: Sequence[_Sentence]) -> list[str]:
    """Return the former subjects and those of the new messages."""
    texts: dict[int, list[str]] = {}
    for sentence in sentences:
        texts.setdefault(sentence.place, []).append(sentence.text)
    own = {sentence.place: sentence.said.own for sentence in sentences}
    utterances = [
        Utterance(". ".join(texts_here), own[position]) for position, texts_here in texts.items()
    ]
    speakers = {sentence.said.by for sentence in sentences} - {YOU, I}
    names = [
        keyphrase.name
        for keyphrase in extract_keyphrases(utterances, speakers=speakers, most=MOST_SUBJECTS)
    ]
    known = {make_keyphrase_key(phrase): phrase for phrase in (*before, *names) if is_fit(phrase)}
    about = list(known.values())[-MOST_SUBJECTS:]
    while sum(len(phrase) + 2 for phrase in about) > _ABOUT_LENGTH:
        about.pop(0)
    return about


def _sentences(position: int, message: SpokenMessage) -> Iterator[_Sentence]:
    """Yield the whole sentences that the author wrote, not pasted or quoted ones."""
    if message.gives_back or judge_instruction_by_rule(message.text).grave:
        return
    prepared = mask_text(message.text)
    for number, (start, end, mark) in enumerate(find_sentence_spans(prepared)):
        if number >= _MOST_SENTENCES:
            return
        hidden = prepared.count(MASK_CHARACTER, start, end)
        if 3 * hidden > end - start or origin_of(message.foreign, start, end) != Origin.TYPED:
            continue
        text = " ".join(message.text[start:end].split()).strip(" -*•#")
        if mark.startswith("?") or (message.own and not mark.strip() and only_asks(text)):
            text += "?"
        if len(text.split()) >= _FEWEST_WORDS:
            yield _Sentence(position, message, text)


def is_fit(text: str) -> bool:
    """Return whether a text may be in a summary: no secret, no order, nothing to forget."""
    return not explain_refusal(text) and not asks_to_forget(text)


def _condensed(points: Iterable[DigestLine]) -> list[DigestLine]:
    """Return the lines of the former summary, shortened."""
    return [replace(line, text=truncate_at_clause(line.text, _OLD)) for line in points]


def decides(text: str) -> bool:
    """Return whether a sentence states a decision."""
    return _DECIDED.search(text) is not None and _NOT_DECIDED.search(text) is None


def _decides(sentence: _Sentence) -> bool:
    by_somebody = sentence.said.own or sentence.said.by != I
    return not sentence.asks and by_somebody and decides(sentence.text)


def _weighty(sentences: Sequence[_Sentence]) -> Iterator[_Sentence]:
    """Yield the sentences that matter later; of the assistant's only what the user did not say."""
    own = {
        number
        for sentence in sentences
        if sentence.said.own
        for number in content_stem_ids(sentence.text)
    }
    for sentence in sentences:
        if sentence.asks:
            continue
        weight = importance(sentence.text)
        if not sentence.said.own:
            words = content_stem_ids(sentence.text)
            if len(words & own) > len(words) / 2 or _ENCOURAGEMENT.search(sentence.text):
                continue
            weight *= _ASSISTANT_WEIGHT
        if weight >= _LEAST_WEIGHT:
            yield sentence


def _days(sentences: Sequence[_Sentence]) -> Iterator[tuple[_Sentence, date]]:
    """Yield the sentences about a named day, with the day."""
    for sentence in sentences:
        if sentence.asks or sentence.said.by == I:
            continue
        day = day_named(sentence.text, sentence.said.said_at)
        if day is not None and day != sentence.said.said_at.date():
            yield sentence, day


def _unanswered(
    sentences: Sequence[_Sentence], messages: Sequence[SpokenMessage]
) -> list[_Sentence]:
    """Return the questions that the other speaker has not answered."""
    return [
        sentence
        for sentence in sentences
        if sentence.asks
        and len(content_stem_ids(sentence.text)) >= 2
        and not _was_replied_to(sentence, messages, sentences)
        and not _settled(
            sentence.text, [later for later in sentences if later.place > sentence.place]
        )
    ]


def _was_replied_to(
    question: _Sentence, messages: Sequence[SpokenMessage], sentences: Sequence[_Sentence]
) -> bool:
    """Return whether the other speaker's next message states something, not only asks."""
    places = range(question.place + 1, len(messages))
    reply = next(
        (position for position in places if messages[position].by != question.said.by), None
    )
    if reply is None or not messages[reply].text.strip() or _NO_ANSWER.search(messages[reply].text):
        return False
    if not messages[reply].text.rstrip().endswith("?"):
        return True
    return any(sentence.place == reply and not sentence.asks for sentence in sentences)


def _settled(question: str, sentences: Iterable[_Sentence]) -> bool:
    """Return whether a later statement has most of the question's words."""
    wanted = content_stem_ids(question)
    return any(
        not sentence.asks
        and not _NO_ANSWER.search(sentence.text)
        and len(wanted & content_stem_ids(sentence.text)) >= max(2, (len(wanted) + 1) // 2)
        for sentence in sentences
    )


def _latest_messages(
    sentences: Sequence[_Sentence], messages: Sequence[SpokenMessage]
) -> list[DigestLine]:
    """Return the newest messages as lines, shortened."""
    spans = []
    for position in _places_at_the_end(messages):
        words = "; ".join(
            sentence.text
            for sentence in sentences
            if sentence.place == position and sentence.is_fit
        )
        if words:
            message = messages[position]
            spans.append(
                DigestLine(
                    message.said_at.date(), message.by, _end_of(message, words), message.number
                )
            )
    return spans


def _places_at_the_end(messages: Sequence[SpokenMessage]) -> list[int]:
    """Return the indexes of the newest messages, without look-ups and their questions."""
    after = [*messages[1:], None][: len(messages)]
    telling = [
        position
        for position, (message, then) in enumerate(zip(messages, after, strict=True))
        if not message.gives_back
        and not (then and then.gives_back and message.own and is_all_marked_questions(message.text))
    ]
    return telling[-_NEWEST_MESSAGES:]


def _end_of(message: SpokenMessage, words: str) -> str:
    text = truncate_at_clause(words, _END)
    return in_second_person(text) if message.by == YOU else text
