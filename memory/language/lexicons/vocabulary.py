"""Things that people like to eat, hear, watch and do, as alternatives for patterns.

Unlike :mod:`lexicons.lexicon`, which decides doubtful cases, these lists name what is noticed
when somebody merely mentions it: "had some ramen", "saw Metallica". Hand-written, lower case, the
longest wording of a thing first where one begins another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory.language.lexicons import load_lexicon

Tree = dict[str, "Tree"]
_END = ""


def _alternatives(listed: Iterable[str]) -> str:
    """A pattern for the entries of a list; where one begins another, the longer.

    The entries share their beginnings, so that a word is compared letter by letter and not entry
    by entry: hundreds of names cost about as much as ten.
    """
    tree: Tree = {}
    for entry in listed:
        at = tree
        for letter in entry:
            at = at.setdefault(letter, {})
        at[_END] = {}
    return _pattern(tree)


def _pattern(tree: Tree) -> str:
    """The pattern of what may follow, letters before the end so that the longest entry wins."""
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in sorted(tree.items()) if letter]
    joined = ways[0] if len(ways) == 1 and _END not in tree else f"(?:{'|'.join(ways)})"
    return "" if not ways else joined + ("?" if _END in tree else "")


FOODS = _alternatives(load_lexicon("foods"))

KINDS_OF_FOOD = _alternatives(load_lexicon("kinds_of_food"))
