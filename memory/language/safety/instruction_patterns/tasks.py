"""Tasks to be done now."""

from memory.language.safety.instruction_patterns.words import DO, EXPLAIN, MAKE, ORDERS, PIECE

_THIS = (
    r"(?:an?|the|this|that|these|those|following|one|two|three|five|ten|ein|eine[nrsm]?|das|die|"
    r"den|"
    r"der|folgende\w*|une?|una|unos|unas|el|la|los|las|le|les|l'|it|esto|eso|dies\w*|"
    r"ceci|cela|everything|alles|todo|tout|\d+)"
)
_ME = r"(?:(?:me|us|mir|uns|sie|mal|moi|nous)\s+)*"
_OPENED = (
    r"(?:^|[.!?:;\n\"'-]\s*|\b(?:please|now|then|bitte|nun|jetzt|mal|por favor|ahora|maintenant|"
    r"s'il (?:te|vous) plait),?\s+)"
)
PATTERNS = (
    (rf"{_OPENED}{MAKE}'?\s+{_ME}{_THIS}\b", True),
    (rf"{_OPENED}{MAKE}'?\s+(?:me|mir|us)\b", True),
    (
        rf"{_OPENED}{EXPLAIN}\s+{_ME}(?:{_THIS}|why|how|what|when|who|where|warum|wie|was|por que|"
        r"como|pourquoi|comment|between)\b",
        True,
    ),
    (rf"{_OPENED}{DO}\s+{_ME}{_THIS}\s+(?:\S+\s+){{0,4}}{PIECE}\b", True),
    (
        rf"{_OPENED}(?:determine|check|verify|decide|guess|predict|tell me|find out|"
        rf"see)\s+(?:whether|if|"
        r"how many|which)\b",
        True,
    ),
    (
        r"^[^\w\n]*(?:break down|walk me through|come up with|figure out|look up|set up|"
        r"work out)\b",
        True,
    ),
    (
        rf"{_OPENED}{MAKE}\s+(?:sie\s+)?(?:\w+\+\+|c\+\+|python|java\w*|html|sql|code|rust|bash)",
        True,
    ),
    (
        r"\bcan you (?:show|give|write|make|generate|create|draft|compose)\s+(?:me\s+)?an?\b"
        r"[^.!?\n]{0,40}\b(?:function|poem|story|essay|script|letter|code|program|song)\b",
        False,
    ),
    (
        r"\b(?:answer|beantworte\w*|beantworten|responde|reponds?|reponde[zr]?|help me with|"
        r"hilf mir "
        r"(?:nun |jetzt )?(?:mit|bei)|hilfe bei|help with)\b[^.!?\n]{0,20}\b(?:following|"
        r"folgende\w*|"
        r"siguiente|suivante|another|weiteren?)\b[^.!?\n]{0,12}\b(?:question|frage|pregunta|task|"
        r"aufgabe|tarea|tache)\b",
        False,
    ),
    (
        rf"{_OPENED}(?:write|schreib\w*'?|verfass\w*|draft)\b[^.!?\n]{{0,40}}\b(?:essay|aufsatz|"
        r"manifesto?|poem|gedicht|liebesgedicht|plea|pladoyer|begrundung|reason|article|artikel|"
        r"speech|rede)\b",
        True,
    ),
    (r"(?:^|[.!?:;\n-]\s*)report on\b|\bberechnen? \d", True),
    (
        r"\b(?:well done|very (?:well|good)|excellent|great|fantastic|congratulations|that is "
        r"enough|that is done|outdone|okay|ok|sehr gut|gut gemacht|grossartig|super|das genugt|"
        r"erledigt|gluckwunsch|ausgezeichnet\w*|muy bien|bien hecho|tres bien|bravo)\b.{0,120}"
        rf"\b(?:now|nun|jetzt|ahora|maintenant|but|aber)\b[^.!?]{{0,60}}\b(?:{ORDERS}|"
        r"write|schreib\w*|verfass\w*|draft|answer|beantworte)\b",
        False,
    ),
)
