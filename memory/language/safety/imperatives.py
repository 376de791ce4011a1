"""Whether a sentence is an order at all: how verbs stand at its head, in four languages.

A statement about a person is no order, and neither is a question; whoever leaves out the "I" ("work
at a bank", "love dogs") uses verbs of living and feeling, which are not listed here.
"""

import re
from collections.abc import Iterator

from memory.language.lexicons import load_lexicon

# Verbs that hardly ever begin anything but an order.
_ORDERS = load_lexicon("order_verbs")
# Verbs that are nouns too, or that people use of themselves: they order something, or somebody.
_WITH_OBJECT = load_lexicon("order_verbs_with_object")
_OBJECT = re.compile(
    r"(?:an?|the|this|that|these|those|your|all|every|each|any|some|it|them|him|only|as|whether|"
    r"how|what|why|which|with|between|two|three|five|ten|\d+|false|fake|wrong|incorrect|misleading|"
    r"die|das|den|der|dem|dies\w*|alle\w*|jede\w*|deine?\w*|eine?\w*|drei|zwei|"
    r"el|la|los|las|un|una|unos|unas|tus?|todo\w*|tres|dos|le|les|une?|des|ton|ta|tes|tout\w*)$"
)
# Verbs of one's own life, unless so continued: "think of you often" is none.
_CONTINUED = re.compile(
    r"(?:think (?:of|up) (?:an?|the|some|three|five|ten)|stir up|whip up|dream up (?:an?|the|some)|"
    r"talk (?:the|them|him|her|users?|readers?)|sound (?:like an?|as (?:if|though)|\w+ed|angry|"
    r"happy|sad)|bring up (?:the|how|that)|slip (?:in|into)|put in a good word|"
    r"work (?:an?|the) \w+ into|(?:let|get) the (?:user|reader|answer|summary|reply|response)\w*|"
    r"cast doubt|appeal to (?:the|fear|pity)|play on (?:the|their|his|her))\b"
)
LED_BY = frozenset(
    """
    please now then also just instead ok okay so and but first next finally kindly simply secretly
    always never only immediately bitte nun jetzt dann und aber einfach sofort immer
    por favor ahora luego y pero siempre s'il te vous plait plaît maintenant puis et mais toujours
    """.split()
)
# "Schreiben Sie": the polite order. "Können Sie" asks.
_POLITE = re.compile(
    r"^(?!(?:konnen|konnten|haben|hatten|sind|waren|wissen|mochten|kennen|wollen|werden|wurden|"
    r"glauben|denken|finden|meinen|durfen)\b)[a-z]+en sie\b"
)
_SENTENCE = re.compile(r"[^.!?\n;:]+[.!?;:]?")
_WORD = re.compile(r"[\w'+-]+")
_LONGEST_LEAD = 4


def orders(folded: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a folded text stand that are orders."""
    for match in _SENTENCE.finditer(folded):
        sentence = match[0].strip()
        if not sentence.endswith("?") and is_order(sentence):
            yield match.span()


def is_order(sentence: str) -> bool:
    """Whether a folded sentence begins like an order."""
    words = _WORD.findall(sentence[:200])
    lead = 0
    while lead < min(_LONGEST_LEAD, len(words)) and words[lead] in LED_BY:
        lead += 1
    rest = words[lead:]
    # "Lass uns morgen weiterreden": let us, not do.
    if len(rest) < 2 or (rest[0] == "lass" and rest[1] in {"uns", "mich"}):
        return False
    said = " ".join(rest)
    if rest[0] in _ORDERS or _POLITE.match(said) or _CONTINUED.match(said):
        return True
    return rest[0] in _WITH_OBJECT and bool(_OBJECT.match(rest[1]))
