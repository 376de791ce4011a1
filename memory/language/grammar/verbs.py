"""The forms of an English verb, so that a pattern names the verb and not each form of it."""

from __future__ import annotations

import re

from memory.language.lexicons import load_lexicon

_IRREGULAR = {said.split()[0]: said for said in load_lexicon("irregular_verbs")}
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")


def forms(verb: str) -> tuple[str, ...]:
    """All forms of a verb: "work", "works", "worked", "working"."""
    if verb in _IRREGULAR:
        return tuple(_IRREGULAR[verb].split())
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
    if verb.endswith("e"):
        return verb, third, f"{verb}d", gerund(verb)
    stem = f"{verb}{verb[-1]}" if _DOUBLED.fullmatch(verb) else verb
    return verb, third, f"{stem}ed", f"{stem}ing"


_PAST = {
    said.split()[2]
    for verb, said in _IRREGULAR.items()
    if verb not in {"be", "can", "quit", "read"}
}
_PAST |= set(
    "was were had fed led won met kept told stood slept built caught came got left".split()
)
_PRESENT = frozenset("need feed speed breed bleed seed weed shed embed exceed proceed".split())
SAME_IN_BOTH = frozenset({"read", "quit", "put", "let", "cut", "hit", "set", "bet", "cost"})
"""Verbs whose simple past looks like their present."""


def is_past(word: str) -> bool:
    """Whether a word can only be a simple past: "lived", "ate"; not "read"."""
    return word in _PAST or (word.endswith("ed") and len(word) > 3 and word not in _PRESENT)


def gerund(verb: str) -> str:
    """The -ing form of a verb: "run" is "running", "bake" is "baking", "ski" is "skiing"."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if _DOUBLED.fullmatch(verb) else f"{verb}ing"
