"""Limiting how much of a text is read: its beginning, without the inside of long runs.

A pattern that is quadratic in the length of a run takes minutes on a long line of dashes. So every
text is cut and its runs are replaced before it is read.
"""

import re
from itertools import chain

READ_CHARS = 8_000
"""Characters read of one text. The rest is kept and found by its words, and nothing else."""

READ_HERE_CHARS = 1_000
"""Characters up to which a text is read in the process that asks; a longer one in another."""

FILLER = "▒"
"""Stands for a character of a run that is not read."""

Stretch = tuple[int, int]
# Characters that stay at each end of a run: enough to recognise a line of dashes or empty lines.
_KEPT = 8
# One character 32 times, or two to twelve characters 16 times.
_RUN = re.compile(r"(.)\1{31,}|(.{2,12}?)\2{15,}", re.DOTALL)


def apply_budget(text: str, most: int = READ_CHARS) -> tuple[str, tuple[Stretch, ...]]:
    """Return the first `most` characters of a text with the inside of long runs filled.

    Also returns the unread parts as [start, end), in order. All other characters keep their place.
    """
    head = text[:most]
    inside = [_inside(match) for match in _RUN.finditer(head)]
    places = [0, *chain.from_iterable(inside), len(head)]
    read = [head[start:end] for start, end in zip(places[::2], places[1::2], strict=True)]
    filled = [FILLER * (end - start) for start, end in inside]
    made = "".join(chain.from_iterable(zip(read, [*filled, ""], strict=True)))
    tail = [(most, len(text))] if len(text) > most else []
    return made, (*inside, *tail)


def _inside(run: re.Match[str]) -> Stretch:
    """Return the unread part of a run: all but two repeats, or a few characters, at each end."""
    kept = max(_KEPT, 2 * len(run[1] or run[2]))
    return run.start() + kept, run.end() - kept
