"""What a stretch of conversation comes to, made by rules. Pure: no database, no clock."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property

from conversations.summaries.digest import MOST_SUBJECTS, YOU, Digest, I, Point, matters, parse
from memory.language import (
    MASK_CHARACTER,
    ForeignSpan,
    Origin,
    Utterance,
    asks_to_forget,
    content_stem_ids,
    expand_abbreviations,
    explain_refusal,
    extract_keyphrases,
    find_sentence_spans,
    is_all_questions,
    is_question,
    judge_instruction_by_rule,
    make_keyphrase_key,
    mask_text,
    origin_of,
    truncate_at_clause,
)
from memory.notes import day_named, in_second_person, leading_clause

# Characters of one line once it has been summed up again, of one that tells the end, and of what
# names the subjects.
_OLD, _END, _ABOUT_LENGTH = 90, 160, 160
# How many of the newest messages are told as they stand, so that the talk can go on from them.
_LAST = 3
# What the assistant said counts less than what the person did.
_OF_THE_OTHER = 0.6
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
# Said to cheer somebody up: worth much at the time and nothing later.
_CHEERS = re.compile(
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
class Said:
    """A message: who spoke (`YOU`, `I` or a name), whether it was the person, when, which words.

    `foreign` are the stretches of it that the person did not type. `number` is its own.
    `gives_back`: an answer that only says again what was kept, which tells nothing here.
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
    """One sentence of a message, `place` messages into the stretch."""

    place: int
    said: Said
    text: str

    @property
    def asks(self) -> bool:
        return self.text.endswith("?")

    @cached_property
    def is_fit(self) -> bool:
        """Asked of few: it takes longer than all the rest."""
        return is_fit(self.text)

    def point(self) -> Point:
        text = leading_clause(self.text)
        if self.said.by == YOU:
            text = in_second_person(text)
        return Point(self.said.said_at.date(), self.said.by, text, self.said.number)


def extract(former: str, talk: Sequence[Said]) -> Digest:
    """The former summary and the messages after it, as one: what was there is told shorter."""
    before = parse(former)
    told = [sentence for place, said in enumerate(talk) for sentence in _sentences(place, said)]
    days = [(one, day) for one, day in _days(told) if one.is_fit]
    dated = {one.text for one, _ in days}
    decided = [one for one in told if _decides(one) and one.text not in dated and one.is_fit]
    taken = {*dated, *(one.text for one in decided)}
    weighty = [one for one in _weighty(told) if one.text not in taken and one.is_fit]
    asked = [one for one in _unanswered(told, talk) if one.is_fit]
    mattered = [*_condensed(before.mattered), *(one.point() for one in weighty)]
    still_open = [one for one in before.open_questions if not _settled(one.text, told)]
    return Digest(
        about=_about(before.about, told),
        mattered=mattered,
        decided=[*_condensed(before.decided), *(one.point() for one in decided)],
        open_questions=[*still_open, *(one.point() for one in asked)],
        days=sorted(
            [*_condensed(before.days), *(replace(one.point(), day=day) for one, day in days)],
            key=lambda one: one.day,
        ),
        last=[one for one in _said_last(told, talk) if one not in mattered],
    )


def _about(before: Sequence[str], told: Sequence[_Sentence]) -> list[str]:
    """The subjects of all that was said: those that were found before, and those of what is new."""
    texts: dict[int, list[str]] = {}
    for one in told:
        texts.setdefault(one.place, []).append(one.text)
    own = {one.place: one.said.own for one in told}
    said = [
        Utterance(expand_abbreviations(". ".join(found)), own[place])
        for place, found in texts.items()
    ]
    speakers = {one.said.by for one in told} - {YOU, I}
    names = [one.name for one in extract_keyphrases(said, speakers=speakers, most=MOST_SUBJECTS)]
    known = {make_keyphrase_key(one): one for one in (*before, *names) if is_fit(one)}
    about = list(known.values())[-MOST_SUBJECTS:]
    while sum(len(one) + 2 for one in about) > _ABOUT_LENGTH:
        about.pop(0)
    return about


def _sentences(place: int, said: Said) -> Iterator[_Sentence]:
    """Whole sentences that somebody wrote themselves: what was pasted or quoted is material."""
    if said.gives_back or judge_instruction_by_rule(said.text).grave:
        return
    prepared = mask_text(said.text)
    for number, (start, end, mark) in enumerate(find_sentence_spans(prepared)):
        if number >= _MOST_SENTENCES:
            return
        hidden = prepared.count(MASK_CHARACTER, start, end)
        if 3 * hidden > end - start or origin_of(said.foreign, start, end) != Origin.TYPED:
            continue
        text = " ".join(said.text[start:end].split()).strip(" -*•#")
        if mark.startswith("?") or (said.own and not mark.strip() and _asks_without_a_mark(text)):
            text += "?"
        if len(text.split()) >= _FEWEST_WORDS:
            yield _Sentence(place, said, text)


