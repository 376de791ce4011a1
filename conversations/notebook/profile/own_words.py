"""What somebody told of themselves in so many words: address, company, age."""

import re
from datetime import date, datetime

from django.utils.timezone import localtime

from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook import nearest_quotes
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from memory.language.dates import time_expressions
from memory.language.queries.abbreviation_expansion import in_full

# --- Where one lives, and with whom --------------------------------------------------------------

_WHERE = re.compile(
    r"where (?:do i|am i|i)(?: now| currently)? (?:live|living|stay|staying)(?: now)?"
    r"|(?:what(?:'s| is)|where(?:'s| is)) my (?:current |new |home )?"
    r"(?:address|flat|house|apartment|place|home)(?: now)?",
    re.IGNORECASE,
)
_NO_PLACE = r"(?:am|pm|o'clock|degrees|minutes|hours|days|weeks|months|years|percent|km|miles|of)"
_NUMBERED = rf"\d{{1,4}}[a-z]?,? (?!{_NO_PLACE}\b)[a-z]"
_STREET = (
    r"(?:[\w'-]+ ){1,3}(?:street|st|road|rd|lane|avenue|ave|drive|close|court|square|terrace"
    r"|crescent|gardens|row)\b"
)
# "I live at 47 Mutley Plain", "moved into the new flat, it's 14 Camden St", "my address is".
_ADDRESS = re.compile(
    r"\bi(?:'m|'ve| am| have)?(?: (?:now|just|still|currently|also))* (?:live|living|staying|moved)"
    rf"\b(?: \w+){{0,5}}? (?:at|in|on|to|into)(?: \w+)?? (?:{_NUMBERED}|{_STREET})"
    r"|\b(?:moved|moving) (?:in|into|to)\b.{0,60}\b(?:it's|its|it is|at|address is)"
    rf" (?:{_NUMBERED}|{_STREET})"
    rf"|\bmy (?:new |home )?(?:address|flat|house|place)(?:'s| is)(?: at| on| in)? (?:{_NUMBERED}"
    rf"|{_STREET})",
    re.IGNORECASE,
)
_WITH_WHOM = re.compile(
    r"(?:who|whom) (?:do|am) i (?:now |currently )?(?P<deed>live|living|share|sharing|work|working"
    r"|train|training|play|playing|travel|travelling)(?: [\w ]{1,30}?)? with(?: now)?",
    re.IGNORECASE,
)
_HOUSEMATES = r"|\bmy (?:flat|house|room)mates?\b"
_AT_HOME = ("live", "living", "share", "sharing")


def told(prompt: Prompt, made: Answer) -> bool:
    """Quote the latest sentence of theirs that says where they live, or with whom they do it."""
    core = prompt.question.reading.core
    if _WHERE.fullmatch(core):
        wanted = ["live", "living", "move", "stay", "address", "flat", "house", "place"]
        return _quote(prompt, made, wanted, _ADDRESS)
    if found := _WITH_WHOM.fullmatch(core):
        deed = found["deed"].lower()
        at_home = deed in _AT_HOME
        stem = "(?:liv|shar)" if at_home else re.escape(deed.removesuffix("ing").removesuffix("e"))
        shape = (
            rf"\b(?:i|i'm|i am|i've been|we)(?: \w+){{0,2}}? {stem}\w*(?: \w+){{0,5}}? with"
            rf" (?!(?:it|this|that|these|those)\b){_HOUSEMATES if at_home else ''}"
        )
        wanted = ["live", "living", "share", "flatmate", "housemate", "roommate"]
        return _quote(prompt, made, wanted if at_home else [deed], re.compile(shape, re.IGNORECASE))
    return False


def _quote(prompt: Prompt, made: Answer, wanted: list[str], shape: re.Pattern[str]) -> bool:
    """The latest of their sentences with any of these words that has the shape."""
    with looking(made, "search_conversations", query=" ".join(wanted), mine=True) as step:
        found = next(
            (
                (message, part)
                for message in word_mentions.with_any(prompt.question, wanted)
                if message.role == Message.Role.USER and not message.author
                for part in reversed(sentences(message.content))
                if shape.search(_plain(part)) and nearest_quotes.tells(message, part)
            ),
            None,
        )
        step.count = found is not None
    if found is None:
        return False
    made.say("From what was said:")
    made.point(line(*found), used_message(found[0]))
    return True


def _plain(text: str) -> str:
    return in_full(" ".join(text.replace("’", "'").split()))


# --- How old one is ------------------------------------------------------------------------------

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def age(prompt: Prompt, made: Answer) -> bool:
    """How old somebody is today, from a day of birth with a year; False where none is noted."""
    facts = prompt.recall.facts.get("birthday", [])
    known = "age" in prompt.recall.facts or "age" in prompt.recall.overrides
    if prompt.asked[:1] != ("age",) or known or not facts or prompt.recall.is_disputed("birthday"):
        return False
    born = _day(facts[0].value, prompt.question.said_at)
    today = localtime(prompt.question.said_at).date()
    if born is None or born > today:
        return False
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    made.say(f"You are {years}: your birthday is {literal(facts[0].value)}.", facts[0])
    return True


def _day(text: str, said_at: datetime) -> date | None:
    """The day of birth, where its year was told with it."""
    spans = time_expressions.named(text, said_at)
    if len(spans) != 1 or spans[0].first != spans[0].last or not _YEAR.search(text):
        return None
    return spans[0].first
