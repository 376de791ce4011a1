"""Which things there are of a kind: 'which pets do I have?', 'what instruments do I play?'.

The kind is known (`kinds`), so that every message of the person who is asked about can be looked
through for what belongs to it, and each thing is told once, with the sentence that speaks of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from accounts import words
from accounts.made_once import made_once
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, line, used_fact, used_message
from conversations.notebook.said import events, kinds
from conversations.notebook.said.events import Sought
from conversations.notebook.said.kinds import Kind
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from memory.language.queries import query_intent, speech_acts
from memory.language.queries.query_intent import QueryIntent
from memory.language.text import terms

# So many things are told; fewer than the second are told with what else comes near, as a thing may
# go by no name: "a book about whales".
_MOST = 12
_FEW = 3
# What somebody does not have or like is none of theirs.
_AGAINST = frozenset({"dislikes", "constraints"})
# What stands between 'which' and the verb names the kind.
_HEAD = re.compile(
    r"^(?:list|show me|name|what|which|where)\s+(?:are |were )?(?:all |some )?(?:of )?(?:the |my )?"
    r"(?P<head>.+?)"
    r"(?: (?:do|does|did|have|has|had|are|is|were|was|can|will|would|i|we|you|to)\b|$)",
    re.IGNORECASE,
)
_OF_ASKER = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|us)\b", re.IGNORECASE)
# Said of the one who is spoken to, or that it is not so.
_OF_OTHERS = re.compile(
    r"^(?!.*\b(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our|me|us)\b).*\b(?:you|your|you're|you've)\b"
    r"|\b(?:never|don't|doesn't|didn't|haven't|hasn't|can't)\b",
    re.IGNORECASE | re.DOTALL,
)


@dataclass
class Thing:
    """Something of the kind: how well its best sentence fits, and all the messages that have it."""

    name: str
    fits: float = 0.0
    sentence: str = ""
    messages: list[Message] = field(default_factory=list)


def which(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """Each thing of the kind once, with where it was said; False for a kind that is not known."""
    found = _HEAD.match(wish.about)
    kind = kinds.kind_of(found["head"]) if found else None
    if found is None or kind is None:
        return False
    sought = {word for thing in kind.things for word in thing[-1:]} | set(kind.near)
    with looking(made, "search_conversations", query=found["head"]) as step:
        said = _of_whom(prompt, wish, word_mentions.with_any(prompt.question, sought))
        step.count = len(said)
    frame = events.sought(prompt, _frame(wish, found["head"]), frozenset())
    things = _told(_things(kind, said, frame, wish))
    if not things:
        return _noted(prompt, kind, wish, made)
    told = words.listed([literal(one.name) for one in things])
    made.say(f"I find {told}, each with where it was said:")
    shown = {one.sentence: one.messages[0] for one in things}
    if len(things) < _FEW:
        near = events.nearest(prompt, wish, made)
        shown = {**shown, **{part: one.passage.message for one, part in near if part not in shown}}
    for sentence, message in list(shown.items())[:_MOST]:
        made.point(line(message, sentence), used_message(message))
    return True


# "Which instrument do I play?": one of a kind, which `query_intent` does not read as a list.
_OF_ONE = re.compile(
    r"(?:what|which) (?P<head>[\w' -]{2,40}?) (?:do|did|have|can|could|am|was) i\b[\w' -]*[ ?.!]*",
    re.IGNORECASE,
)


_LIVED_IN = re.compile(r"\b(?:live|living|reside|based|move|moving)\b", re.IGNORECASE)


def one(prompt: Prompt, made: Answer) -> bool:
    """The thing of a kind that is asked for as one; False for a kind that is not known."""
    asked = _OF_ONE.fullmatch(" ".join(prompt.read_as.replace("’", "'").split()))
    kind = kinds.kind_of(asked["head"]) if asked else None
    if asked is None or kind is None or made.steps:
        return False
    if _is_of_places(kind) and _LIVED_IN.search(asked[0]):
        # One lives in a place or does not: no list of places tells it.
        return False
    about = asked[0].rstrip(" ?.!")
    return which(prompt, QueryIntent(query_intent.Kind.WHICH, about=about, sentence=asked[0]), made)


def _noted(prompt: Prompt, kind: Kind, wish: QueryIntent, made: Answer) -> bool:
    """What the profile has of the kind, where no message tells it: "Enjoys oboe"."""
    if not _OF_ASKER.search(wish.about):
        return False
    facts = [
        fact
        for held in prompt.recall.facts.values()
        for fact in held
        if fact.kind.many and not fact.kind.sensitive and fact.slot not in _AGAINST
        if any(True for _ in _in(kind, fact.value, wish))
    ]
    facts = [fact for fact in facts if not prompt.recall.rivals(fact)][:_MOST]
    if not facts:
        return False
    made.say("This is what I have noted of that:")
    for fact in facts:
        made.point(literal(fact.kind.note.format(value=fact.value)), used_fact(fact))
    return True


def _frame(wish: QueryIntent, head: str) -> list[str]:
    """What is asked besides the kind: 'with my family', 'to help children'."""
    skipped = {*terms.words(head), *events.ASKING}
    return [word for word in dict.fromkeys(terms.telling(wish.about)) if word not in skipped]


def _of_whom(prompt: Prompt, wish: QueryIntent, said: Sequence[Message]) -> list[Message]:
    """The messages of the one who is asked about: a name, else the asker."""
    authors = {one.author.lower() for one in said if one.author}
    named = authors & set(terms.words(wish.about))
    if named:
        return [one for one in said if one.author.lower() in named]
    if _OF_ASKER.search(wish.about):
        return [one for one in said if one.role == Message.Role.USER]
    return list(said)


def _things(kind: Kind, said: Sequence[Message], frame: Sought, wish: QueryIntent) -> list[Thing]:
    there: dict[str, Thing] = {}
    for message in said:
        whole = frame.fits(message.content)
        for sentence in sentences(message.content):
            if speech_acts.asks(sentence) or _OF_OTHERS.search(sentence):
                continue
            fits = 0.7 * frame.fits(sentence) + 0.3 * whole
            for name in _in(kind, sentence, wish):
                thing = there.setdefault(name.lower(), Thing(name, fits=-1.0))
                if fits > thing.fits:
                    thing.fits, thing.sentence = fits, sentence
                    thing.messages.insert(0, message)
                else:
                    thing.messages.append(message)
    return list(there.values())


def _told(things: list[Thing]) -> list[Thing]:
    """The best of them: those that fit what else is asked, then those that were spoken of most.

    Who asks for several is not answered by one that only happens to be of the kind.
    """
    best = sorted(things, key=lambda one: (-one.fits, -len(one.messages)))[:_MOST]
    return best if len(best) > 1 or (best and best[0].fits >= events.FLOOR) else []


# --- What of a kind stands in a sentence ---------------------------------------------------------

_TITLE = re.compile(r"[\"“]([^\"“”]{2,60})[\"”]")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: (?:(?:of|the|and|&) )?[A-Z][\w'-]+)*")
_NO_NAME = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december christmas easter halloween".split()
)


def _in(kind: Kind, sentence: str, wish: QueryIntent) -> Iterator[str]:
    there = terms.words(sentence)
    forms = [{word} if _is_object(there, at) else _forms(word) for at, word in enumerate(there)]
    places: list[str] = []
    for thing, named in kind.things.items():
        for at in range(len(there) - len(thing) + 1):
            if all(one in form for one, form in zip(thing, forms[at:], strict=False)):
                name = " ".join(thing)
                if not named:
                    yield name
                elif _stands_alone(name.title(), sentence):
                    places.append(name.title())
                break
    yield from places
    if _is_of_places(kind):
        yield from _on_the_way(places, sentence)
    if kind.near and {terms.number(word) for word in kind.near} & {*map(terms.number, there)}:
        yield from _TITLE.findall(sentence) if kind.titles else _names(sentence, wish)


# Words for a thing as well as for what is done: forty boxes are no boxing.
_OBJECTS = frozenset("box boxes bowl bowls fence fences row rows board boards print prints".split())
_DOERS = frozenset("i we you he she they who to often also sometimes always and or can".split())


def _is_object(there: Sequence[str], at: int) -> bool:
    """Whether a word stands for a thing here: "a box", not "I box"."""
    return there[at] in _OBJECTS and (at == 0 or there[at - 1] not in _DOERS)


# What makes the name of a place part of a longer name.
_HOUSES = (
    r"(?:Hotel|Hostel|Casa|Villa|Pension|Restaurant|Caf[eé]|Bar|Pub|Club|Street|Road|Avenue|Lane"
    r"|Haus|Palace|Cinema|Theatre|Theater|Bistro|Trattoria|Pizzeria)"
)


_LONGER = re.compile(r"\b(?!(?:North|South|East|West|Central|Old|New)\b)[A-Z][\w’']+ $")


def _stands_alone(name: str, sentence: str) -> bool:
    """Whether the sentence names just this somewhere: "Casa Lima" is no Lima."""
    return any(
        not re.search(rf"\b{_HOUSES} $", before, re.IGNORECASE)
        and (_LONGER.search(before) is None or _begins(before))
        for found in re.finditer(rf"\b{name}(?! {_HOUSES}\b)", sentence)
        for before in (sentence[: found.start()],)
    )


def _begins(before: str) -> bool:
    """Whether it is but an ordinary word, with the capital of a beginning."""
    (word, *others) = terms.words(before)
    return not others and terms.is_ordinary(word)


def _is_of_places(kind: Kind) -> bool:
    return ("berlin",) in kind.things


_WAY = re.compile(
    r"\b(?P<how>from|to|via|through)\s+(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?)(?!['’\w])"
)


def _on_the_way(places: Sequence[str], sentence: str) -> Iterator[str]:
    """Names at either end of a way of which one is known: "from Berlin to Görlitz"."""
    if not places:
        return
    ways = [found["name"] for found in _WAY.finditer(sentence)]
    if not set(ways) & set(places):
        return
    for name in ways:
        if name not in places and not set(terms.words(name)) & _NO_NAME:
            yield name


@lru_cache(maxsize=20_000)
def _forms(word: str) -> frozenset[str]:
    """What a word may stand for: 'dogs' for 'dog', 'painted' and 'ran' for 'painting', 'running'.

    Nothing else: who shows something speaks of no show.
    """
    found = {word, kinds.singular(word)}
    doing = _doing().get(terms.number(word))
    return frozenset(found | ({doing} if doing else set()))


@made_once
def _doing() -> dict[int, str]:
    """What is done, by the number of its word: 'painting'."""
    return {
        terms.number(thing[0]): thing[0]
        for head in kinds.DOING
        for thing in kinds.named(head).things
        if len(thing) == 1 and thing[0].endswith("ing")
    }


def _names(sentence: str, wish: QueryIntent) -> Iterator[str]:
    """The names in a sentence, without those that are asked about."""
    asked = set(terms.words(wish.about))
    for found in _NAME.finditer(sentence):
        words = terms.words(found[0])
        begins = found.start() == 0
        ordinary = all(terms.is_ordinary(word) for word in words)
        strange = set(words) - terms.EMPTY and not set(words) & (asked | _NO_NAME)
        if strange and not (begins and ordinary):
            yield found[0].removesuffix("'s")
