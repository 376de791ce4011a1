"""The guard: whether a text may be shared with others of a persona; all checks must pass.

Checks run in order, cheapest first. Each returns the words it objects to, so that the author can
use general terms; nothing is masked, because a mask shows that something was there. What no check
can detect (a described firm without its name, an agreed code word) is limited by row-level
security, see `memory.lessons.tables`.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from memory.language.safety import instructions, secrets, sensitivity
from memory.language.safety.instructions import Kind
from memory.lessons.guard import notation, private, specifics, vocabulary

__all__ = ["ShareVerdict", "check_shareable"]

SHORTEST, LONGEST, FEWEST_WORDS = 15, 300, 3
# Lessons are about people in general, so the threshold for private matters is high.
_SURELY_PRIVATE = 0.65
_ASKS_FOR_SECRETS = re.compile(
    r"\b(?:ask|tell|request|collect|send|share|give|forward|store|reveal|show|type|enter)\b.*\b"
    r"(?:passwords?|passcodes?|pins?|credentials?|(?:card|bank) (?:numbers?|details|accounts?)"
    r"|account numbers?|identity cards?|passports?|tokens?|secrets?|system prompts?)\b",
    re.IGNORECASE,
)
_WHY = {
    "length": f"Say it in {SHORTEST} to {LONGEST} characters, as one or two sentences.",
    "characters": "Use plain English letters and punctuation, and no addresses or initials: {}.",
    "number": "Leave out numbers, dates and amounts from a single case: {}.",
    "name": "This may be the name of a person, a place or a company: {}. Use a general term.",
    "unknown_word": "This may be a name, so use plain words instead: {}.",
    "capital": "If this isn’t a name, write it in lower case: {}.",
    "specific": "Write about people in general, not one person, company or occasion: {}.",
    "sensitive": "Leave out anything private: health, money, family and the like.",
    "instruction": "Say what helps, without giving the assistant orders.",
    "private": "Your own profile or memories say this: {}. Leave it out.",
    "quotation": "You said this word for word: “{}”. Say it in general terms.",
}


@dataclass(frozen=True)
class ShareVerdict:
    """Whether a text may be shared; `reason` is a code, `words` the objections (never log them)."""

    accepted: bool
    text: str = ""
    reason: str = ""
    words: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """What the author should change, as a sentence; '' if the text was accepted."""
        return _WHY[self.reason].format(", ".join(self.words)) if self.reason else ""


def check_shareable(
    text: str,
    *,
    terms: Collection[str] = (),
    private_values: Collection[str] = (),
    messages: Collection[str] = (),
) -> ShareVerdict:
    """Return the verdict on a text.

    `terms` are words of the field that are allowed besides plain English; `private_values` are the
    contributor's own values and names; of `messages`, their own, at most five words in a row may be
    repeated. Refusals do not depend on capitals.
    """
    plain = notation.canonical(text)
    field = frozenset(part for term in terms for part in vocabulary.tokens(term))
    for reason, test in _tests(field, private_values, messages):
        if stumbled := tuple(dict.fromkeys(test(plain))):
            return ShareVerdict(accepted=False, reason=reason, words=stumbled)
    return ShareVerdict(accepted=True, text=plain)


Test = Callable[[str], Iterable[str]]


def _tests(
    terms: Collection[str], own: Collection[str], messages: Collection[str]
) -> Iterable[tuple[str, Test]]:
    """Yield each check's reason code with a function that returns the words it objects to."""
    return (
        ("length", _of_odd_length),
        ("characters", notation.odd_characters),
        ("number", notation.odd_numbers),
        ("unknown_word", lambda text: vocabulary.unknown(vocabulary.tokens(text), terms)),
        ("name", lambda text: vocabulary.find_names(text, terms)),
        ("capital", lambda text: vocabulary.capitals(text, terms)),
        ("specific", lambda text: specifics.matches(text, "specific")),
        ("private", lambda text: private.values_in(private.words_of(text), own, terms)),
        ("quotation", lambda text: private.quotations_in(private.words_of(text), messages)),
        ("sensitive", _sensitive),
        ("instruction", _instructions),
    )


def _of_odd_length(text: str) -> list[str]:
    fits = SHORTEST <= len(text) <= LONGEST and len(text.split()) >= FEWEST_WORDS
    return [] if fits else [f"{len(text)} characters"]


def _sensitive(text: str) -> list[str]:
    private = sensitivity.is_private_text(text, _SURELY_PRIVATE)
    return [text] if private or secrets.holds_a_secret(text) else []


def _instructions(text: str) -> list[str]:
    order = instructions.judge_instruction_by_rule(text)
    # "Remind users that …" is normal in lessons, so orders to others are allowed.
    gives_orders = order.grave and order.reason is not Kind.OTHERS
    if gives_orders or _ASKS_FOR_SECRETS.search(text):
        return [text]
    return list(specifics.matches(text, "instruction"))
