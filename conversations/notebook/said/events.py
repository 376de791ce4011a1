"""When something happened, who it was, and which things there are: found in what was said.

An answer here must speak of what was asked. It is looked for in the few messages that bear most on
the question; those that share too few of its words are no answer, however near they are.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from uuid import UUID

from django.utils.timezone import localtime

from conversations.markdown import literal
from conversations.notebook.answer_builder import (
    Answer,
    line,
    on,
    unless_said,
    used_message,
    used_note,
)
from conversations.notebook.said import rescheduled
from conversations.notebook.sentences import pictures, sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.message_recall import Passage, passages
from memory.language.dates import sentence_dates, time_expressions
from memory.language.dates.sentence_dates import Told
from memory.language.queries import speech_acts
from memory.language.queries.query_intent import QueryIntent
from memory.language.text import terms

# How many messages are looked at, and how much of the question one must share to be an answer.
_LOOKED_AT = 12
FLOOR = 0.5
# From here on a note is an answer to a question, not only near it.
NOTE_FITS = 0.55
_SOME = 0.3
# How much of what the best sentence shares another must, to speak of the same; less where it names
# nothing else: "the boiler is put off" is about the boiler's service.
_ALIKE, _OF_THE_SAME = 0.7, 0.45
_OF_ASKER = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|us)\b", re.IGNORECASE)
# Words that ask and do not tell.
ASKING = frozenset(
    "happen happened happening happens kind kinds type types sort sorts name names times time ever"
    " recently day date month year many thing things partake participate participated did plan"
    " planning activity activities item items stuff way ways again exactly".split()
)


# What people say of one and the same act, however unlike the words.
_SAME = (
    "choose chose chosen pick picked decide decided select selected opt opted hire hired booked"
    " settled",
    "buy bought purchase purchased acquire order ordered",
    "company firm business agency",
    "boss manager supervisor chief",
    "begin began begun start started",
    "job work position",
    "doctor physician gp",
    "give gave given gift gifted present",
    "girlfriend gf",
    "boyfriend bf",
    "birthday bday",
    "move moved moving relocate relocated removal removals mover movers",
)


@cache
def _same(word: str) -> dict[int, float]:
    """The words that stand in for this one in every case, by number."""
    own = terms.number(word)
    found: dict[int, float] = {}
    for words in _SAME:
        numbers = {terms.number(one) for one in words.split()}
        if own in numbers:
            found |= dict.fromkeys(numbers - {own}, terms.RELATED_COUNTS)
    return found


@dataclass(frozen=True)
class Sought:
    """The words of a question that tell something, their stand-ins, and how rare they are."""

    words: tuple[str, ...]
    numbers: tuple[int, ...]
    stand_ins: tuple[dict[int, float], ...]
    rarity: tuple[float, ...]
    # Everybody who was heard in what was found, in small letters.
    speakers: frozenset[str]

    def fits(self, text: str) -> float:
        """How much of the question a text speaks of, 0..1; a rare word counts for more."""
        there = {terms.number(word) for word in terms.telling(text)}
        shared = [
            rare
            * (1.0 if number in there else max((near[n] for n in there & near.keys()), default=0.0))
            for number, near, rare in zip(self.numbers, self.stand_ins, self.rarity, strict=True)
        ]
        return sum(shared) / sum(self.rarity) if self.rarity else 0.0


@dataclass(frozen=True)
class Looked:
    """A message that may answer: the `place`-th of those that recall found."""

    passage: Passage
    place: int
    sought: Sought

    @property
    def text(self) -> str:
        """What was said."""
        return self.passage.message.content

    @cached_property
    def parts(self) -> list[str]:
        """Its sentences."""
        return sentences(self.text) or [self.text]

    @cached_property
    def shares(self) -> float:
        """How much of the question it speaks of."""
        return self.sought.fits(self.text)

    @cached_property
    def best(self) -> str:
        """The sentence that shares most."""
        return max(self.parts, key=self.sought.fits)


def look(prompt: Prompt, made: Answer, words: str, count: int = _LOOKED_AT) -> list[Looked]:
    """The messages that bear on a question, by the one it asks of where it names somebody."""
    question = prompt.question
    with looking(made, "recall_memories", query=words) as step:
        found = passages(question, count=count)
        step.count = len(found)
    speakers = frozenset(p.message.author.lower() for p in found if p.message.author)
    told = dict.fromkeys(terms.telling(words))
    if named := told.keys() & speakers:
        found = [p for p in found if p.message.author.lower() in named] or found
    elif _OF_ASKER.search(words):
        found = [p for p in found if p.hit.by_user] or found
    wanted = asked(prompt, words, speakers)
    return [Looked(passage, place, wanted) for place, passage in enumerate(found)]


def asked(prompt: Prompt, text: str, speakers: frozenset[str] = frozenset()) -> Sought:
    """What a question seeks: its telling words without those that ask, name a time or a speaker."""
    spans = time_expressions.spans(text, prompt.question.said_at)
    skipped = speakers | ASKING | {word for span in spans for word in terms.words(span.words)}
    told = dict.fromkeys(terms.telling(text))
    return sought(prompt, [word for word in told if word not in skipped], speakers)


def sought(prompt: Prompt, kept: list[str], speakers: frozenset[str]) -> Sought:
    """These words, with what can stand in for each and how much each tells."""
    return Sought(
        words=tuple(kept),
        numbers=tuple(terms.number(word) for word in kept),
        stand_ins=tuple({**dict(terms.related(word)), **_same(word)} for word in kept),
        rarity=tuple(word_mentions.rarity(prompt.question, kept)),
        speakers=speakers,
    )


# --- When ----------------------------------------------------------------------------------------


def when(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """The day itself where the words name it; else the day on which it came up, said so."""
    spans = time_expressions.spans(wish.sentence, prompt.question.said_at)
    dated = [(one, *_dated(one)) for one in look(prompt, made, wish.sentence)]
    if not any(_speaks_of_it(*found[:2]) for found in dated):
        return _when_noted(prompt, made)
    message, sentence, told = _which_holds(prompt, dated, spans)
    if rescheduled.calls_off(sentence):
        made.say(f"It was called off, as was said on {on(message.said_at)}:")
    elif told is None:
        made.say(f"I do not know the day itself. It came up on {on(message.said_at)}:")
    else:
        days = told.in_words if told.exactly else f"about {told.in_words}"
        made.say(f"{days[0].upper()}{days[1:]}:")
    made.point(line(message, sentence), used_message(message))
    return True


def _which_holds(
    prompt: Prompt, dated: list[tuple[Looked, str, Told | None]], spans: list[time_expressions.Span]
) -> rescheduled.Saying:
    """The saying that answers best; of an appointment that was moved the one that moved it."""
    fit = [found for found in dated if _speaks_of_it(*found[:2])]
    one, sentence, told = max(fit, key=lambda found: _worth(found[0], found[1], found[2], spans))
    message = one.passage.message
    if told is None:
        return rescheduled.dated_soon_after(prompt, message) or (message, sentence, told)
    if spans:
        return message, sentence, told
    best = one.sought.fits(sentence)
    alike = [
        (other.passage.message, part, days)
        for other, part, days in dated
        if other.sought.fits(part)
        >= best * (_ALIKE if rescheduled.names_another(part, sentence) else _OF_THE_SAME)
    ]
    return rescheduled.latest(prompt, (message, sentence, told), alike)


def _when_noted(prompt: Prompt, made: Answer) -> bool:
    """The day that a note speaks of, where no message may be quoted or shares enough."""
    for note in sorted(prompt.remembered, key=lambda note: -note.score.similarity)[:3]:
        text = note.original or note.content
        told = sentence_dates.told(text, localtime(note.said_at))
        if note.score.similarity >= NOTE_FITS and told is not None and told.exactly:
            made.say(f"{told.in_words[0].upper()}{told.in_words[1:]}:")
            made.point(
                f"Noted {on(note.said_at)}{unless_said(note)}: {literal(text)}", used_note(note)
            )
            return True
    return False


def _speaks_of_it(one: Looked, sentence: str) -> bool:
    """The message shares enough of the question, and the sentence some of it."""
    return one.shares >= FLOOR and one.sought.fits(sentence) >= _SOME


def _dated(one: Looked) -> tuple[str, Told | None]:
    """The sentence that answers, and its days: its own, or those of the sentence beside it."""
    best = one.best
    told = sentence_dates.told(best, localtime(one.passage.message.said_at))
    if told is not None:
        return best, told
    at = one.parts.index(best)
    for near in one.parts[max(0, at - 1) : at + 2]:
        told = sentence_dates.told(near, localtime(one.passage.message.said_at))
        if told is not None:
            return (f"{near} {best}" if one.parts.index(near) < at else f"{best} {near}"), told
    return best, None


def _worth(
    one: Looked, sentence: str, told: Told | None, asked: list[time_expressions.Span]
) -> float:
    fits = 0.5 * one.shares + 0.5 * one.sought.fits(sentence)
    dated = 0.15 if told is not None else 0.0
    in_time = 0.0
    if asked and told is not None:
        in_time = 0.3 if any(s.first <= told.last and told.first <= s.last for s in asked) else -0.3
    return fits + dated + in_time - 0.02 * one.place


# --- Who -----------------------------------------------------------------------------------------

# A name in the middle of a sentence, or somebody told by what they are to the speaker.
_NAME = re.compile(r"(?<![.!?…“\"] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
_SOMEBODY = re.compile(
    r"\b(?:friends?|family|mentors?|mother|mom|mum|father|dad|parents?|sisters?|brothers?|wife"
    r"|husband|partner|sons?|daughters?|kids?|children|grandma|grandmother|grandpa|aunt|uncle"
    r"|cousins?|neighbou?rs?|colleagues?|boss|teachers?|coach|team|group|band|buddy)\b",
    re.IGNORECASE,
)
_NO_NAME = frozenset("i i'm i've i'd i'll ok".split())


def who(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """The sentences that name somebody, of the messages that speak of it."""
    looked = look(prompt, made, wish.sentence)
    near = [one for one in looked if one.shares >= FLOOR]
    if not near:
        return False
    # Whom the sentences speak to is not whom they speak of.
    known = near[0].sought.speakers
    asked = {*terms.words(wish.sentence), *known, *(name[:3] for name in known)}
    heads = {one.passage.message.conversation_id: one.passage.message.number for one in near[:3]}
    told = [
        (_telling(one, part, asked), one, part)
        for one in looked
        if one in near or _beside(one, heads)
        for part in one.parts
        if speech_acts.states(part, one.passage.message.author)
    ]
    told = sorted((found for found in told if found[0] >= FLOOR), key=lambda found: -found[0])[:2]
    if not told:
        return False
    made.say("From what was said:")
    for _, one, part in told:
        made.point(line(one.passage.message, part), used_message(one.passage.message))
    return True


def _telling(one: Looked, part: str, asked: set[str]) -> float:
    """How well a sentence answers: whom it names, and how much of the question it speaks of."""
    names = {name.lower() for found in _NAME.findall(part) for name in found.split()}
    somebody = {found.lower() for found in _SOMEBODY.findall(part)} - asked
    fits = one.sought.fits(part)
    if names - asked - _NO_NAME:
        return 0.6 + 0.5 * fits + 0.2 * one.shares - 0.02 * one.place
    return fits + 0.1 * bool(somebody) - 0.02 * one.place if somebody else 0.0


def _beside(one: Looked, heads: dict[UUID, int]) -> bool:
    """Whether it was said just after a message that speaks of it: an answer repeats no question."""
    head = heads.get(one.passage.message.conversation_id)
    return head is not None and 0 <= one.passage.message.number - head <= 4


# --- Which ---------------------------------------------------------------------------------------

_MOST_LISTED = 10
# How much of the question a line of a list must share, and the best of them.
_LISTED = 0.45
_BEST_LISTED = 0.6
# How near in meaning a thing is to the word for its kind.
_OF_KIND = 0.25
_HEAD = re.compile(r"(?:what|which)\s+(?:(?:kind|type|sort)s? of )?([a-z]+)\b", re.IGNORECASE)
_LISTED_FROM = 40


def which(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """What was said of each, one line each, the nearest first, nothing told twice."""
    lines = nearest(prompt, wish, made)
    if not lines:
        return False
    made.say("This is what I find, each with where it was said:")
    for one, part in lines:
        made.point(line(one.passage.message, part), used_message(one.passage.message))
    return True


def nearest(prompt: Prompt, wish: QueryIntent, made: Answer) -> list[tuple[Looked, str]]:
    """The sentences that speak of what is asked, each with something new, the nearest first."""
    looked = look(prompt, made, wish.sentence, count=_LISTED_FROM)
    parts = [
        (one, part)
        for one in looked
        for part in [*one.parts, *pictures(one.text)]
        if speech_acts.states(part, one.passage.message.author)
    ]
    of_kind = _of_its_kind(wish.about, [part for _, part in parts])
    worth = [
        (
            max(one.sought.fits(part), one.sought.fits(f"{part} {kind}")) - 0.01 * one.place,
            one,
            part,
        )
        for (one, part), kind in zip(parts, of_kind, strict=True)
    ]
    if max((found[0] for found in worth), default=0.0) < _BEST_LISTED:
        return []
    shown: set[str] = set(looked[0].sought.words) if looked else set()
    lines: list[tuple[Looked, str]] = []
    for _, one, part in sorted((w for w in worth if w[0] >= _LISTED), key=lambda w: -w[0]):
        new = set(terms.telling(part)) - shown
        if len(new) >= 1 and len(lines) < _MOST_LISTED:
            shown |= new
            lines.append((one, part))
    return lines


def _of_its_kind(asked: str, parts: list[str]) -> list[str]:
    """For each sentence the word for the kind of things, where it has such a thing, else ''.

    Who asks for instruments is answered by a sentence with a violin.
    """
    found = _HEAD.match(asked)
    head = terms.meaning([found[1]])[0] if found else None
    words = sorted({word for part in parts for word in terms.telling(part)})
    if found is None or head is None or not words:
        return [""] * len(parts)
    near = {
        word
        for word, vector in zip(words, terms.meaning(words), strict=True)
        if vector is not None and float(head @ vector) >= _OF_KIND
    }
    return [found[1] if near & set(terms.telling(part)) else "" for part in parts]
