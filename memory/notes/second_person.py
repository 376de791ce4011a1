"""Rewriting a user's sentence in the second person: "I moved" becomes "You moved".

Pure functions. A sentence that cannot be rewritten safely is quoted.
"""

import re

from memory.language.text import compression
from memory.notes.significance import significance_of

# In characters; longer sentences are cut to one clause.
LONGEST = 120
# Sentences with "you" address somebody else; rewriting would change whom they are about.
_SPEAKS_TO = re.compile(r"\byou(?:r|rs|rself)?\b|[\"“”«»]", re.IGNORECASE)
# "Remind me to buy wax" is an order; rewriting would lose its sense.
_ORDERS = re.compile(
    r"(?:please )?(?:remind|tell|show|give|send|help|let|call|wake|ask|teach|forgive|excuse|bring"
    r"|write|make|find|get|buy|book|read) (?:me|my|us|our)\b",
    re.IGNORECASE,
)
_BETWEEN = r"((?:\s+(?:just|also|never|always|really|still|only|already|\w+ly))*\s+)"
_TURNED = (
    (rf"\bi{_BETWEEN}(?:was|am)\b", None),
    (r"\b(was|am) i\b", None),
    (r"\bi(?:'m| am)\b", "you're"),
    (r"\bi wasn't\b", "you weren't"),
    (r"\bi was\b", "you were"),
    (r"\bi(?='(?:ve|d|ll)\b)", "you"),
    (r"\bi\b(?![.']\w)", "you"),
    (r"\bmyself\b", "yourself"),
    (r"\bmine\b(?! (?:shaft|field|worker))", "yours"),
    (r"\bmy\b", "your"),
    (r"\bme\b", "you"),
)
_PATTERNS = [(re.compile(shape, re.IGNORECASE), by) for shape, by in _TURNED]
# Openers without content.
_OPENERS = re.compile(
    r"^(?:(?:well|so|oh|ah|wow|hey|hi|hello|yeah|yes|yep|no|okay|ok|anyway|actually|honestly|basically"
    r"|you know|i mean|by the way|btw|and|but|also|thanks|thank you|haha|um|hmm)\b[\s,!.;–—-]*)+",
    re.IGNORECASE,
)
_JOINT = re.compile(r"(?:,? (?:and|but|so|because|although|though|while|which)|[;–—]|,)\s+")
_FEWEST_WORDS = 4


def in_second_person(sentence: str) -> str:
    """Return the sentence in the second person, else in quotation marks; questions unchanged."""
    text = sentence.replace("’", "'").strip()
    if text.endswith("?"):
        return text
    if _SPEAKS_TO.search(text) or _ORDERS.match(text):
        return text if text[:1] in '“"' else f"“{text}”"
    for pattern, by in _PATTERNS:
        text = pattern.sub(by if by is not None else _were, text)
    return text[:1].upper() + text[1:]


def _were(match: re.Match[str]) -> str:
    """Turn 'I still was' and 'was I' into 'you still were' and 'were you'."""
    if match[0].lower().startswith("i"):
        past = match[0].lower().endswith("was")
        return f"you{match[1]}{'were' if past else 'are'}"
    return f"{'were' if match[1].lower() == 'was' else 'are'} you"


def leading_clause(sentence: str) -> str:
    """Return the sentence without its opener; if long, only its start or best clause."""
    text = _OPENERS.sub("", sentence.strip()) or sentence.strip()
    if len(text) <= LONGEST:
        return text
    parts = [part.strip(" ,") for part in _JOINT.split(text)]
    whole = [
        clause
        for clause in parts
        if len(clause.split()) >= _FEWEST_WORDS and len(clause) <= LONGEST
    ]
    head = compression.truncate_at_clause(text, LONGEST)
    best = max(whole, key=significance_of, default=head)
    if significance_of(best) <= significance_of(head):
        return head
    return f"{'' if text.startswith(best) else '… '}{best}{'' if text.endswith(best) else '…'}"
