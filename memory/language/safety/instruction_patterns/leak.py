"""Orders that ask for the assistant's own instructions."""

from memory.language.safety.instruction_patterns.words import EXPLAIN, PRECEPT, SAY, SHOW, YOUR, gap

_TELL = rf"(?:{SHOW}|{SAY}|{EXPLAIN}|quote|spell|hand over|read|lies|zitiere?|fass)"
_SETTING = (
    rf"(?:{PRECEPT}|set-?up|configuration|konfiguration|anleitung|anfangsanweisung\w*|"
    r"(?:system|start-?up|start|setup|opening)[- ]?(?:message|text|nachricht|befehl\w*))"
)

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
    # "Your prompt reply": the other word of that spelling.
    (
        rf"\b(?:{YOUR}|ur)\s+(?:\w+ ){{0,2}}?prompts?\b(?!\s+(?:and |\w+ )?(?:repl|resp|answ|"
        r"attent|action|help|deliver|serv|pay|assist|kind|friend|antwort))",
        False,
    ),
    (rf"\b{_TELL}\b[^.!?\n]{{0,30}}\b{YOUR}\s+(?:\w+ ){{0,3}}?{_SETTING}\b", True),
    (
        r"\b(?:what|which) (?:rules|instructions|guidelines|orders) (?:are|were|do|did|have) you\b|"
        r"\bwelche (?:regeln|anweisungen|vorgaben|befehle|texte|dokumente|auftrage)\b"
        r"[^.!?\n]{0,30}\b(?:du|dir|dich)\b|\b(?:regeln|anweisungen|vorgaben)\b[^.!?\n]{0,12}"
        r"\bnach denen du\b",
        False,
    ),
    (
        r"\bwas\b(?:(?!\bich\b)[^.!?\n]){0,50}\bdi(?:r|ch)\b(?:(?!\bich\b)[^.!?\n]){0,30}"
        r"\b(?:zu beginn|am anfang|anfangs|vorher|vor mir|eingeflustert|eingetrichtert|aufgetragen|"
        r"mitgegeben|verboten)\b",
        False,
    ),
    (
        r"\bwhat (?:did )?(?:the (?:system|developers?|admin|operator)|your (?:makers?|creators?|"
        r"developers?|owners?))\b[^.!?\n]{0,20}\b(?:tell|told|say|said|write|wrote|give|gave|"
        r"instruct\w*|order\w*)\b",
        False,
    ),
    (
        rf"\b(?:{SHOW}|{SAY}|wiederhol\w*)\b[^.!?\n]{{0,40}}\b(?:texte?|kontext|dokumente|zeilen|"
        r"verlauf|context|conversation|lines?)\b[^.!?\n]{0,12}\b(?:oben|davor|uber (?:dieser|"
        r"meiner)|above)\b",
        True,
    ),
    (
        rf"\b{SHOW}\b[^.!?\n]{{0,30}}\b(?:admin\w*(?:'s)? (?:password|passwort)|(?:password|"
        rf"passwort|"
        r"kennwort) (?:of|vom|des|der)\b)",
        True,
    ),
)
