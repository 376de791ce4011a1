"""Whether a sentence is about the past or the future, by the tense of its verbs.

Texts are in lower case, with straight apostrophes.
"""

import re

_TO_COME = re.compile(
    r"\b(?:will|shall|can|could|may|might|must|should|would|going to|gonna|(?:i|we|you|they)'(?:ll"
    r"|m|re)|i am|we are|is|are|need|wants?|hopes?|plans?|plan(?:ned|ning)"
    r"|(?:have|has|got) (?:an?|my|our|to|the)|due|birthday|appointment|interview|deadline|exam"
    r"|upcoming|com(?:es|ing)|until|till|by|lands?|stays?|meet(?:ing)?|see(?:ing)?|starts?|begins?"
    r"|opens?|leaves?|leaving|fly|flies|flying|moving|remind|remember to|ends?|expires?"
    r"|finish(?:es)?|runs? out|turns?|returns?|closes?|arrives?)\b|'(?:ll|s)\b"
)
_OVER = re.compile(
    r"\b(?:last|past|ago|previous|since|was|were|had|did|been|went|came|met|saw|took|bought|began"
    r"|got (?!an? |my |our |your |his |her |their |to |the )|left|flew|made|gave|told|said|found"
    r"|won(?!'t)|ran|wrote|read|lost|fell|paid|sent|sold|taught|caught|thought|brought|rang|drank"
    r"|sang|woke|forgot|felt|kept|heard|stood|sat|rode|grew|knew|threw|spoke|chose|built|broke|ate"
    r"|slept|drove|spent|\w{2,}(?<!ne)ed)\b"
)
# Words for feelings or arrangements that look like past forms.
_NOT_OVER = re.compile(
    r"(?:\b(?:am|is|are|be|feel|feeling|getting|so|very|really|quite|bit|little|too)|'m|'re|'s|^)"
    r" (?:not |still |already |all )?(?:\w+(?:ied|ed|en|een)|set)\b"
    r"|\b(?:i|we|you|they|he|she|it)(?:'?ve|'?s| has| have) got\b"
    r"|\b(?:half|quarter|five|ten|twenty|\d{1,2}) past\b"
    r"|\b(?:\w*excited|worried|scared|stressed|thrilled|terrified|nervous|prepared|supposed"
    r"|scheduled|planned|needed|speed|feed|wedding|wednesday)\b"
)
_ASKS_AHEAD = re.compile(
    r"\b(?:will|shall|won't|going to|gonna|coming|upcoming)\b|'ll\b"
    r"|\b(?:am i|are we|is \w{1,20}) (?:\w{1,20} )?\w{1,20}(?<!th)ing\b"
    r"|\bdo (?:i|we) have (?:to|on|planned|at|over|in)\b"
)
# Where another clause begins, whose tense may differ: "I rang them and have one on Friday".
_CLAUSE_ENDS = re.compile(r"[,.;!?]\s|\s(?:and|but|so|because|then)\s")
_SENTENCE_ENDS = re.compile(r"[.;!?]\s")


def is_past(text: str) -> bool:
    """Return whether a text is about the past."""
    return _OVER.search(_NOT_OVER.sub(" ", text)) is not None


def is_to_come(text: str) -> bool:
    """Return whether a text has a word for the future or present."""
    return _TO_COME.search(text) is not None


def asks_ahead(question: str) -> bool:
    """Return whether a question is about the future."""
    question = question.replace("’", "'")
    return _ASKS_AHEAD.search(question) is not None and not is_past(question)


def clause_of(text: str, start: int, end: int, *, alone: bool) -> str:
    """Return the clause around `text[start:end]`, without that part.

    If the clause has no tense and is not required `alone`, its sentence, else the whole text.
    """
    for ends_at in (_CLAUSE_ENDS, _SENTENCE_ENDS):
        first = max((match.end() for match in ends_at.finditer(text, 0, start)), default=0)
        behind = ends_at.search(text, end)
        clause = f"{text[first:start]} {text[end : behind.start() if behind else len(text)]}"
        if alone or is_to_come(clause) or is_past(clause):
            return clause
    return f"{text[:start]} {text[end:]}"
