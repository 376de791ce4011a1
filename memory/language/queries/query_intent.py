"""Requests to the memory: questions about conversations, days, people and things.

Pure functions of words. Texts that are not understood give None, and statements are never requests.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.language.lazy_pattern import compile_lazily
from memory.language.safety.pattern_file import PatternFile

# In characters; longer texts are not requests to the memory.
MAX_INTENT_LENGTH = 300


class IntentKind(StrEnum):
    """What a request asks for."""

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
    """A request: kind, subject (in the user's words, '' for anything) and the whole sentence."""

    kind: IntentKind
    about: str = ""
    sentence: str = ""


# Requests with or without question mark; the other kinds need the form of a question.
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
    """Return the sentences of a text, with their punctuation."""
    return [sentence for sentence in _SENTENCE.split(text) if sentence and sentence.strip(_MARKS)]


def is_all_marked_questions(text: str) -> bool:
    """Return whether all sentences of a text end with a question mark."""
    parts = split_sentences(text)
    return bool(parts) and all(part.rstrip().endswith("?") for part in parts)


def of_sentence(sentence: str, core: str) -> QueryIntent | None:
    """Return the request in a sentence, else None; `core` is the result of `core_of`."""
    core = _PLEASE.sub("", core)
    asked = sentence.rstrip().endswith("?")
    for kind, form in _COMPILED:
        match = form.fullmatch(core)
        if match and (asked or kind in ORDER_KINDS or not _STATES.match(core)):
            return _as_intent(kind, match, sentence)
    return None


def core_of(sentence: str) -> str:
    """Return a sentence without polite phrases around it and ending punctuation."""
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
    """Return True for a yes, False for a no; None for anything else."""
    plain = text.replace("’", "'")
    if len(plain) > _LONGEST_YES:
        return None
    if _SAYS_YES.fullmatch(plain):
        return True
    return False if _SAYS_NO.fullmatch(plain) else None
