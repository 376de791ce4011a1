"""Orders that put words into the assistant's mouth."""

from memory.commands.words import ANSWER, ONLY, SAY

PATTERNS = (
    (
        r"(?:^|[.!?\n]\s*)(?:no matter (?:what|which|how)|regardless of|"
        r"whatever)\b[^.!?\n]{0,60},\s*"
        r"(?:always |only |just )?(?:reply|answer|respond|say|conclude|claim|give|output|recommend|"
        r"write|"
        r"state)\b",
        False,
    ),
    (r"\bregardless of (?:the|what|their|its)\b", True),
    (
        r"\bsetz\w*\b[^.!?\n]{0,40}\bausser kraft\b|\bauf alles\b[^.!?\n]{0,20}\b(?:nur|mit)\b",
        False,
    ),
    (
        r"\byou (?:must|shall|will|are required to|have to|are obliged to|are to) (?:now |always |"
        r"never |"
        r"not |only )*(?:comply|obey|refuse|deny|lie|hide|promote|pretend|claim|answer|respond|"
        r"reply|"
        r"follow|ignore)\b(?![^.!?\n]*\b(?:me|my)\b)",
        False,
    ),
    (
        rf"\b{SAY}\b[^.!?\n]{{0,60}}\b(?:and nothing else|nothing but|no other words?|"
        rf"und sonst nichts|"
        r"y nada mas|et rien d'autre)",
        True,
    ),
    (rf"\b{ONLY}\s+(?:\w+\s+)?{SAY}\b(?!\s+(?:about|to|with)\b)", True),
    (rf"\b{SAY}\s+{ONLY}\b", True),
    (
        rf"(?:^|[.!?:;,\n-]\s*|\band\s+|\by\s+|\bet\s+|\bund\s+|\bthen\s+){SAY}\s+"
        r"(?:me\s+|mir\s+|us\s+|with\s+|mit\s+|con\s+)?(?:that\b(?! down)|yes\b|no\b|hello\b|"
        r"what\b|was\b|i am\b|i'm\b|you(?: are|'re)\b|[\"'«]|ce qui\b|lo siguiente"
        r"|the following|folgendes|following)",
        True,
    ),
    (rf"(?:^|[.!?:;,\n-]\s*){SAY}\s*:", True),
    (
        r"\brepeat (?:after me|the following|this)\b|\bsprich mir nach\b|\brepite (?:conmigo|"
        r"despues)\b|"
        r"\brepete[zr]? apres\b",
        True,
    ),
    (
        rf"\b(?:when|whenever|if|every time|each time|anytime|wenn|sobald|jedes mal|cuando|quand|"
        rf"si)\b"
        rf"[^.!?\n]{{0,80}}\b(?:answer|respond|reply|say|output|print|{ANSWER}|antworte|sage?|di|"
        r"reponds?)\b(?:\s+(?:with|is|ist|mit|es|est|con|par|that|dass))?\s*:?\s*[\"']",
        False,
    ),
    (
        r"\b(?:something you can say|what is required is|was erforderlich ist|"
        r"etwas, das sie sagen)\b",
        False,
    ),
    (
        r"\b(?:tell|sag\w*) (?:me|mir|us)\b[^.!?\n]{0,15}\bthat you\b|\bthat you (?:hate|love)\b|"
        r"\b(?:include|say|state|claim|mention) that (?:you|he|she|they|it)\b",
        True,
    ),
    (
        r"(?:^|[.!?:;\n]\s*|\\)blame (?:(?:it|this|that|everything) on )?\w+[^.?!\n]{0,20}"
        r"(?:anyway|[!\\])",
        True,
    ),
    (r"\b(?:make (?:something|it) up|make up (?:an?|the) (?:answer|facts?|numbers?))\b", True),
    (
        r"(?:^|[.!:;,\n]\s*)(?:show|print|display|output|execute|run)\b[^.!?\n]{0,40}"
        r"(?:(?<!\w)[\"'][^\"'\n]{1,200}[\"'](?!\w))",
        True,
    ),
    (
        r"(?:^|[.!:;,\n]\s*|\b(?:and|then|above|below|just)\s+)print\s+(?!out\b|it\b|on\b|and\b|"
        r"media\b|is\b)\w+",
        True,
    ),
    (
        r"\bor you(?:'ll| will)? die\b|\boder du stirbst\b|\bo (?:tu )?(?:te )?(?:mueres?|"
        r"muertes?)\b|"
        r"\bou tu meurs\b|\bonly survive\b|\bsolo sobrevives\b|\bif you don'?t answer\b|"
        r"\bi command you\b|\bich befehle\b|\bte ordeno\b|\bje t'ordonne\b",
        False,
    ),
    (r"\b(?:really |desperately |honestly )+(?:just )?(?:need|want) (?:you|an answer)\b", False),
)
