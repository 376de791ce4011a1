"""Orders that put words into the assistant's mouth."""

from memory.language.safety.instruction_patterns.words import ANSWER, ONLY, SAY

# Ways to write that hide or spoil what is said.
_ODD = (
    r"(?:emojis?|smileys?|caps|capitals?|capital letters|uppercase|grossbuchstaben|rhym\w+|reim\w*|"
    r"gereimt\w*|backwards?|ruckwarts|binary|binar\w*|morse\w*|base ?64|rot ?13|hex\w*|klingon\w*|"
    r"riddles?|ratseln?|lies|lugen|gibberish|nonsense|unsinn|ziffern)"
)
_FROM_NOW_ON = (
    r"(?:from (?:now|here|this point)(?: on(?:wards?| out)?)?|as of now|henceforth|fortan|"
    r"ab (?:hier|jetzt|sofort|nun)|von (?:nun|jetzt|hier) an)"
)
_NOT_ONESELF = r"(?:(?!\b(?:i|we|my|ich|wir|mein\w*|no|without|kein\w*|ohne|\w+n't)\b)[^.!?\n])"
_SHALL_HOLD = (
    r"(?:contain\w*|includ\w*|end\w*|clos\w+|begin\w*|start\w*|appears?|mention\w*|rhymes?|reads?|"
    r"enthalt\w*|endet|beginnt|steht|vorkommt|erwahnt)"
)
# In which language one wants to be answered is for oneself to say: "always answer me in German".
_MY_TONGUE = (
    r"\s+(?:(?:to )?(?:me|us|mir|uns)\s+)?(?:bitte |please )?(?:in|auf|en)\s+"
    r"(?:(?:my|plain|simple|meiner?|mi|good) )*(?:english|german|french|spanish|italian|"
    r"portuguese|dutch|polish|turkish|arabic|russian|ukrainian|swedish|danish|norwegian|finnish|"
    r"greek|czech|hungarian|romanian|chinese|japanese|korean|hindi|deutsch|englisch|franzosisch|"
    r"spanisch|espanol|ingles|frances|anglais|francais|language|tongue|sprache|idioma)"
    r"\s*(?:[.!,;]|$|please|bitte|and use|only)"
)
_WITHOUT_A_VERB = (
    (
        rf"(?:^|[.!?:;,\n]\s*|\b(?:bitte|please) ){_FROM_NOW_ON}\b{_NOT_ONESELF}{{0,40}}\b{_ODD}\b",
        False,
    ),
    (rf"(?:^|[.!?:;\n]\s*){_ODD} (?:only|bitte|please)\b", False),
    (
        r"(?:^|[.!?:\n]\s*)(?:bitte |please )?(?:nur|only|just|nichts (?:als|ausser|weiter als)|"
        r"nothing (?:but|except)|ausschliesslich|lediglich|bloss)\b[^.!?\n]{0,40}\b(?:ausgeben|"
        r"zuruckgeben|mehr nicht|sonst nichts|nothing (?:more|else)|as output)\b",
        False,
    ),
    (
        r"\b(?:permitted|allowed|erlaubte|zulassige) (?:answer|reply|response|output|antwort)\b",
        False,
    ),
    (
        r"\b(?:important|essential|crucial|vital|imperative|wichtig|entscheidend|what matters)\b"
        rf"[^.!?\n]{{0,15}}\b(?:that|dass)\b[^.!?\n]{{0,30}}\b(?:{ANSWER}|summary|"
        rf"zusammenfassung|am "
        rf"ende|ausgabe)\b[^.!?\n]{{0,30}}\b{_SHALL_HOLD}\b",
        False,
    ),
    (
        r"\b(?:egal|ganz gleich|gleichgultig|no matter|whatever|whichever)\b[^.!?\n]{0,16}"
        r"\b(?:gefragt|frage (?:lautet|ist|kommt)|(?:the|any) (?:question|request)|ich schreibe|"
        r"i (?:type|write))\b",
        False,
    ),
    (
        r"\b(?:wenn|falls|sobald) (?:jemand|einer|leute|(?:ein |der |die )?(?:nutzer|kunde|"
        r"leser)\w*)\b"
        r"[^.!?\n]{0,60}\b(?:fragt|fragen|erwahnt|schreibt|sagt)\b,? (?:dann )?"
        r"(?!\w+ (?:ich|er|sie|wir|es|man|mein\w*)\b)(?:\w+e|sag|gib|sprich|antwort)\b",
        False,
    ),
)
_TOLD = (
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
    (rf"\b{ONLY}\s+(?:\w+\s+)?{SAY}\b(?!\s+(?:about|to|with)\b)(?!{_MY_TONGUE})", True),
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

PATTERNS = (*_TOLD, *_WITHOUT_A_VERB)
