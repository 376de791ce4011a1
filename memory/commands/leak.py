"""Orders that ask for the assistant's own instructions."""

from memory.commands.words import PRECEPT, SHOW, YOUR, gap

PATTERNS = (
    (
        r"\bwhat (?:were|was|have|had) you (?:been )?(?:told|instructed|given|programmed|"
        r"prompted)\b",
        False,
    ),
    (
        rf"\b{SHOW}\b[^.!?\n]{{0,40}}\b(?:before|above|preceding|precedes?|hidden|secret|"
        rf"internal)\b"
        r"[^.!?\n]{0,20}\b(?:this|message|text|line|context|instructions|prompt)\b",
        True,
    ),
    (
        rf"\b{SHOW}{gap(4)}(?:{YOUR}|the|this|all|full|entire|samtliche?\w*|dein\w*)"
        rf"{gap(3)}prompt\b",
        False,
    ),
    (rf"\b{SHOW}{gap(3)}{YOUR}{gap(3)}{PRECEPT}\b", True),
    (r"\bcopy of the (?:full |entire |whole )?prompt\b|\bkopie des\b[^.!?\n]{0,30}\bprompt", False),
    (r"\bprompt[- ]?texte?s?n?\b(?=[^?]*(?:[.!]|$))", False),
    (
        rf"\bwhat (?:are|were|is|was) {YOUR}{gap(2)}{PRECEPT}\b|"
        rf"\bwas sind deine{gap(1)}{PRECEPT}\b",
        False,
    ),
    (
        r"\b(?:what|which|who)\b[^.!?\n]{0,40}\b(?:written|said|stands?|text|words|sentences?|"
        r"instructions?|prompt)\b[^.!?\n]{0,40}\b(?:above|before (?:the|this)|at the (?:beginning|"
        r"start|top)|in this prompt)\b",
        False,
    ),
    (
        r"\b(?:repeat|print|output|say) (?:everything|all|the (?:words|text|lines?)) (?:above|"
        r"before)\b",
        False,
    ),
    (r"\binformation in the prompt\b|\bwas steht (?:oben|am anfang|davor)\b", False),
    (rf"\b{SHOW}\b[^.!?\n]{{0,30}}\b(?:die |the )?(?:following|folgenden) (?:texts|texte)\b", True),
)
