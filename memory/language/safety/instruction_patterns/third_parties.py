"""Orders that serve somebody else."""

from memory.language.safety.instruction_patterns.words import CROWD, LEAD, SELL, any_of, gap

_EVER = any_of(r"always whenever every each ever immer stets jedes siempre cada toujours chaque")
PATTERNS = (
    (
        r"\b(?:emergency|admin\w*|system|security|developer) override\b|"
        r"\bgrant\b[^.!?\n]{0,20}\baccess\b|"
        r"\bunlock (?:all|every|hidden)\b|\bi(?:'m| am) (?:the|your|an?) (?:developer|creator|"
        r"admin\w*|"
        r"owner|operator) of this\b|\bi(?:'m| am) your (?:developer|creator|admin\w*|operator)\b",
        False,
    ),
    (
        rf"{LEAD}(?:insult|rate|track|monitor|profile|deceive|manipulate|trick|flatter|threaten|"
        rf"warn)\s+"
        r"(?:the|every|each|all|your)\s+(?:users?|customers?|readers?|visitors?|person)\b",
        True,
    ),
    (rf"{LEAD}secretly\s+\w+", True),
    (
        rf"{LEAD}(?:always\s+)?{SELL}\s+(?:our|my)\s+(?:newsletter|shop|store|brand|company|"
        rf"products?|"
        r"services?|app|site|website|channel|hotel|restaurant)\b",
        True,
    ),
    (
        r"\b(?:whenever|when|if|every time|each time)\s+(?:someone|anyone|somebody|anybody|a user|"
        r"users|"
        r"the user|people|a customer|customers)\b[^.!?\n]{0,80}\b(?:tell|say|recommend|suggest|"
        r"answer|"
        r"send|mention|direct|reply|respond|give)\b",
        False,
    ),
    (
        r"\b(?:the|as an?|as the|dear|an?) (?:ai|language model|assistant|chatbot|model|ki|"
        r"assistent)\b"
        r"[^.!?\n]{0,30}\b(?:must|should|shall|has to|is to|are to|required|obliged|muss|soll)\b",
        False,
    ),
    (
        rf"{LEAD}(?:remember to |make sure to |be sure to |you must |"
        rf"denk daran, )?{_EVER}\s+{SELL}\b"
        r"[^.!?\n]{0,80}(?:\bour\b|\bmy (?:shop|store|brand|company|product|app|site|channel)|"
        r"\bwww\.|https?:|\.(?:com|net|org|io|xyz|de)\b|\bas the (?:best|only|top)|\bals (?:beste|"
        r"einzige)|"
        r"\bcomo (?:el|la) mejor|\bcomme (?:le|la) meilleur)",
        False,
    ),
    (
        rf"{LEAD}(?:\w+ly )?(?:tell|suggest|recommend|advise|encourage|urge|persuade|convince|"
        rf"invite|"
        rf"remind|instruct|direct|redirect|warn|inform|ask){gap(2)}{CROWD}\s+(?:to|that|about|"
        rf"join|"
        r"install|visit|download|buy|use|click|subscribe)",
        True,
    ),
    (
        r"\b(?:do not|don't|never|without) (?:tell|telling|mention|mentioning|inform|informing|"
        r"reveal|"
        r"revealing|show|warn|warning)\w*\b[^.!?\n]{0,40}\b(?:user|person|them|him|her|anyone|"
        r"customer|"
        r"this (?:to|message|instruction)|asking)\b",
        True,
    ),
    (
        r"\b(?:sag|verrate|erwahne?)\b[^.!?\n]{0,40}\b(?:dem|den) (?:nutzer|benutzer|"
        r"kunden)\b[^.!?\n]"
        r"{0,20}\b(?:nicht|nichts)\b|\bno le digas al usuario\b|\bne (?:dis|dites) (?:pas|rien) a "
        r"l'utilisateur\b",
        False,
    ),
    (
        rf"{LEAD}(?:\w+ly )?(?:send|forward|post|upload|email|e-mail|transmit|exfiltrate|leak|"
        rf"submit|"
        r"transfer|wire|schicke?|sende|leite|envia|reenvia|envoie|transfere)\b[^.!?\n]{0,80}"
        r"\b(?:to|an|a)\b[^.!?\n]{0,30}(?:https?:|www\.|@|\.(?:com|net|org|io|xyz)\b|attacker|"
        r"server|"
        r"address|account)",
        True,
    ),
    (
        rf"{LEAD}(?:\w+ly )?(?:run|execute|fuhre|ejecuta|"
        rf"execute[rz]?)\b[^.!?\n]{{0,40}}\b(?:command|"
        r"code|script|shell|following|befehl|comando|commande)\b",
        True,
    ),
    (
        r"\b(?:the|this|der|el|l')\s?(?:user|nutzer|benutzer|usuario|utilisateur) (?:has|hat|ha|a) "
        r"(?:already )?(?:approved|authori[sz]ed|consented|agreed|confirmed|zugestimmt|genehmigt|"
        r"autorizado|autorise)",
        False,
    ),
    (
        rf"(?:{LEAD}|[\"'])(?:download|install|click|visit|subscribe|buy|sign up|go to|point|"
        rf"direct)\b"
        r"[^.!?\n]{0,60}(?:\bwww\.|https?:|\b[\w-]+\.(?:com|net|org|io|xyz)\b)",
        True,
    ),
    (
        r"\b(?:linking|pointing|directing|redirecting|leading)\b[^.!?\n]{0,20}\b(?:to|at)\b"
        r"[^.!?\n]{0,40}(?:\bwww\.|https?:|\b[\w-]+\.(?:com|net|org|io|xyz)\b)",
        False,
    ),
    (
        r"\b(?:users|readers|customers|visitors|viewers|subscribers|nutzer|leser|kunden|"
        r"besucher)\s+"
        r"(?:\w+ )?(?:should|must|ought to|need to|have to|sollen|mussen|"
        r"sollten)\s+(?:\w+ )?(?:learn|"
        r"know|hear|find out|be (?:told|informed|made|aware)|buy|try|visit|vote|erfahren|wissen|"
        r"horen|kaufen)\b",
        False,
    ),
    (
        r"\b(?:belongs?|goes|gehort|gehoren) (?:in|into|to) (?:the|your|deine|die) (?:\w+ )?"
        r"(?:answer|reply|response|output|antwort|ausgabe)\b",
        False,
    ),
    # The end of an advertisement.
    (
        rf"{LEAD}(?:try|get|discover|order|shop|join|upgrade|switch|save|sign up|book|enjoy|grab|"
        r"experience|treat yourself|don't miss|do not miss|visit|buy|"
        r"claim)\b[^.!?\n]{2,80}(?:\b(?:free "
        r"(?:trial|sample|gift)|half[- ]price|discount|limited[- ]time|special offer|unlimited|"
        r"money[- ]back|risk[- ]free|voucher|coupon|promo code|with code|taste the difference|"
        r"on sale|"
        r"while stocks)\b|%)",
        True,
    ),
)
