"""Whether a text tells something, or only asks and orders.

`query_intent` reads what is wanted, this only whether anything was told beside it.
"""

import re

from memory.language.lazy_pattern import compile_lazily
from memory.language.queries.query_intent import LEAD, read_intent, split_sentences
from memory.language.text.abbreviation_expansion import expand_abbreviations

# A question that tells something all the same: "Did I tell you that I went to Rome?"
_TELLS = compile_lazily(
    r"(?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned)\b.* (?:that|i|i'm|we|my)\b"
    r"|(?:guess|(?:can|would) you believe|(?:did|do) you know"
    r"(?! (?:about|of|what|when|where|which|who|whether|if|how|why)\b))\b.*\b(?:i|i'm|we|my)\b"
    r"|.*, right\?$",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|have|has|had|can|could|should|would|will|wo)(?:n'?t)?"
)
# What follows "what" and "which" where nothing is asked: "what a day", "which my wife liked".
_NO_NOUN = (
    r"(?:an?|the|i|i'm|we|you|he|she|they|it|my|our|your|his|her|their|this|that|these|those|is|was"
    r"|case|lovely|great|nice|beautiful|wonderful|terrible|awful|rotten|if|with|happened|happens"
    r"|matters|counts|makes?|made|means?|meant|remains|really)\b"
)
# Hurried spelling too: "whos my boss", "wats the time", "what dont i like", "how often do i climb".
_BEGINS_TO_ASK = compile_lazily(
    r"(?:where|who|wh?at|wut|wot|when|why|how|which(?! is why))"
    r"(?:'?s\b| (?:is|are|was|were|do|does|did|can|should|would|will|has|have)\b)"
    rf"|(?:wh?at|which|whose|how)(?: [\w'-]+){{0,3}}? {_AUXILIARY} (?:i|u|you|we|my|he|she|they)\b"
    rf"|(?:where|who|when|why|since when) {_AUXILIARY} (?:i|u|you|we|my|he|she|they)\b"
    rf"|(?!ha(?:d|ve) my\b){_AUXILIARY} (?:i|u|you|we|my|he|she|they)\b"
    rf"|(?:(?:at|by|for|from|in|on|to|with) )?(?:wh?at|which|whose) (?!{_NO_NOUN})"
    rf"(?:[\w'-]+ ){{1,5}}?(?:{_AUXILIARY}|must|may)\b"
    rf"|(?:until|till?|since|by|from) (?:when|wh?at time) {_AUXILIARY}\b"
    r"|(?:tell me|explain|show me|find|search|look up|remind me"
    r"|list (?:all|every|everything|me|my|our|the|what|which)|show (?:all|every|my|our)) ",
    re.IGNORECASE,
)


# Nothing that is asked of the memory begins like this: most of what people say does, and is told
# from a question without trying one form after the other. "I want", "I forgot" may go on to ask.
_BEGINS_TO_TELL = re.compile(
    r"(?:i (?!(?:want|need|would|should|like|wonder|forgot|forget|may|can|might)\b)"
    r"|(?:we|he|she|they|it) |my (?![^.!?]*,))",
    re.IGNORECASE,
)


def is_question(sentence: str) -> bool:
    """Whether a sentence only asks something of who reads it, with or without a question mark."""
    return is_question_in_full(expand_abbreviations(" ".join(sentence.replace("’", "'").split())))


def is_question_in_full(plain: str) -> bool:
    """The same of a sentence with its hurried words written out."""
    core = LEAD.sub("", plain)
    if _TELLS.match(core) or _TELLS.match(plain):
        return False
    return (
        plain.endswith("?")
        or any(map(_BEGINS_TO_ASK.match, (plain, core)))
        or asks_of_oneself(plain)
        or (not _BEGINS_TO_TELL.match(core) and read_intent(plain) is not None)
    )


# Who says so wants to be told, though what is left without the courtesy may have the form of a
# statement: "remind me when I have the test", "the names of her two children, please".
_ASKS_TO_BE_TOLD = compile_lazily(
    r"\W*(?:please )?(?:remind|tell) me (?:of |about )?(?:again )?"
    r"(?:what|who|whom|whose|where|when|which|how|why|if|whether"
    r"|(?:in|on|at|to|from) (?:what|which|whom))\b"
    r"|\W*(?:the )?(?!(?:one|two|three|some|none|all|both|most|more|less|plenty|lots?|a)\b)"
    r"[\w-]+ of [^.!?]{3,60}?,? (?:please|pls|plz)\W*$",
    re.IGNORECASE,
)


