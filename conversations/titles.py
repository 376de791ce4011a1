"""What a conversation is called until its owner finds a better name: its words, and the time.

A title is a name with its time behind it, `dd-mm:HH:MM`. Wherever the day of a conversation stands
beside it, the name alone is shown.
"""

import re
from datetime import datetime

_STAMPED = re.compile(r"(.*\S) (\d\d-\d\d:\d\d:\d\d)", re.DOTALL)
_WORDS = 4
# A name that would end in a word that only leads to the next one goes on for at most two more.
_AT_MOST = 6
_LONGEST = 60
_LITTLE = frozenset(
    """
    a an the this that these those my your his her its our their some any no every each
    i you he she it we they me him us them who which what whose how when where why
    i'm i've i'd i'll you're he's she's it's we're they're there there's that's
    in of on at to for from with by about into onto over under near between than as like via per
    and or but so because if while though although until since before after then
    am is are was were be been being do does did have has had having will would can could shall
    should may might must don't didn't can't won't isn't not very really just also too
    """.split()
)


def title_from(text: str, at: datetime) -> str:
    """The first four words, or up to six where the fourth leaves them hanging, and the time."""
    return f"{_cut(' '.join(_first_words(text.split())))} {at:%d-%m:%H:%M}"


def name_and_stamp(title: str) -> tuple[str, str]:
    """A title that nobody has changed, as its words and its time; any other is all name.

    The name does not end in a mark that leads on to words that are not there.
    """
    found = _STAMPED.fullmatch(title)
    return (found[1].rstrip(",;:") or found[1], found[2]) if found else (title, "")


def is_made_of(title: str, text: str, at: datetime) -> bool:
    """Whether a title was made of the beginning of a text, however many words were taken of it."""
    words = text.split()
    made = (_cut(" ".join(words[:count])) for count in range(_WORDS, _AT_MOST + 1))
    return title in {f"{name} {at:%d-%m:%H:%M}" for name in made}


def _first_words(words: list[str]) -> list[str]:
    for count in range(_WORDS, min(len(words), _AT_MOST) + 1):
        if words[count - 1].lower().replace("’", "'") not in _LITTLE:
            return words[:count]
    return words[:_WORDS]


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
