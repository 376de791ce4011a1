"""Who somebody is: the sentence that says it, before all that only speaks of them."""

import re
from collections.abc import Iterator

from conversations.models import Message
from conversations.notebook import nearest_quotes
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from memory.language.lexicons.lexicon import GIVEN_NAMES
from memory.language.queries.abbreviation_expansion import forms_of, in_full, pattern_of
from memory.language.queries.query_intent import QueryIntent
from memory.language.text import terms

_MOST = 3
_WHO_IS = re.compile(
    r"(?:who|whom|what)(?:'s|'re| is| are| was| were) (?P<whom>[\w' .-]{2,60}?)(?: again)?[ ?.!]*",
    re.IGNORECASE,
)
_OWN = r"(?:my|our|his|her|their|the|\w+'s)"
_BE = r"(?:'s|'re| is| are| was| were| will be)"
_CALLED = r"(?:(?: also)? (?:called|named))"
_ROLE = re.compile(rf"^{_OWN} ", re.IGNORECASE)


def defined(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """The latest sentences that say who a name stands for, or who fills a part."""
    asked = _WHO_IS.fullmatch(_plain(wish.sentence))
    whom = asked["whom"].strip() if asked else ""
    if not terms.telling(whom):
        return False
    shape = _shape(whom)
    with looking(made, "search_conversations", query=whom) as step:
        said = messages_with(prompt, whom)
        found = list(_told(said, shape))
        step.count = len(found)
        if not found:
            step.none_says(len(said), "who that is")
    if not found:
        return False
    made.say("From what was said:")
    for message, part in found[:_MOST]:
        made.point(line(message, part), used_message(message))
    return True


def messages_with(prompt: Prompt, whom: str) -> list[Message]:
    """What people said with these words, in whatever form, and that states something of them."""
    wanted = [form for word in terms.telling(whom) for form in forms_of(word)]
    return [
        message
        for message in word_mentions.with_any(prompt.question, wanted)
        if (message.role == Message.Role.USER or message.author)
        and any(nearest_quotes.tells(message, part) for part in sentences(message.content))
    ]


def _told(said: list[Message], shape: re.Pattern[str]) -> Iterator[tuple[Message, str]]:
    there: set[str] = set()
    for message in said:
        for part in sentences(message.content):
            says = shape.search(_plain(part))
            if not says or not _names_somebody(says):
                continue
            if nearest_quotes.tells(message, part) and part.lower() not in there:
                there.add(part.lower())
                yield message, part


def _names_somebody(says: re.Match[str]) -> bool:
    """Whether what follows a part is a name: "my flatmates are tom and priya", not "are noisy"."""
    given = says.groupdict().get("given")
    return not given or is_a_name(given)


def is_a_name(word: str) -> bool:
    """Whether a word is written as a name, or is a known one."""
    return word[0].isupper() or word in GIVEN_NAMES


def _shape(whom: str) -> re.Pattern[str]:
    """How a sentence says who it is: "X is my ...", "my ... is called X", "my ... X, who"."""
    stem = pattern_of(whom)
    name = stem + r"\b"
    if _ROLE.match(whom):
        # "My landlord is Frau Peters", "Frau Peters is my landlord", "my landlord, Frau Peters".
        return re.compile(
            rf"{name}(?:{_BE}{_CALLED}?|,)\s+(?:\w+\s+)?(?-i:[A-Z])|(?-i:[A-Z])\w+{_BE} {name}"
            rf"|{name} (?-i:[A-Z])|{name}{_BE}{_CALLED} \w|{stem}(?:'?s|') names?{_BE} \w"
            rf"|{name}{_BE} (?P<given>\w+)",
            re.IGNORECASE,
        )
    noun = r"(?:[\w-]+ ){0,3}?[\w-]+"
    return re.compile(
        rf"{name}(?:{_BE}|,)(?: (?:also|now|still|actually))? (?:(?:one of )?{_OWN}|an?) (?!bit\b"
        rf"|little\b|lot\b|few\b|same\b)\w"
        rf"|\b(?:my|our|the|his|her|their) {noun}{_BE}{_CALLED}? {name}(?!'s)\b"
        rf"|\b(?:my|our) (?!dear\b){noun},? {name}(?!'s)\b"
        rf"|\b{noun} (?:called|named) {name}(?!'s)\b",
        re.IGNORECASE,
    )


def _plain(text: str) -> str:
    return in_full(" ".join(text.replace("’", "'").split()))