_BEGINS_TO_ASK = re.compile(
    r"(?:what|who|whom|whose|where|when|why|how|which|do|does|did|is|are|am|was|were)(?:'s|n't)?\b",
    re.IGNORECASE,
)


def _asks_without_a_mark(text: str) -> bool:
    """ "wheres my flat", as it is typed in a hurry: a question, and no news of a flat."""
    return _BEGINS_TO_ASK.match(expand_abbreviations(text)) is not None and is_question(text)


def is_fit(text: str) -> bool:
    """Whether a text may stand in a summary: no secret, no order, nothing to be forgotten."""
    return not explain_refusal(text) and not asks_to_forget(text)


def _condensed(points: Iterable[Point]) -> list[Point]:
    """Told shorter."""
    return [replace(one, text=truncate_at_clause(one.text, _OLD)) for one in points]


def decides(text: str) -> bool:
    """Whether a sentence tells a decision."""
    return _DECIDED.search(text) is not None and _NOT_DECIDED.search(text) is None


def _decides(sentence: _Sentence) -> bool:
    by_somebody = sentence.said.own or sentence.said.by != I
    return not sentence.asks and by_somebody and decides(sentence.text)


def _weighty(told: Sequence[_Sentence]) -> Iterator[_Sentence]:
    """What matters later; of the assistant what the person has not said themselves."""
    own = {number for one in told if one.said.own for number in content_stem_ids(one.text)}
    for one in told:
        if one.asks:
            continue
        weight = matters(one.text)
        if not one.said.own:
            words = content_stem_ids(one.text)
            if len(words & own) > len(words) / 2 or _CHEERS.search(one.text):
                continue
            weight *= _OF_THE_OTHER
        if weight >= _LEAST_WEIGHT:
            yield one


def _days(told: Sequence[_Sentence]) -> Iterator[tuple[_Sentence, date]]:
    """What somebody said about one day that was named, and the day."""
    for one in told:
        if one.asks or one.said.by == I:
            continue
        day = day_named(one.text, one.said.said_at)
        if day is not None and day != one.said.said_at.date():
            yield one, day


def _unanswered(told: Sequence[_Sentence], talk: Sequence[Said]) -> list[_Sentence]:
    """Questions after which the other said nothing, or nothing that answers."""
    return [
        one
        for one in told
        if one.asks
        and len(content_stem_ids(one.text)) >= 2
        and not _was_replied_to(one, talk, told)
        and not _settled(one.text, [later for later in told if later.place > one.place])
    ]


def _was_replied_to(question: _Sentence, talk: Sequence[Said], told: Sequence[_Sentence]) -> bool:
    """Whether the other's next message says something; a question put back is no reply."""
    places = range(question.place + 1, len(talk))
    reply = next((place for place in places if talk[place].by != question.said.by), None)
    if reply is None or not talk[reply].text.strip() or _NO_ANSWER.search(talk[reply].text):
        return False
    if not talk[reply].text.rstrip().endswith("?"):
        return True
    return any(one.place == reply and not one.asks for one in told)


def _settled(question: str, told: Iterable[_Sentence]) -> bool:
    """Whether something said takes up most of the question's words without asking."""
    wanted = content_stem_ids(question)
    return any(
        not one.asks
        and not _NO_ANSWER.search(one.text)
        and len(wanted & content_stem_ids(one.text)) >= max(2, (len(wanted) + 1) // 2)
        for one in told
    )


def _said_last(told: Sequence[_Sentence], talk: Sequence[Said]) -> list[Point]:
    """The newest messages in short."""
    found = []
    for place in _places_at_the_end(talk):
        words = "; ".join(one.text for one in told if one.place == place and one.is_fit)
        if words:
            said = talk[place]
            found.append(Point(said.said_at.date(), said.by, _end_of(said, words), said.number))
    return found


def _places_at_the_end(talk: Sequence[Said]) -> list[int]:
    """Of the newest messages, without what was only looked up and the questions that asked."""
    after = [*talk[1:], None][: len(talk)]
    telling = [
        place
        for place, (one, then) in enumerate(zip(talk, after, strict=True))
        if not one.gives_back
        and not (then and then.gives_back and one.own and is_all_questions(one.text))
    ]
    return telling[-_LAST:]


def _end_of(said: Said, words: str) -> str:
    text = truncate_at_clause(words, _END)
    return in_second_person(text) if said.by == YOU else text
