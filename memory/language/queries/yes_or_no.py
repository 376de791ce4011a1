"""Whether a short text says yes or no to what was asked before it."""

import re

from memory.language.lazy_pattern import compile_lazily

_LONGEST_YES = 60
_YES = r"(?:yes|yep|yeah|yup|sure|ok(?:ay)?|please(?: do)?|go ahead|do(?: it)?)"
_NO = (
    r"(?:no|nope|nah|no,? thanks?|no,? thank you|no need|not now|(?:please )?(?:don'?t|do not)"
    r"(?: (?:note|keep|save|remember|do)(?: (?:it|that|this))?(?: anyway)?)?|(?:i'd )?rather not"
    r"|(?:better|please) not|(?:leave|keep) (?:it|that)(?: (?:here|as it is|out))?|thanks?|please"
    r"|thank you)"
)
_SAYS_YES = compile_lazily(rf"\s*{_YES}(?:[\s,.!]+{_YES})*[\s.!]*", re.IGNORECASE)
_SAYS_NO = compile_lazily(
    rf"\s*(?!thank|please[\s.!]*$){_NO}(?:[\s,.!]+{_NO})*[\s.!]*", re.IGNORECASE
)


def read_yes_or_no(text: str) -> bool | None:
    """True for a yes, False for a no; None where a text says anything else besides."""
    plain = text.replace("’", "'")
    if len(plain) > _LONGEST_YES:
        return None
    if _SAYS_YES.fullmatch(plain):
        return True
    return False if _SAYS_NO.fullmatch(plain) else None
