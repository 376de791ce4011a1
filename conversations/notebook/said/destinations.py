"""'Which city am I moving to?': the place of a plan, as it was said, and none that is lived in."""

import re

from conversations.models import Message
from conversations.notebook import nearest_quotes
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions

_MOST = 2
_PLACE = (
    r"(?:city|town|village|country|place|state|region|district|part of (?:town|the country)|street)"
)
_ASKED = re.compile(
    rf"(?:where|(?:to |for )?(?:what|which) (?:new )?{_PLACE})"
    r"(?: exactly)? (?:(?:am|are|do|will|shall) (?:i|we)|i'm|we're|(?:i|we) (?:am|are|will|shall))"
    r"(?: (?:going to|gonna|about to|planning to|soon|be|actually|now|going))* "
    r"(?P<verb>mov(?:e|ing)|relocat(?:e|ing)|fly(?:ing)?|travel(?:l?ing)?|emigrat(?:e|ing))\b"
    r"[\w ]{0,40}[ ?.!]*",
    re.IGNORECASE,
)
# What is said of one kind of going, by the first letters of the verb.
_GOING = (
    ("mov reloc emig", "move moving relocate relocating emigrate emigrating"),
    ("fly trav", "fly flying flight travel travelling traveling"),
)
_MONTHS = (
    r"January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter"
)
# To a place by name, or to what stands in one: "to a bungalow in Ludlow".
_TO = (
    rf"(?:to|into|for|in|near) (?:the )?(?:(?!(?:{_MONTHS})\b)(?-i:[A-Z])\w"
    r"|(?!(?:a|an|be|the|my|our|his|her|their|this|that|it|me|us|do|get|have|some|stay|early|late"
    r"|time|\w+ing)\b)(?<=to )[a-z]\w+\b)"
)
# Who goes: "we shall be moving", "our move", not "I think my brother is moving".
_WE = (
    r"(?:\b(?:i|i'm|im|i'll|i'd|we|we're|we'll|we'd|us)\b"
    r"(?:(?!\b(?:my|our|he|she|they|his|her|their)\b)[^.!?;]){0,40}?|\b(?:my|our) )"
)


def where_to(prompt: Prompt, made: Answer) -> bool:
    """The latest sentences that say where the person is about to go; False where none does."""
    asked = _ASKED.fullmatch(" ".join(prompt.read_as.replace("’", "'").split()))
    if asked is None:
        return False
    verbs = _verbs(asked["verb"].lower())
    says = re.compile(rf"{_WE}\b(?:{'|'.join(verbs)})\b[^.!?]{{0,80}}?\b{_TO}", re.IGNORECASE)
    with looking(made, "search_conversations", query=verbs[1], mine=True) as step:
        found = [
            (message, part)
            for message in word_mentions.with_any(prompt.question, verbs)
            if message.role == Message.Role.USER and not message.author
            for part in sentences(message.content)
            if says.search(part.replace("’", "'")) and nearest_quotes.tells(message, part)
        ]
        step.count = len(found)
    if found:
        made.say("You said:")
    for message, part in found[:_MOST]:
        made.point(line(message, part), used_message(message))
    return bool(found)


def _verbs(verb: str) -> list[str]:
    return next(
        forms.split()
        for begins, forms in _GOING
        if any(verb.startswith(first) for first in begins.split())
    )
