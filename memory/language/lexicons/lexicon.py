"""Word lists: months, numbers, given names and regions, in lower case."""

from __future__ import annotations

from memory.language.lexicons import load_lexicon


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as prose."""
    return frozenset(text.split())


MONTHS: dict[str, str] = {
    name: full
    for full in (
        "january february march april may june july august september october november december"
    ).split()
    for name in (full, full[:3], "sept" if full == "september" else full)
}

NUMBER_WORDS: dict[str, int] = {
    **{word: number for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen "
        "sixteen seventeen eighteen nineteen".split(), start=1)},
    **{word: 10 * number for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)},
}  # fmt: skip

GIVEN_NAMES = load_lexicon("given_names")

REGION_NAMES = {
    short: name for short, _, name in (pair.partition("=") for pair in load_lexicon("regions"))
}
