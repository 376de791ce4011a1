"""Orders to an assistant in the languages that the English rules do not read.

An order is a verb as it is said to somebody, at the head of its clause, and with it what makes it
more than a task: it sets rules aside, holds from now on, keeps something from the person, or hands
out what is secret. Composed of concepts (`memory.language.safety.concepts`).
"""

import re

from memory.language.safety.concepts import holds, pattern, without, without_strokes
from memory.language.safety.instruction_patterns import Kind

_CLAUSE = re.compile(r"[^.!?;:,\n\u2013\u2014]+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_WORDS = re.compile(r"\w")
_QUOTED = re.compile(r"\"[^\"\n]{2,}\"|«[^»\n]{2,}»|(?<!\w)'[^'\n]{3,}'(?!\w)")


def kind_of(folded: str) -> Kind | None:
    """The kind of the first sentence of a folded text that is such an order, or None."""
    found = (_of_sentence(match[0]) for match in _SENTENCE.finditer(without_strokes(folded)))
    return next((kind for kind in found if kind is not None), None)


def _of_sentence(plain: str) -> Kind | None:
    if plain.endswith("?"):
        return None
    if _is_said(plain, "override_verb") and holds(plain, "rules_noun"):
        return Kind.OVERRIDE
    if _keeps_from_the_person(plain):
        return Kind.OTHERS
    if _is_said(plain, "reveal_verb") and holds(plain, "secret_noun"):
        return Kind.LEAK
    return _from_now_on(plain) if holds(plain, "persist") else None


def _keeps_from_the_person(plain: str) -> bool:
    if _is_said(plain, "silence"):
        return holds(plain, "user_noun")
    return _is_said(plain, "answer_verb") and holds(plain, "negation", "user_noun")


def _from_now_on(plain: str) -> Kind | None:
    if _is_said(plain, "promote_verb") and not holds(plain, "for_me"):
        return Kind.SHAPING
    if _is_said(plain, "comply_verb") and not holds(plain, "for_me"):
        return Kind.OTHERS
    if _is_said(plain, "answer_verb") and _QUOTED.search(plain):
        return Kind.WORDS
    return Kind.ROLE if holds(plain, "persona", "you_are") else None


def _is_said(plain: str, verb: str) -> bool:
    """Whether a clause begins with it, but for "please" and "from now on"."""
    return any(
        not _WORDS.search(without(clause[0][: found.start()], "persist", "lead"))
        for clause in _CLAUSE.finditer(plain)
        if (found := pattern(verb).search(clause[0])) is not None
    )