def asks_to_be_told(sentence: str) -> bool:
    """Whether a sentence, with its courtesies, asks for something that was told."""
    return _ASKS_TO_BE_TOLD.match(sentence) is not None


def is_statement(sentence: str, author: str = "") -> bool:
    """Whether a sentence may answer: what only asks its reader answers nothing. `author` is who
    said it in a dialogue that was played back: there two people ask each other.
    """
    return not sentence.endswith("?") and (bool(author) or not is_question(sentence))


# A yes, a no, a thank you, a greeting, or the word to write down what was said before. What is
# matched is never tried otherwise, or a thousand "please do" would take for ever.
_ANSWERS = compile_lazily(
    r"(?:(?:yes|yep|yeah|yup|sure|ok|okay|please|just|then|do it|do|go ahead|no|nope|nah|great"
    r"|thanks|thank you|don't|leave it|keep it|hi|hello|hey|cheers|there|again"
    r"|good (?:morning|afternoon|evening|night)"
    r"|(?:note|remember|keep|save|store) (?:it|that|this)(?: down)?(?: anyway)?)\b[\s.!,]*+)++",
    re.IGNORECASE,
)
# A request to note something tells it.
_ASKS_TO_NOTE = compile_lazily(
    r"(?:(?:can|could|would|will|do) you )?(?:please )?(?:note|remember|keep in mind|write down)"
    r"(?: down)? that\b",
    re.IGNORECASE,
)
_PURELY = compile_lazily(
    r"(?:what|which|who|whom|whose|when|where|why|how|since when|how long"
    r"|do|does|did|am|is|are|was|were|have|has|had|can|could|should|would|will|may|must)(?:n't)?\b"
    r"|(?:about|of|whether|if) ",
    re.IGNORECASE,
)


def has_no_statement(text: str) -> bool:
    """Whether a text tells nothing: a question, an order to the assistant, a yes, a no, a hello."""
    plain = expand_abbreviations(" ".join(text.replace("’", "'").split()))
    return all(
        _ANSWERS.fullmatch(one.strip()) or is_question(one) for one in split_sentences(plain)
    )


# Asked, and nothing told by it: "have I told you about my job?", "what medicine do I take".
_NOTHING_TOLD = compile_lazily(
    r"(?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned)(?: (?:you|u))?"
    r"(?: anything)? ?(?:about|of|what|whether|if|my)\b"
    r"|(?:what|which|how much|how many) (?:\w+ ){0,3}(?:do|did|am|have|was) (?:i|we)\b"
    r"|(?:am|do|did|was|is|are) (?:i|my|we)\b(?!.*\b(?:that|tell|told|mention))",
    re.IGNORECASE,
)


def is_pure_question(sentence: str) -> bool:
    """Whether a sentence is a question from its first word on, and states nothing beside it.

    "Do you know about my asthma?" does; "I have asthma, may I dive?" and "Did I tell you that I
    have asthma?" state something.
    """
    plain = expand_abbreviations(" ".join(sentence.replace("’", "'").split()).strip(" \"'“”-"))
    core = LEAD.sub("", plain)
    if any(_NOTHING_TOLD.match(one) for one in (plain, core)):
        return True
    if any(states.match(one) for states in (_TELLS, _ASKS_TO_NOTE) for one in (plain, core)):
        return False
    return is_question(sentence) and any(_PURELY.match(one) for one in (core, plain))


