"""What somebody asks of the memory: questions about conversations, days, people and things.

Pure: it reads words, no database and no clock. What is not understood is None, and nothing that
states something is a question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.language.lazy_pattern import compile_lazily
from memory.language.safety.pattern_file import PatternFile

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

_FORMS = PatternFile("../queries/query_forms.toml")
LEAD, _PLEASE, _TAIL, _STATES = map(_FORMS.compiled, ("lead", "please", "tail", "states"))
_SAYS_YES, _SAYS_NO = _FORMS.compiled("says_yes"), _FORMS.compiled("says_no")
_LONGEST_YES = 60
_SENTENCE = _FORMS.compiled("sentence", 0)
_MARKS = " .!?…"


def _compiled() -> Iterator[tuple[IntentKind, re.Pattern[str]]]:
    for kind, block in _FORMS.sections["forms"].items():
        joined = re.sub(r"\n {4}", "", re.sub(r"\n {4}_", " ", block))
        for form in joined.strip().split("\n"):
            yield IntentKind(kind), compile_lazily(_FORMS.composed(form.strip()), re.IGNORECASE)


_COMPILED = tuple(_compiled())


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with its mark."""
    return [sentence for sentence in _SENTENCE.split(text) if sentence and sentence.strip(_MARKS)]


def is_all_marked_questions(text: str) -> bool:
    """Return whether each sentence of a text ends with a question mark."""
    parts = split_sentences(text)
    return bool(parts) and all(part.rstrip().endswith("?") for part in parts)


def of_sentence(sentence: str, core: str) -> QueryIntent | None:
    """Return what one sentence asks, without courtesies; `core` is what `core_of` leaves."""
    core = _PLEASE.sub("", core)
    asked = sentence.rstrip().endswith("?")
    for kind, form in _COMPILED:
        match = form.fullmatch(core)
        if match and (asked or kind in ORDER_KINDS or not _STATES.match(core)):
            return _as_intent(kind, match, sentence)
    return None


def core_of(sentence: str) -> str:
    """Return a sentence without courtesies, its mark and the politeness around it."""
    plain = " ".join(sentence.replace("’", "'").split())
    return _TAIL.sub("", LEAD.sub("", plain).rstrip(_MARKS)).strip()


def _as_intent(kind: IntentKind, match: re.Match[str], sentence: str) -> QueryIntent:
    caught = match.groupdict()
    return QueryIntent(
        kind=kind,
        about=(caught.get("about") or "").strip(_MARKS + ",;:\"'“”"),
        sentence=sentence,
    )


def read_yes_or_no(text: str) -> bool | None:
    """Return True for a yes, False for a no; None if a text says anything else besides."""
    plain = text.replace("’", "'")
    if len(plain) > _LONGEST_YES:
        return None
    if _SAYS_YES.fullmatch(plain):
        return True
    return False if _SAYS_NO.fullmatch(plain) else None
