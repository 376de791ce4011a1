"""Whether a message continues a topic that the user is working on, or only asks.

"I finished the second chapter. What comes next?" continues: the answer needs the latest state, and
the assistant's messages count like the user's. "What did I read in May?" may be about any time.
Judged by words alone; in doubt, a message only asks.
"""

import re

from memory.language.text.compression import split_lines_and_sentences

# "I" at the beginning of a clause; not in "tell me what I said", which asks without a question
# mark.
_TELLS = re.compile(
    r"(?:^|[,;:–—….]\s*"
    r"|\b(?:ok|okay|yes|yeah|no|well|so|and|but|because|since|now|hello|hi|hey|oh|ah|actually"
    r"|honestly|today|yesterday|also|just|maybe|then|still|plus|right|sure|great|good|thanks)\s+)"
    r"(?:i|we|my|our)\b"
)
# Asking without a question mark: "I wonder when that was".
_WONDERS = re.compile(
    r"\b(?:wonder(?:ing)?|(?:want|like) to know|tell me|remind me|remember|recall|forgot)\b"
)
# The user asks about the past or for advice, even if they also state something.
_LOOKS_BACK = re.compile(
    r"\bremind me (?!to\b)"
    r"|\b(?:what|which|who|where|when|how(?: \w+)?)(?: \w+){0,3}? did (?:i|we|you|my)\b"
    r"|\b(?:what|which|who|where) (?:was|were)\b"
)
_ASKS_ADVICE = re.compile(
    r"\b(?:suggest(?:ions?)?|recommend(?:ations?)?|advi[sc]e|tips|ideas?|options|help me"
    r"|(?:what|which) (?:kind|sort|type)s?)\b"
)


def goes_on(lower: str) -> bool:
    """Return whether a text, in lower case with straight apostrophes, continues a topic."""
    states_something = any(map(_is_told, split_lines_and_sentences(lower)))
    return states_something and not _LOOKS_BACK.search(lower) and not _ASKS_ADVICE.search(lower)


def _is_told(sentence: str) -> bool:
    asks = sentence.endswith("?") or _WONDERS.search(sentence)
    return not asks and _TELLS.search(sentence) is not None
