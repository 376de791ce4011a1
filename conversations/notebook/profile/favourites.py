"""'What is my favourite film?': the one that was told, never all that is liked."""

import re
from collections.abc import Iterator

from django.urls import reverse

from accounts import words
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook import nearest_quotes
from conversations.notebook.answer_builder import NOTHING, Answer, line, on, used_message
from conversations.notebook.said import events
from conversations.prompt import Prompt
from memory.language.text import terms
from memory.models import ProfileFact

_FAVOURITE = r"(?:favou?rite|preferred|best[- ]loved)"
_MOST = r"(?:(?:the )?(?:best|most)|better than (?:any|all) others?)"
_KIND = r"(?P<kind>(?:(?!of\b|and\b|or\b)[\w'-]+ ?){1,3})"
_ASKED = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:what|which|who)(?:'s| is| are| was| were)? my (?:all[- ]time |very )?"
        rf"{_FAVOURITE} (?:kind of |sort of |type of )?{_KIND}\W*$",
        rf"\b(?:tell me|know|remember) my {_FAVOURITE} {_KIND}\W*$",
        rf"\b(?:what|which) (?:kind of )?{_KIND}(?:is|are) my {_FAVOURITE}\W*$",
        rf"\b(?:what|which) (?:kind of )?{_KIND}do i (?:like|love|enjoy|prefer) {_MOST}\W*$",
    )
)
_MY_FAVOURITE = re.compile(rf"\bmy (?:\w+ )?{_FAVOURITE}\b", re.IGNORECASE)
# One of several, or one that was, is no other answer.
_IS_NOW = re.compile(
    r"^(?!.*\b(?:one of my|(?:second|third|next|least|old|other|another|childhood) fav|was|were"
    r"|used to)\b)",
    re.IGNORECASE,
)
# How a favourite is kept, see memory.language.patterns.likes.favourites.
_KEPT = re.compile(r"(?P<value>.+?) \(favou?rite (?P<kind>[^)]+)\)")
_SLOTS = ("likes", "interests")
# Words for one kind.
_SAME = tuple(
    {terms.number(word) for word in same.split()}
    for same in (
        "film movie picture",
        "color colour",
        "food dish meal cuisine",
        "song track tune",
        "band group",
        "author writer",
        "book novel",
        "show series",
        "drink beverage",
        "town city",
        "hobby pastime",
    )
)


def favourite(prompt: Prompt, made: Answer) -> bool:
    """Say which is the favourite of the kind that is asked for, or that none was told.

    False for every other question.
    """
    kind = next((f["kind"].strip() for form in _ASKED if (f := form.search(_text(prompt)))), "")
    if not kind:
        return False
    here = [
        one.value
        for slot in _SLOTS
        for one in prompt.recall.overrides.get(slot, [])
        if _is_of(one.value, kind)
    ]
    facts = [fact for fact in _facts(prompt) if _is_of(fact.value, kind)]
    if here:
        made.say(f"In this conversation your favourite {literal(kind)}: {_listed(here)}.")
    elif facts and not any(prompt.recall.rivals(fact) for fact in facts):
        _tell(prompt, kind, facts, made)
    elif facts:
        return False
    elif not _point_to_what_was_said(prompt, kind, made):
        made.say(NOTHING)
    return True


def _tell(prompt: Prompt, kind: str, facts: list[ProfileFact], made: Answer) -> None:
    """The one that is noted; of several that were told at different times none is chosen."""
    if len({fact.source_message_id for fact in facts}) == 1:
        values = [_value(fact.value) for fact in facts]
        made.say(f"Your favourite {literal(kind)}: {_listed(values)}.", *facts)
        _tell_what_was_said_since(prompt, kind, facts, made)
        return
    latest_first = sorted(facts, key=lambda fact: fact.last_verified, reverse=True)
    values = [f"{_value(fact.value)} ({on(fact.last_verified)})" for fact in latest_first]
    made.say(
        f"I have noted more than one favourite {literal(kind)}: {_listed(values)}. Which of them "
        f"it is now I do not know; you can take the other out of "
        f"[your profile]({reverse('memory:profile')}).",
        *latest_first,
    )


def _tell_what_was_said_since(
    prompt: Prompt, kind: str, facts: list[ProfileFact], made: Answer
) -> None:
    """Another favourite that was named later and became no fact: then the note may be old."""
    noted = [_value(fact.value).lower() for fact in facts]
    heard = max(fact.last_verified for fact in facts)
    for message, part in _said(prompt, kind, made):
        another = not any(value in part.lower() for value in noted)
        if message.said_at > heard and another and _IS_NOW.search(part):
            made.say("But since then you said:")
            made.point(line(message, part), used_message(message))
            return


def _text(prompt: Prompt) -> str:
    return " ".join(prompt.read_as.replace("’", "'").split())


def _facts(prompt: Prompt) -> Iterator[ProfileFact]:
    for slot in _SLOTS:
        yield from prompt.recall.facts.get(slot, [])


def _listed(values: list[str]) -> str:
    return words.listed([literal(value) for value in values])


def _value(kept: str) -> str:
    found = _KEPT.fullmatch(kept)
    return found["value"] if found else kept


def _is_of(kept: str, kind: str) -> bool:
    """Whether what is kept is a favourite, of that kind."""
    found = _KEPT.fullmatch(kept)
    return found is not None and bool(_names(kind) & _names(found["kind"]))


def _names(kind: str) -> set[int]:
    """The last word of a kind and those that mean the same: 'Italian film' is a movie too."""
    head = {terms.number(word) for word in terms.words(kind)[-1:]}
    return next((same for same in _SAME if head & same), head)


def _said(prompt: Prompt, kind: str, made: Answer) -> Iterator[tuple[Message, str]]:
    """The sentences of the person's that name the favourite."""
    wanted = _names(kind)
    for one in events.look(prompt, made, prompt.read_as):
        message = one.passage.message
        for part in one.parts:
            there = {terms.number(word) for word in terms.words(part)}
            says = there & wanted and _MY_FAVOURITE.search(part)
            if says and not message.author and nearest_quotes.tells(message, part):
                yield message, part


def _point_to_what_was_said(prompt: Prompt, kind: str, made: Answer) -> bool:
    """Where the favourite became no fact."""
    for message, part in _said(prompt, kind, made):
        made.say("I find this:")
        made.point(line(message, part), used_message(message))
        return True
    return False
