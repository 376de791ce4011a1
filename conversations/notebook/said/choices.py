"""'Which movers did I choose?': the sentence that decided it, not all that speaks of movers."""

import re
from dataclasses import dataclass

from conversations.models import Message
from conversations.notebook import nearest_quotes
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.said import events, kinds
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.summaries.extractive_summary import decides
from memory.language.text import terms

_ASKED = re.compile(
    r"\b(?:who|whom|what|which)\b(?P<kind>[\w' -]{0,60}?) (?:did|have|had) (?:i|we)"
    r"(?: (?:finally|already|just|both|all|end up|ended up|in the end))*"
    r" (?P<verb>choose|chosen|choosing|pick|picked|picking|select|selected|opt for|opted for"
    r"|hire|hired|decide|decided|settle|settled|agree|agreed|go with|gone with|going with|go for"
    r"|gone for|take|taken|book|booked|reserve|reserved|order|ordered)\b"
    r"(?P<rest>[\w' -]{0,80}?)[ ?.!]*$",
    re.IGNORECASE,
)
# What somebody ordered or booked is told to who asks for that.
_BUYING = re.compile(r"\b(?:order|book|reserv|cancel|sign(?:ed)? up|tak)\w*", re.IGNORECASE)
# By which the sentences are found.
_DECIDING = (
    "decided chose chosen picked selected opted hired settled agreed booked reserved ordered"
    " choose pick going went go take"
).split()
# How little of what it was chosen for a sentence may share, and what counts as well as the best.
_LEAST, _AS_WELL = 0.15, 0.9
_OF_KIND = 0.5
_MOST = 2


@dataclass(frozen=True)
class _Decision:
    fits: float
    message: Message
    sentence: str


def chosen(prompt: Prompt, made: Answer) -> bool:
    """The latest decision about it, word for word; False where none was told."""
    asked = _ASKED.search(" ".join(prompt.read_as.replace("’", "'").split()))
    if asked is None:
        return False
    about = f"{asked['kind']} {asked['rest']}".strip() or asked["verb"]
    with looking(made, "search_conversations", query=about) as step:
        buying = _BUYING.match(asked["verb"]) is not None
        found = _decisions(prompt, asked["kind"], about, buying=buying)
        step.count = len(found)
    if not found:
        return False
    made.say("From what was said:")
    for one in found:
        made.point(line(one.message, one.sentence), used_message(one.message))
    return True


def _decisions(prompt: Prompt, kind: str, about: str, *, buying: bool) -> list[_Decision]:
    """Those that fit best, the latest first: who decides anew has decided otherwise."""
    wanted = events.asked(prompt, about)
    known = kinds.kind_of(kind)
    found = []
    for message in word_mentions.with_any(prompt.question, _DECIDING):
        if message.role != Message.Role.USER or message.author:
            continue
        for part in sentences(message.content):
            fits_verb = buying or not _BUYING.search(part)
            if fits_verb and nearest_quotes.tells(message, part) and decides(part):
                of_kind = _OF_KIND * (known is not None and _holds(known, part))
                found.append(_Decision(wanted.fits(part) + of_kind, message, part))
    best = max((one.fits for one in found), default=0.0)
    if best < _LEAST:
        return []
    return [one for one in found if one.fits >= _AS_WELL * best][:_MOST]


def _holds(kind: kinds.Kind, text: str) -> bool:
    """Whether a thing of that kind stands in it."""
    there = [kinds.singular(word) for word in terms.words(text)]
    return any(
        tuple(there[at : at + len(thing)]) == thing
        for thing in kind.things
        for at in range(len(there))
    )
