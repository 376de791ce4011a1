"""Word lists in text files, one file per list."""

import re
from pathlib import Path


def load_lexicon(name: str) -> frozenset[str]:
    """Return the entries of `name`.txt, separated by commas."""
    text = Path(__file__).with_name(f"{name}.txt").read_text("utf-8")
    return frozenset(entry for part in text.split(",") if (entry := " ".join(part.split())))


def load_pairs(name: str) -> dict[str, str]:
    """Return the entries "a=b" of `name`.txt as a dictionary."""
    return dict(entry.split("=") for entry in load_lexicon(name))


def load_places() -> dict[str, str]:
    """Return the places in places.txt, each with the place that contains it."""
    text = Path(__file__).with_name("places.txt").read_text("utf-8")
    lines = re.findall(r"([^=]+)=([^\n]+)\n", text)
    return {name.strip(): around.strip() for names, around in lines for name in names.split(",")}


_UP_TO_NINETEEN = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {
    **{word: number for number, word in enumerate(_UP_TO_NINETEEN.split(), start=1)},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), start=2)},
}
"""Numbers that are written as words, in lower case."""
