"""What somebody asks of the memory: questions about conversations, days, people and things.

Pure: it reads words, no database and no clock. What is not understood is None, and nothing that
states something is a question.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memory.language.lazy_pattern import compile_lazily

# A question to the memory is short; a longer text tells something.
MAX_INTENT_LENGTH = 300


class IntentKind(StrEnum):
    """What is wanted."""

    LIST_TALKS = "list talks"
    SAID = "said"
    NOTES = "notes"
    OPEN = "open"
    KNOW = "know"
    BEFORE = "before"
    SINCE = "since"
    FORGET = "forget"
    FORGET_ALL = "forget all"
    NEVER_MIND = "never mind"
    UPCOMING = "upcoming"
    TIDY = "tidy"


@dataclass(frozen=True)
class QueryIntent:
    """What is wanted, about what (in the asker's own words, '' for anything).

    `sentence`: all of it, as it was asked.
    """

    kind: IntentKind
    about: str = ""
    sentence: str = ""


# These are wishes with or without a question mark; the others begin like a question.
ORDER_KINDS = frozenset(
    {
        IntentKind.LIST_TALKS,
        IntentKind.NOTES,
        IntentKind.SAID,
        IntentKind.FORGET,
        IntentKind.FORGET_ALL,
        IntentKind.NEVER_MIND,
        IntentKind.TIDY,
    }
)

# What stands before a question and belongs to no part of it.
LEAD = compile_lazily(
    r"^(?:(?:hi|hello|hey|ok|okay|so|and|but|also|well|now|then|please|thanks|quick question|"
    r"by the way|btw|um|hmm|just|again|i wonder|i forgot|i forget|i want to know|i'd like to know|"
    r"(?:can|could|would|will) you(?: please)?(?: tell me| remind me)?|"
    r"do you (?:still )?(?:know|remember|recall)(?! when (?:i|we|my|our)\b)|tell me|remind me|"
    r"do you(?= (?:know|remember|recall) when))\b[ ,:]*)+",
    re.IGNORECASE,
)
# In the middle of an order: "sum this up, please, in short". What would please somebody is none.
_PLEASE = compile_lazily(r"(?<!to)(?<!would)(?<!will),? please\b,?", re.IGNORECASE)
_TAIL = compile_lazily(
    r"[ ,]*\b(?:please|again|exactly|by the way|btw|do you know)$", re.IGNORECASE
)
# A title before a name ends no sentence: "Dr. Moll"; nor does a short word before a small letter,
# which is mostly one cut short: "approx. three".
_SENTENCE = compile_lazily(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\bProf\.)"
    r"(?<!\bRev\.)(?<=[.!?])\s+(?=[A-Z\d\"“])"
    r"|(?<=[!?])\s+(?=[a-z])|(?<=[a-z]{3}\.)(?<!approx\.)(?<!etc\.)(?<!incl\.)(?<!dept\.)\s+"
    r"(?=[a-z])|\n+"
)
_MARKS = " .!?…"


def _compiled() -> Iterator[tuple[IntentKind, re.Pattern[str]]]:
    read = tomllib.loads(Path(__file__).with_name("query_forms.toml").read_text(encoding="utf-8"))
    for kind, block in read["forms"].items():
        joined = re.sub(r"\n {4}", "", re.sub(r"\n {4}_", " ", block))
        for form in joined.strip().split("\n"):
            whole = form.strip()
            for name, part in read["parts"].items():
                whole = whole.replace("{" + name + "}", part)
            yield IntentKind(kind), compile_lazily(whole, re.IGNORECASE)


_COMPILED = tuple(_compiled())


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each with its mark."""
    return [one for one in _SENTENCE.split(text) if one and one.strip(_MARKS)]


def is_all_marked_questions(text: str) -> bool:
    """Return whether each sentence of a text ends with a question mark."""
    parts = split_sentences(text)
    return bool(parts) and all(part.rstrip().endswith("?") for part in parts)


def of_sentence(sentence: str, core: str) -> QueryIntent | None:
    """What one sentence asks, without courtesies; `core` is what `core_of` leaves."""
    core = _PLEASE.sub("", core)
    asked = sentence.rstrip().endswith("?")
    for kind, form in _COMPILED:
        match = form.fullmatch(core)
        if match and (asked or kind in ORDER_KINDS or not _STATES.match(core)):
            return _as_intent(kind, match, sentence)
    return None


def core_of(sentence: str) -> str:
    """A sentence, read without courtesies, without its mark and the politeness around it."""
    plain = " ".join(sentence.replace("’", "'").split())
    return _TAIL.sub("", LEAD.sub("", plain).rstrip(_MARKS)).strip()


# "When is best left open." or "Who knows": said and not asked.
_STATES = compile_lazily(r"(?:who knows|whose|when (?:is|are) best|what a)\b", re.IGNORECASE)


def _as_intent(kind: IntentKind, match: re.Match[str], sentence: str) -> QueryIntent:
    caught = match.groupdict()
    return QueryIntent(
        kind=kind,
        about=(caught.get("about") or "").strip(_MARKS + ",;:\"'“”"),
        sentence=sentence,
    )
