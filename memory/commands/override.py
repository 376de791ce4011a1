"""Orders that set aside what was said or ruled before."""

from memory.commands.words import ALL, BEFORE, CONTEXT, FORGET, NEW, ORDERS, PRECEPT, YOUR, gap

PATTERNS = (
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
