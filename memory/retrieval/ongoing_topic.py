"""Whether a message continues a topic the user is working on, or only asks.

"I finished the second chapter. What comes next?" continues: its answer needs the newest state, and
the assistant's own work counts like the user's words. "What did I read in May?" may mean any time.
Judged by words alone; when in doubt, a message only asks.
"""

import re

from memory.language.text.compression import split_lines_and_sentences

# "I" where a clause begins: not in "tell me what I said", which asks though it ends with a dot.
_TELLS = re.compile(
    r"(?:^|[,;:–—….]\s*"
    r"|\b(?:ok|okay|yes|yeah|no|well|so|and|but|because|since|now|hello|hi|hey|oh|ah|actually"
    r"|honestly|today|yesterday|also|just|maybe|then|still|plus|right|sure|great|good|thanks)\s+)"
    r"(?:i|we|my|our)\b"
)
# A sentence that asks without a question mark: "I wonder when that was".
_WONDERS = re.compile(
    r"\b(?:wonder(?:ing)?|(?:want|like) to know|tell me|remind me|remember|recall|forgot)\b"
)
# Whatever else is told, the asker wants to hear what was, or what would suit them.
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
