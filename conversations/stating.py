"""Whether a text tells something, or only asks and orders.

Pure, as `asking` is: that reads what is wanted, this only whether anything was told beside it.
"""

import re

from conversations.asking import LEAD, read, sentences
from conversations.spelling import in_full

# A question that tells something all the same: "Did I tell you that I went to Rome?"
_TELLS = re.compile(
    r"(?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned)\b.* (?:that|i|i'm|we|my)\b"
    r"|(?:guess|(?:can|would) you believe|(?:did|do) you know"
    r"(?! (?:about|of|what|when|where|which|who|whether|if|how|why)\b))\b.*\b(?:i|i'm|we|my)\b"
    r"|.*, right\?$",
    re.IGNORECASE,
)
_BEGINS_TO_ASK = re.compile(
    r"(?:where|who|what|when|why|how|which)(?:'s| (?:is|are|was|were|do|does|did|can|should|would"
    r"|will|has|have)\b)|(?:do|does|did|can|could|should|will|would|is|are|was|were) (?:i|you|we)\b"
    r"|(?:tell me|explain|show me|find|search|look up|remind me) ",
    re.IGNORECASE,
)


def asks(sentence: str) -> bool:
    """Whether a sentence only asks something of who reads it, with or without a question mark."""
    plain = in_full(" ".join(sentence.replace("’", "'").split()))
    core = LEAD.sub("", plain)
    if _TELLS.match(core) or _TELLS.match(plain):
        return False
    return (
        plain.endswith("?")
        or any(map(_BEGINS_TO_ASK.match, (plain, core)))
        or read(plain) is not None
    )


# A yes, a no, a thank you, a greeting, or the word to write down what was said before. What is
# matched is never tried otherwise, or a thousand "please do" would take for ever.
_ANSWERS = re.compile(
    r"(?:(?:yes|yep|yeah|yup|sure|ok|okay|please|just|then|do it|do|go ahead|no|nope|nah|great"
    r"|thanks|thank you|don't|leave it|keep it|hi|hello|hey|cheers|there|again"
    r"|good (?:morning|afternoon|evening|night)"
    r"|(?:note|remember|keep|save|store) (?:it|that|this)(?: down)?(?: anyway)?)\b[\s.!,]*+)++",
    re.IGNORECASE,
)
# A request to note something tells it.
_ASKS_TO_NOTE = re.compile(
    r"(?:(?:can|could|would|will|do) you )?(?:please )?(?:note|remember|keep in mind|write down)"
    r"(?: down)? that\b",
    re.IGNORECASE,
)
_PURELY = re.compile(
    r"(?:what|which|who|whom|whose|when|where|why|how|since when|how long"
    r"|do|does|did|am|is|are|was|were|have|has|had|can|could|should|would|will|may|must)(?:n't)?\b"
    r"|(?:about|of|whether|if) ",
    re.IGNORECASE,
)


def only_directs(text: str) -> bool:
    """Whether a text tells nothing: a question, an order to the assistant, a yes, a no, a hello."""
    plain = in_full(" ".join(text.replace("’", "'").split()))
    return all(_ANSWERS.fullmatch(one.strip()) or asks(one) for one in sentences(plain))


# Asked, and nothing told by it: "have I told you about my job?", "what medicine do I take".
_NOTHING_TOLD = re.compile(
    r"(?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned)(?: you)?(?: anything)? ?"
    r"(?:about|of|what|whether|if|my)\b"
    r"|(?:what|which|how much|how many) (?:\w+ ){0,3}(?:do|did|am|have|was) (?:i|we)\b"
    r"|(?:am|do|did|was|is|are) (?:i|my|we)\b(?!.*\b(?:that|tell|told|mention))",
    re.IGNORECASE,
)


def only_asks(sentence: str) -> bool:
    """Whether a sentence is a question from its first word on, and states nothing beside it.

    "Do you know about my asthma?" does; "I have asthma, may I dive?" and "Did I tell you that I
    have asthma?" state something.
    """
    plain = in_full(" ".join(sentence.replace("’", "'").split()).strip(" \"'“”-"))
    core = LEAD.sub("", plain)
    if any(_NOTHING_TOLD.match(one) for one in (plain, core)):
        return True
    if any(states.match(one) for states in (_TELLS, _ASKS_TO_NOTE) for one in (plain, core)):
        return False
    return asks(sentence) and any(_PURELY.match(one) for one in (core, plain))


def is_all_questions(text: str) -> bool:
    """Whether all of a text only asks; a text without a sentence tells nothing and asks nothing."""
    parts = sentences(text)
    return bool(parts) and all(map(asks, parts))
