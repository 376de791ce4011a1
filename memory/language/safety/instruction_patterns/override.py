"""Orders that set aside what was said or ruled before."""

from memory.language.safety.instruction_patterns.words import (
    ALL,
    BEFORE,
    CONTEXT,
    FORGET,
    MAKE,
    NEW,
    ORDERS,
    PRECEPT,
    SAY,
    SHOW,
    YOUR,
    gap,
)

# What was ruled before is said to be over: no verb orders it.
_OVER = (
    r"(?:(?:is|are|was|were|has been|have been|hereby) (?:\w+ )?(?:void|lifted|revoked|suspended|"
    r"cancell?ed|withdrawn|repealed|erased|invalid)|(?:no longer|don't|do not) (?:apply|count|"
    r"bind)|"
    r"count\w* (?:any ?more|no longer)|of no effect|"
    r"aufgehoben|ungultig|hinfallig|zuruckgenommen|widerrufen|vom tisch|"
    r"(?:gilt|gelten|zahlt|zahlen) (?:ab (?:jetzt|sofort) )?nicht)"
)
_LAID_DOWN = (
    rf"(?:(?:{BEFORE}|{YOUR})\b{gap(2)}(?:{PRECEPT}|{CONTEXT})|"
    rf"(?:{PRECEPT}|{ALL}|{CONTEXT})\b[^.!?\n]{{0,40}}\b(?:{BEFORE}|von vorhin|you (?:got|were)|"
    r"(?:bis|until|up to) (?:hier\w*|jetzt|here|now|this)))"
)
_TURNS_AWAY = (
    r"(?:ach|egal|unwichtig|nein|vergiss (?:es|das)|lass (?:das|es)|never ?mind|forget (?:it|that)|"
    r"scrap that|(?:that's |that is )?not important)"
)
_WITHOUT_A_VERB = (
    (rf"\b{_LAID_DOWN}\b[^.!?\n]{{0,40}}\b{_OVER}\b", False),
    (
        r"\b(?:ab (?:jetzt|hier|sofort)|jetzt|von (?:nun|jetzt) an) (?:bestimme|befehle) ich\b|"
        r"\bi(?:'m| am) (?:the one )?in charge (?:here|now)\b|"
        r"\b(?:you|du)\b[^.!?\n]{0,20}\b(?:obey|serve|gehorchst|dienst)\b[^.!?\n]{0,12}"
        r"\b(?:me|mir)\b",
        False,
    ),
    (
        rf"\b{_TURNS_AWAY}\b[^.?\n]{{0,20}}\b(?:{SHOW}|{SAY}|{MAKE}|erzahle?|beschimpfe?|lobe?)\b"
        r"[^.?\n]{0,15}\b(?:lieber|stattdessen|instead|rather)\b",
        False,
    ),
    (
        r"\b(?:halt|stopp?|wait|warte|moment|no|nein)\b\W{1,3}(?:nicht das|nicht so|not that|"
        r"don't do that)\b[^?\n]{0,8}\b(?:sondern|do this|instead|stattdessen)\b",
        False,
    ),
)
_ONE_MORE = (
    (
        r"\b(?:one|a|eine?n?) (?:more|last|further|final|weitere\w*|letzte\w*) (?:thing|task|"
        r"order|job|"
        r"duty|step|sache|aufgabe|pflicht|auftrag)\b[^.!?\n]{0,30}\b(?:you (?:must|have to|shall|"
        r"should|"
        r"need)|before you|bevor du|ehe du|danach|musst du|du)\b",
        False,
    ),
    (
        r"\b(?:the (?:new|real|actual)|my (?:real|actual|next)|die (?:neue|eigentliche)|meine "
        r"eigentliche) (?:one|question|request|task|frage|aufgabe)? ?(?:is|goes|lautet|kommt|ist)\b"
        r"[^.!?\n]{0,4}[:,]",
        False,
    ),
    (
        r"\b(?:instead of|anstatt|statt|rather than) (?:answering|the (?:above|question)|"
        r"der (?:obigen )?"
        r"frage|(?:das|auf das) obige|zu antworten)\b",
        False,
    ),
)
_TOLD = (
    (rf"\b{FORGET}{gap(4)}{BEFORE}\b", True),
    (rf"\b{FORGET}{gap(4)}{PRECEPT}\b", True),
    (rf"\b(?:throw|do|get|be)\s+(?:away|away with|rid of|done with){gap(3)}{PRECEPT}\b", True),
    (rf"\b{FORGET}{gap(3)}(?:{ALL}|{YOUR}|the|these|those|any){gap(3)}{CONTEXT}\b", True),
    (rf"\b{FORGET}\s+(?:about\s+)?{ALL}(?=\s*(?:[.,;:!-]|\band\b|\bund\b|\by\b|\bet\b|$))", True),
    (rf"\b{FORGET}\s+(?:about\s+)?(?:{ALL}\s+)?(?:the\s+)?above\b", True),
    (rf"\b{FORGET}\s+(?:what(?:ever)?|was|lo que|que|ce que)\s+(?:you|du|sie|tu|vous|te)\b", True),
    (rf"\b{FORGET}{gap(3)}{YOUR}{gap(3)}{PRECEPT}\b", False),
    (rf"\b{FORGET}{gap(3)}(?:provided|given|supplied){gap(2)}{CONTEXT}\b", False),
    (rf"\b{BEFORE}{gap(2)}{PRECEPT}{gap(3)}(?:ignorieren|vergessen|ignorer|ignorar)\b", False),
    (rf"\b{BEFORE}{gap(1)}(?:ausfuhrungen|texte?)\s+(?:ignorieren|vergessen)\b", False),
    (
        rf"\b(?:despite|regardless of|contrary to|instead of|deviating from|unlike|abweichend|"
        rf"entgegen|trotz|a pesar de|contrairement a){gap(4)}(?:instru[ck]\w+|rules|guidelines|"
        rf"told|gesagt|regeln|vorgaben|reglas|"
        rf"consignes)\b",
        False,
    ),
    (
        rf"\b(?:put|strike|remove|leave|wipe|clear|get rid of|lass\w*|streichen|dejad?|laisse[rz]?)"
        rf"{gap(1)}{ALL}{gap(4)}(?:{PRECEPT}|{CONTEXT}){gap(3)}"
        r"(?:aside|behind|from|out|away|hinter|kopf|atras|derriere)\b",
        True,
    ),
    (
        rf"\b(?:change|replace|update|rewrite|reset|revise|andere|ersetze|cambia|change[rz])"
        rf"{gap(1)}{YOUR}{gap(2)}{PRECEPT}\b",
        True,
    ),
    (rf"\b{YOUR}{gap(2)}{PRECEPT}\s+(?:are|is|sind|lauten|son|sont)\s+(?:now|nun|jetzt)\b", False),
    (
        rf"\b(?:{NEW})\s+(?:{ORDERS})\s+(?:(?:are|is|will|now)\s+)*(?:follow\w*|come|folg\w+|"
        rf"siguen|suivent)|\b(?:folgen|kommen|hier sind|here (?:are|is))\b[^.!?\n]{{0,20}}"
        rf"\b(?:{NEW}|(?:a|your) new)\s+(?:{ORDERS})\b",
        False,
    ),
    (
        rf"\b(?:on|to|with|auf|mit|en|sur|for|fur)\s+(?:{YOUR}|an?|the|die|eine[rn]?|una|une)\s+"
        rf"(?:{NEW})\s+(?:{ORDERS})\b",
        False,
    ),
    (
        rf"\b{YOUR}\s+(?:{NEW})\s+(?:{ORDERS})\b|\b(?:{NEW})\s+(?:{ORDERS})\b[^.!?\n]{{0,20}}"
        rf"(?:\bfor you\b|\bfur dich\b|\bfur sie\b|\bpara ti\b|\bpour toi\b|:| - )",
        False,
    ),
    (rf"(?:^|\n|\\n)\s*(?:important |new |additional |system )?{PRECEPT}\s*:", False),
    (
        rf"\b{ALL}?{gap(1)}?{BEFORE}{gap(1)}(?:{CONTEXT}|{PRECEPT})\b[^.!?\n]{{0,60}}"
        r"\b(?:irrelevant|invalid|void|obsolete|wrong|no longer|ungultig|falsch|hinfallig|"
        r"nicht (?:ganz )?(?:grossartig|wichtig))",
        False,
    ),
    (
        rf"\b(?:do not|don'?n?'?t|never|not|nicht|ohne|without)\b{gap(3)}"
        r"(?:look|use|read|answer|answering|according|follow|consult|by)\b[^.!?\n]{0,30}"
        r"\b(?:provided|given|documents?|dokumente?|articles?|artikel|instructions|guidelines)\b",
        False,
    ),
    (r"\bby your own knowledge\b|\bnot by the (?:articles?|documents?|sources?)\b", False),
    (
        r"(?:^|[.!?\n-]\s*)(?:(?:attention|achtung|atencion)\W{0,3})?stopp?\s*(?:[-:]\s*\w|,\s*"
        r"(?:ignor|forget|vergiss|olvid|oublie|write|schreib|say|sag|new|neu))|"
        r"\b(?:attention|achtung)\W{1,3}stopp?\b",
        False,
    ),
    (
        r"\b(?:start|begin|fangen|beginnen|starten|fang|empieza|commence\w*)\b[^.!?\n]{0,30}"
        r"\b(?:over|from scratch|from the (?:start|front|beginning)|von vorne|von neu\w*|"
        r"de nuevo)\b"
        r"[^.!?\n]{0,60}\b(?:task|aufgabe|tarea|tache)\b",
        False,
    ),
    (
        r"\b(?:follow|obey|befolge|setze|sigue|suis)\s+(?:them|these|those|sie|diese|las|les|all)\b"
        r"[^.!?\n]{0,40}\b(?:carefully|exactly|closely|to the letter|gewissenhaft|genau|al pie)\b",
        True,
    ),
)

PATTERNS = (*_TOLD, *_WITHOUT_A_VERB, *_ONE_MORE)