# What only asks what is known of who asks: "What is my cat called?", "when did i go surfing", "I
# forgot where I parked". Hurried spelling is read as it is meant.
_HAIL = (
    r"(?:(?:hi|hello|hey|ok(?:ay)?|so|and|but|also|well|now|then|please|pls|thanks|sorry|um|hmm"
    r"|just|again|btw|by the way|quick question|one more thing)\b[ ,:.!]*)*"
)
_YOU = r"(?:you|u|ya)"
_WH = (
    r"(?:what|wh?at|wut|wot|which|who|whom|whose|when|where|since when"
    r"|how (?:old|often|long|many|much|big|tall|far|large|heavy|fast|late|early))"
)
_PROMPTS = (
    rf"(?:(?:(?:can|could|would|will) {_YOU} )?(?:please )?"
    r"(?:(?:tell|remind) me|look up|check|find out)(?: again)?|(?:any|no) idea"
    rf"|(?:do|did) {_YOU} (?:still |ever |happen to )*(?:know|remember|recall|note|have)"
    rf"|have {_YOU} (?:still |ever )?(?:got|noted|remembered)"
    r"|i (?:wonder|forgot|forget|have forgotten|(?:don'?t|do not|can'?t) (?:know|remember|recall)))"
)
_SOME = r"(?: (?!(?:i|we|you|he|she|it|they)\b)[\w'-]+){0,3}"
_OF_ONESELF = compile_lazily(
    rf"{_HAIL}(?:"
    rf"{_WH}{_SOME}?(?:'?s|'?re| is| are| was| were| r) (?:the [\w -]{{2,20}} of )?(?:my|our)\b"
    rf"|{_WH}{_SOME} (?:do|did|am|was|were|have|had)(?:n'?t)? (?:i|we)\b"
    rf"|{_WH}{_SOME} (?:do|does|did|has|have|had)(?:n'?t)? my\b"
    rf"|(?:which|how many) of my\b|my [\w' -]{{2,20}}, {_WH}(?:'?s| is| was| are| were)\b"
    r"|(?:do|did|am|was|were|have|had)(?:n'?t)? (?:i|we)\b"
    r"|(?:is|are|was|were|does|did|has) my\b.*\b(?:called|named|name)\b"
    rf"|{_PROMPTS},? (?:{_WH}{_SOME} (?:i|my|i'?m|we|our)\b|(?:anything |something )?about m[ey]\b"
    r"|the [\w -]{2,20} of my\b|my\b)"
    rf"|{_WH}{_SOME} (?:do|have|did) {_YOU} (?:know|remember|noted?|got|have|recall)\b.*\bmy\b"
    r")",
    re.IGNORECASE,
)
_ASKS_A_NAME = compile_lazily(
    rf"\bdo {_YOU} (?:still )?know my (?:[\w'-]+ ){{0,3}}(?:name|age|birthday|number|address)\b",
    re.IGNORECASE,
)
# Who asks for advice takes for granted what they ask it for, and who gives a reason tells it.
_ASKS_MORE = compile_lazily(
    r"\b(?:should|shall|could|can|would|might|must|ought|allowed|supposed|(?:how|what|where) to)\b"
    r"|\b(?:do|does) (?:i|we|my [\w'-]+) (?:need|do|get|buy|find|want|have to|fix|stop|make)\b"
    r"|\bam i (?:wrong|right|able|too|crazy)\b|\bnow that\b|\bbecause\b|\bsince (?:i|we|my)\b"
    r"|[,;:\u2013\u2014] ?(?:(?:and|but|so|because|as) )?(?:i|i'm|im|i've|ive|we|we're|she|he|it"
    r"|they|she's|he's|it's|my [\w'-]+ (?:is|was|has))\b",
    re.IGNORECASE,
)


def asks_of_oneself(sentence: str) -> bool:
    """Whether a sentence only asks what is known of who asks it: there is nothing to learn from it.

    "What is my cat called?" does; "Would you ride in my jeep?" and "What should I feed my cat?" ask
    others, and take for granted that there is a jeep and a cat.
    """
    plain = " ".join(sentence.replace("’", "'").split()).strip(" \"'“”-")
    if not _OF_ONESELF.match(plain):
        return False
    core = LEAD.sub("", plain)
    tells = any(map(_TELLS.match, (plain, core))) and not _NOTHING_TOLD.match(core)
    if tells and not _ASKS_A_NAME.search(plain):
        return False
    lead = re.match(rf"{_HAIL}{_PROMPTS}", plain, re.IGNORECASE)
    return not _ASKS_MORE.search(plain, lead.end() if lead else 0)


def is_all_questions(text: str) -> bool:
    """Whether all of a text only asks; a text without a sentence tells nothing and asks nothing."""
    parts = split_sentences(text)
    return bool(parts) and all(map(is_question, parts))


# --- A yes or a no to what was asked before -------------------------------------------------------

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
