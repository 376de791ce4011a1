"""Hurried English written out, for what is read of a question: "wats my rent" is "what's my rent".

Pure. What is stored and quoted keeps its own spelling; only the reading goes through here.
"""

import re

# As it is typed in a hurry, and as it is written out; one pair a line would fill a page.
_SHORT = {
    short: full
    for full, shorts in (
        ("what", "wat wot wut wht"),
        ("what's", "whats wats wots wuts"),
        ("who's", "whos"),
        ("where's", "wheres"),
        ("when's", "whens"),
        ("when", "wen"),
        ("how's", "hows"),
        ("that's", "thats"),
        ("about", "abt abut"),
        ("you", "u"),
        ("your", "ur"),
        ("please", "pls plz pleas"),
        ("thanks", "thx thnx tnx thanx"),
        ("because", "cuz coz cos bcos bcuz"),
        ("before", "b4"),
        ("right now", "rn"),
        ("by the way", "btw"),
        ("tomorrow", "tmrw tmr tmrow"),
        ("remember", "rember remeber rmbr"),
        ("I'm", "im"),
        ("I've", "ive"),
        ("don't", "dont"),
        ("doesn't", "doesnt"),
        ("didn't", "didnt"),
        ("can't", "cant"),
        ("isn't", "isnt"),
        ("wasn't", "wasnt"),
        ("haven't", "havent"),
        ("you're", "youre"),
        ("she's", "shes"),
        ("he's", "hes"),
    )
    for short in shorts.split()
}
# Only before these is the letter a verb: "do i know r" asks for the language.
_ARE = r"(?-i:r)(?= (?:my|the|your|ur|u|you|we|they|these|those)\b)"
_HURRIED = re.compile(
    rf"(?<![\w'’.@/-])(?:{_ARE}|{'|'.join(sorted(map(re.escape, _SHORT), key=len, reverse=True))})"
    r"(?![\w'’@/-]|\.\w)",
    re.IGNORECASE,
)


def expand_abbreviations(text: str) -> str:
    """The text with hurried words written out; whatever else there is stays as it is.

    A word with a capital in the middle of a sentence is a name: "Who is Frau Abt?"
    """
    return _HURRIED.sub(_full, text)


def _full(match: re.Match[str]) -> str:
    word, before = match[0], match.string[: match.start()].rstrip(" \"'“‘")
    if word[0].isupper() and (word[1:].isupper() or before[-1:] not in ("", *".!?,;:\n")):
        return word
    full = _SHORT.get(word.lower(), "are")
    return full[0].upper() + full[1:] if word[0].isupper() else full


# Nouns stay as they are typed, for whoever types them asks by them too; either finds the other.
_ALIKE = (
    ("girlfriend", "gf"),
    ("boyfriend", "bf"),
    ("birthday", "bday"),
    ("mum", "mom", "mam", "mother"),
    ("dad", "father"),
    ("sister", "sis"),
    ("brother", "bro"),
    ("grandma", "gran", "granny", "nan", "grandmother"),
    ("grandad", "grandpa", "grandfather"),
    ("boss", "chief", "supervisor"),
    ("university", "uni"),
)


def forms_of(word: str) -> tuple[str, ...]:
    """A word and the others for the same, in small letters: 'gf' for 'girlfriend'."""
    plain = word.lower()
    return next((alike for alike in _ALIKE if plain in alike), (plain,))
