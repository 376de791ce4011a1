"""Whether a person's own words bear a note out: a check that shares no code with the product's.

Strict and simple, for short English sentences. It may find fault with a note that somebody would
let pass; it must not let pass one that says what was not said.
"""

import re

_SMALL = frozenset(
    """a an and are as at be been being but by did do does for from had has have her his i in is it
    its me my no not of on or our she so that the their them they this to us was we were will with
    person user about who which there than then""".split()
)
_DENIAL = re.compile(
    r"\b(?:not?|never|none|nothing|without|stopped|quit|no longer|hates?|dislikes?)\b|n't"
)
# What makes a sentence another's, over, or only supposed; a note of it may not do without.
_CHANGES = frozenset(
    """used formerly once if unless might may maybe perhaps would could should want wants wish hope
    says said thinks told he she they someone somebody everybody friend sister brother mother father
    neighbour neighbours""".split()
)
_CLAUSE = re.compile(r"[.!?;]|, but ")


def unborne(note: str, said: str, *, value: str = "", loosely: bool = False) -> str:
    """Why a text of a person does not bear a note out; '' where it does.

    `value` is what a note says that the product worded by itself ("Lives in Leeds"): its words are
    looked for, and not the frame's. `loosely` is for what sums up many messages: no sentence of
    theirs need begin as it does.
    """
    own = _telling(value or note)
    if not own:
        return "says nothing"
    theirs = _words(said)
    for word in own:
        if not any(_alike(word, other) for other in theirs):
            return f"'{word}' was not said"
    nearest = max(_CLAUSE.split(said.lower()), key=lambda part: _shared(part, own))
    if bool(_DENIAL.search(nearest)) != bool(_DENIAL.search(note.lower())):
        return "denied by one and not by the other"
    return "" if loosely else _left_out(note, nearest, own, only_changes=bool(value))


def _left_out(note: str, clause: str, own: list[str], *, only_changes: bool) -> str:
    """What stands before the first word of the note in its clause, and not in the note."""
    note_words = _words(note)
    for word in _words(clause):
        if any(_alike(word, mine) for mine in own):
            return ""
        counts = word in _CHANGES if only_changes else word in _CHANGES or _tells(word)
        if counts and word not in note_words:
            return f"without '{word}'"
    return ""


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def _telling(text: str) -> list[str]:
    return [word for word in _words(text) if _tells(word)]


def _tells(word: str) -> bool:
    return word not in _SMALL and not word.endswith("n't")


def _alike(word: str, other: str) -> bool:
    return word[:4] == other[:4] and abs(len(word) - len(other)) <= 4


def _shared(part: str, own: list[str]) -> int:
    theirs = _words(part)
    return sum(any(_alike(word, other) for other in theirs) for word in own)
