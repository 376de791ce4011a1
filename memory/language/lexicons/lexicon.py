"""Word lists: the closed classes that patterns alone cannot know.

Everything is lower case. The lists are hand-written and short on purpose: they decide the cases
where spelling gives no hint ("im nick" against "im tired"), not the ordinary ones.
"""

from __future__ import annotations

from memory.language.lexicons import load_lexicon


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as prose."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The entries of a list that is written with commas, in one line or several."""
    return frozenset(" ".join(part.split()) for part in text.split(",") if part.strip())


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

OCCUPATIONS = load_lexicon("occupations")

# Names that are first of all words: after a mere "I'm" they need their capital.
WORD_NAMES = load_lexicon("word_names")

# Figures that people joke to be; "I'm Batman" is no introduction.
FIGURES = load_lexicon("figures")

# Words that follow "I'm" or "call me" and are never a name, however they are spelled.
NOT_NAMES = load_lexicon("not_names")

LANGUAGES = load_lexicon("languages")

INDUSTRIES = load_lexicon("industries")

WORKPLACES = load_lexicon("workplaces")

# Kinds of home that tell where somebody lives without naming a place.
DWELLINGS = load_lexicon("dwellings")

REGION_NAMES = {
    short: name for short, _, name in (pair.partition("=") for pair in load_lexicon("regions"))
}

COUNTRIES = load_lexicon("countries")

CITIES = load_lexicon("cities")

PLACES = CITIES | COUNTRIES | frozenset(REGION_NAMES.values())

KNOWN_ORGS = load_lexicon("known_orgs")


# Without what is more often something else: "I have a canoe", "I have insight".
VEHICLE_WORDS = load_lexicon("vehicle_words")

# Vehicles that "my" alone makes one's own ("my golf" is a game, "my ram" an animal).
OWN_VEHICLES = VEHICLE_WORDS - word_set("""
golf ram mini seat focus fiesta polo explorer accord bus smart ranger matrix rio soul spark volt
leaf juke rogue titan kicks quest odyssey pilot fit insight legacy eclipse lancer quad wheels cab
taxi skateboard canoe kayak forklift bulldozer ambulance rolls royce colorado lotus frontier
optima
""")

PET_WORDS = load_lexicon("pet_words")

# What "I have" says is owned, while "my hat" says little.
HAVEABLE = load_lexicon("haveable")

# What "my" and "I have" say is owned: things that tell something about a life.
OWNED = load_lexicon("owned")

KIN = load_lexicon("kin")
