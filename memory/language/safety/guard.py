"""What must not be noted, however well it reads: wishes to forget, secrets, and orders."""

import re
import unicodedata

from memory.language.engine.whitespace import evened
from memory.language.safety import instructions, secrets
from memory.language.text.terms import content_words

# "Forget that I live in Rome" says where somebody lives and asks for the opposite of a note.
_KEEP = (
    r"(?:remember|note|save|keep|store|record|hold on to|write (?:(?:this|that|it) )?down"
    r"|put (?:this|that|it|any of (?:this|that)) (?:in|on))"
)
_KEPT = r"(?:remembered|noted|saved|kept|stored|recorded|written down)"
_KEEPING = r"(?:remembering|noting|saving|keeping|storing|recording|holding on to|writing down)"
_FORGET = re.compile(
    r"(?:^|[.!?;:,\n]\s*(?:(?:but|and|so|just)\s+)?|\b(?:please|pls|plz)\s+"
    r"|\b(?:can|could|would|will) you\s+|\blet'?s\s+"
    r"|\byou (?:can|may|should|must)\s+|\b(?:want|need|ask|like) you to\s+)"
    r"(?:forget|unlearn|erase|delete|remove|stop (?:remembering|noting)|"
    rf"(?:don'?t|do not|never)\s+(?:{_KEEP}|mention(?! it\W*$)|bring (?:[\w']+ ){{0,3}}up))\b"
    r"(?!\s+to\b)",
    re.IGNORECASE,
)
# The same without an order: "you don't need to note that", "I'd rather you didn't keep it", "leave
# that out of your notes".
_RATHER_NOT = re.compile(
    r"\b(?:you|u) (?:(?:do not|don'?t) (?:need|have) to|needn'?t|(?:should|must)(?: not|n'?t))"
    rf" (?:{_KEEP}|be {_KEEPING})\b(?=\W*$|\s+(?:this|that|it|what|any|my|the)\b)"
    rf"|\bno need to {_KEEP}\b"
    r"|\b(?:rather|prefer(?: that| if)?|glad if|happier if) you (?:did not|didn'?t|do not|don'?t)"
    rf" {_KEEP}\b"
    rf"|\b(?:do not|don'?t) (?:want|like|need) (?:you to {_KEEP}|(?:this|that|it) {_KEPT})\b"
    r"|\b(?:this|that|it)(?:'s| is| was)?(?: not|n'?t) (?:for|to be|something to|meant to be)"
    rf" (?:the record|{_KEEPING}|{_KEPT}|{_KEEP})\b|\bnot for the record\b"
    r"|\b(?:leave|keep|take) [\w' ]{1,30} out of (?:your|the|my)"
    r" (?:notes?|memory|profile|records?)\b",
    re.IGNORECASE,
)
_IT = r"(?:this|that|it|what i (?:said|told you|just (?:said|told you)))"
_OFF_THE_RECORD = re.compile(
    r"\boff the record\b|\bbetween (?:you and me|us)\b|\bthis stays between\b"
    rf"|\bkeep {_IT} (?:strictly |all )?(?:to yourself|to ourselves|secret|a secret|private|quiet"
    r"|confidential|under your hat)\b"
    rf"|\b(?:don't|do not|please never|never) (?:tell|pass|share|repeat|mention) {_IT}"
    r"(?: on)?(?: (?:to|with))? (?:anyone|anybody|a soul|others|any other person|on)\b"
    r"|\b(?:don't|do not) tell (?:anyone|anybody|a soul)\b|\bnot a word (?:of this )?to an\w+\b"
    r"|(?:^|[.!?,;:]\s*)(?:this|what i (?:say|said|told you))(?: is|'s) (?:strictly )?"
    r"(?:confidential|a secret|in confidence|private)\b"
    r"|\b(?:i (?:am telling|tell)|i'm telling) you (?:this |that )?in confidence\b"
    r"|\b(?:nobody|no one)(?: else)? (?:may|must|should|is to) know\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.!?;:,\n]+(?:\s+|$)(?:(?:but|and|so)\s+)?|\s+but\s+")
# A clause of fewer telling words only leads to the wish: "please, forget it".
_TELLS = 2
NEVER_KEPT = (
    "That looks like a password, a key or a card number. I never note those; it stands in your "
    "message until you take that out."
)
INSTRUCTION_REFUSAL = (
    "That reads like an instruction to me rather than something about you. "
    "Say what is so, or how you like things done."
)

# Characters that leave no mark of their own: controls, joiners, marks of direction, fillers.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]"
)


def asks_to_forget(text: str) -> bool:
    """Whether the text asks that something be forgotten or not be noted in the first place."""
    plain = evened(text.replace("’", "'"))
    asks = _FORGET.search(plain) or _RATHER_NOT.search(plain)
    return asks is not None or asks_for_silence(text)


def asks_for_silence(text: str) -> bool:
    """Whether the text asks that what it says be kept between the two who talk."""
    return bool(_OFF_THE_RECORD.search(evened(text.replace("’", "'"))))


def tells_beside_a_wish(text: str) -> bool:
    """Whether a text that asks to forget or not to note something has a clause that tells more."""
    clauses = [one for one in _CLAUSE_END.split(evened(text.replace("’", "'"))) if one.strip()]
    return any(len(content_words(one)) >= _TELLS for one in clauses if not asks_to_forget(one))


def holds_a_secret(text: str) -> bool:
    """Whether a password, a key or a card number stands in it."""
    # Full-width and other stand-in letters are read as the ones they stand for.
    plain = unicodedata.normalize("NFKC", text)
    return secrets.holds_a_secret(text) or (plain != text and secrets.holds_a_secret(plain))


def explain_refusal(text: str, *, by_rules_alone: bool = False) -> str:
    """Why a text may not be kept as a note or a fact, in words for its writer; '' when it may.

    `by_rules_alone`: without the trained judge of orders, for what surely tells of a life.
    """
    if not any(letter.isalnum() for letter in unicodedata.normalize("NFKC", text)):
        return "Write a few words to keep."
    if UNSEEN.search(text):
        return "There are characters in it that cannot be seen. Type it anew, please."
    if holds_a_secret(text):
        return NEVER_KEPT
    judged = instructions.judge_instruction_by_rule if by_rules_alone else instructions.instructs
    return INSTRUCTION_REFUSAL if judged(text).refused else ""


def classify_refusal(text: str) -> str | None:
    """Why a text that somebody asks to have remembered must not be kept, in one word, or None.

    "secret", "forget", or the kind of instruction it is (`safety.instruction_patterns.Kind`).
    """
    if holds_a_secret(text):
        return "secret"
    if asks_to_forget(text):
        return "forget"
    return instructions.instructs(text).reason
