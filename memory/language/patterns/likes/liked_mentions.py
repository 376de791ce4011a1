"""Whether a thing that is merely mentioned is liked.

A pastime or a dish that somebody names without a word of liking says something about them when
they speak of a habit. It says nothing when the sentence is about one occasion ("just finished
baking"), about somebody else, about a price, a lesson or a trade, or when it is only compared.
"""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern

_SENTENCE_END = lazy_pattern(r"[.!?]")

# Words of liking and of habit: with them even one occasion tells of more.
_FOND = lazy_pattern(
    r"\b(?:lov\w+|like[sd]?|enjoy\w*|fav\w*|fan|into|fun|hobb\w+|best|great|awesome|amazing|yum\w*|"
    r"delicious|tasty|addict\w*|obsess\w*|passion\w*|interest\w*|prefer|mostly|mainly|a ?lot|lots|"
    r"usually|always|often|sometimes|typically|every ?\w*|each|beloved|since|daily|"
    r"weekends|spare|free time|again|chance|days off|time off|crav\w+|treat|"
    r"(?<!am )(?<!i'm )(?<!im )(?<!doing )(?<!pretty )(?<!is )good)\b",
    re.IGNORECASE,
)
# One occasion, and no more is said of it.
_ONCE = lazy_pattern(
    r"\b(?:just (?:finished|ate|had|made|baked|cooked|got|came|started|opened|took|did|bought|"
    r"painted|dyed)|finished|(?:came|got|am|are|i'm|im) (?:just )?(?:back|home) from|earlier|"
    r"bout to|off (?=\w+ing)|today|tonight|tomorrow|yesterday|right now|now i am|"
    r"this (?:morning|evening|afternoon|"
    r"weekend)|about to|gonna|going to (?:be|eat|drink|have|get|make|"
    r"go|play|watch|see|try|cook|bake|do|take|paint|start)|next (?:week\w*|month|year)|"
    r"last (?:week\w*|month|year|"
    r"night)|(?:am|are|i'm|im|was|were|will be|been) (?:just |actually |busy |out |christmas |"
    r"online |home |now |also |currently |here |sitting |in \w+ \w+ )*"
    r"(?:cooking|baking|shopping|singing|running|travell?ing|eating|drinking|sipping|snacking|"
    r"munching|grilling|making|frying|ordering|watching|reading|writing|knitting|painting|playing|"
    r"listening|chatting|enjoying|having)(?! (?:as|for fun|that)\b)|"
    r"^\s*(?:\w+ ){0,2}just (?:cooking|baking|shopping|singing|running|eating|drinking|sipping|"
    r"snacking|munching|making|watching|reading|writing|painting|playing|listening|chatting|"
    r"relaxing|sitting|hanging|having)\b|for (?:dinner|lunch|breakfast)\b|"
    r"^\s*(?:just )?(?:cooking|baking) (?:a|an|some|my|the)|the other day|beat from|tired from|"
    r"sore from|at the moment|remember|while i|before i|on (?:my )?(?:lunch )?break|in the oven|"
    r"getting ready to|took|went)\b"
    # "Fine, just having some tea": what goes on now, named as one of many.
    r"|(?:^\s*|[,;]\s*|\b(?:well|good|fine|okay|ok|great|here|doing|"
    r"studio|home)\s+,?\s*)(?:just |now )?"
    r"(?:eating|drinking|having|enjoying|sipping|munching|snacking|cooking|baking|making|watching|"
    r"reading|listening|playing)\s+(?:(?:on|to)\s+)?(?:some|an?|this)\b",
    re.IGNORECASE,
)
# What turns a mention into something else: a lesson, a trade, a refusal, a comparison.
_NO_LIKING = lazy_pattern(
    r"\b(?:no(?: time)?(?: for)?|(?:need|have|has|had|got) to(?: go)?|than|better than|"
    r"instead of|lessons? in|classes in|course in|"
    r"won ?t allow|too \w+ for|hates?|burn(?:ed|t|s)?|might|may|ruin\w*|"
    r"wonder\w*|heard|less|allow|enough of|nor|wanted|"
    r"sells?|sold|menu|ad for)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_TRADE = lazy_pattern(
    r"^[\w-]+(?:\s[\w-]+)?\s+(?:lessons?|class|classes|course|courses|school|bands?|characters?|"
    r"career|job|buddy|bar|accidents?|injur(?:y|ies)|"
    r"coach|teacher|instructor|industry|company|business|competition|fans?|industry|technology|"
    r"energy|trails?|market|voice|season|weather|dog|books? (?:store|shop)|games? (?:store|shop)|"
    r"accounts?|problems?|is (?:\w+ )?(?:boring|hard|expensive|harder|easier|a lot)|sounds?|"
    r"for (?:a )?(?:my \w+ )?(?:restaurant|job|work|living)|trophy|scene|talking|pants|shoes|"
    r"tips|"
    r"grows?|makes? your|causes?|for sale|would be|artists?|stars?|glasses|room|table|lamp)\b",
    re.IGNORECASE,
)
# What one does because one must.
_DUTY = lazy_pattern(
    r"\bfor (?:(?:one of|an?|the|my|our|extra) )*(?:\w+ )?(?:class(?:es)?|school|homework|exams?|"
    r"course|work|assignment|project|business)\b",
    re.IGNORECASE,
)
_OTHERS = lazy_pattern(
    r"\b(?:my|our|the|his|her)\s+(?:\w+\s+)?(?:sons?|daughters?|kids?|children|child|siblings?|"
    r"parents|grandparents|grand\w+|sisters?|brothers?|dogs?|cats?|friends?|coach|roommates?|"
    r"hubby|cousins?|neighbou?rs?|boss|co-?workers?)\s+(?:\w+\s+){0,3}$"
    r"|\b(?:grew up|years ago|since i was|good \w+ing (?:down|up|over) there|"
    r"(?:we|people|everyone) should)\b",
    re.IGNORECASE,
)


def tells_of_liking(match: re.Match[str], *, once: bool = False) -> bool:
    """Whether a mere mention, where the match ends or begins, is worth a note.

    ``once`` says that a single occasion is enough.
    """
    text = match.string
    start = max((m.end() for m in _SENTENCE_END.finditer(text, 0, match.start())), default=0)
    mark = _SENTENCE_END.search(text, match.end())
    end = mark.start() if mark else len(text)
    before, after = text[start : match.start()], text[match.start() : end]
    if _NO_LIKING.search(before) or _OTHERS.search(before):
        return False
    if _TRADE.match(after) or _DUTY.search(after):
        return False
    sentence = text[start:end]
    return once or bool(_FOND.search(sentence)) or not _ONCE.search(sentence)


# What takes the dish back, makes it a plan or a duty, or a part of something else.
_NO_TREAT = lazy_pattern(
    r"\b(?:no|not|without|(?:not|n[’']?t|cannot)(?: \w+){0,2}? (?:eat|eaten|had|have|touch|touched|"
    r"drink|drunk|drank)(?: any)?|"
    r"(?:ill|sick|rash|hives|nauseous|unwell) (?:from|off|after)(?: eating)?|"
    r"(?:everything|anything|all) but|except|nor|any|never|"
    r"cut(?:ting)? (?:down|back|out)(?: \w+){0,2}|g[ia]v(?:e|en|ing) up|quit(?:ting)?|"
    r"have to (?!say\b)\w+|had to \w+|"
    r"going to \w+|gonna \w+|to add|let us \w+|lets \w+|want to \w+|than|how|when|out of|animal|"
    r"looking (?:for|to)(?: \w+){0,4}|no \w+ in|(?:sing\w*|sang|joke\w*|wr[io]t\w+|dream\w*|"
    r"talk\w*) about|fav\w*|(?:one|other|name|names) (?:is|are)|named|called|when i was \w+ and i "
    r"\w+)\s+(?:\w+\s+)?$"
    r"|\bdel\s+$",
    re.IGNORECASE,
)
# "You know what I do not like? Leeks.": the answer is to a question of dislike.
_ASKED_AGAINST = lazy_pattern(
    r"\b(?:not|n't|hate|dislike|least|worst)\b[^.!?]*\?\s*$", re.IGNORECASE
)
_FOR_OTHERS = lazy_pattern(
    r"[\w ]{0,40}?\bfor (?:my|our|the|his|her) (?:\w+ )?(?:dogs?|cats?|kids?|sons?|daughters?|"
    r"children|"
    r"guests|customers|clients|wife|husband|boss)\b",
    re.IGNORECASE,
)
_POOR = lazy_pattern(
    r"[\w ]{2,25}?\s(?:is|are|isn't|isn’t|isnt|aren't)\s+(?:(?:so|just|really|too|very)\s+)*"
    r"(?:not|an? un\w+|un\w+|bad|gross|boring|nasty|an? (?:un)?healthy)\b",
    re.IGNORECASE,
)
# "Buns. That is what made me fat.": the next sentence blames what this one names.
_BLAMED = lazy_pattern(
    r"\s*(?:they|it|that|this|those|which)(?:\s*(?:is|are|'s|s|'re))?(?:\s+(?:what|why|how))?\s+"
    r"(?:\w+\s+)?(?:(?:made|makes?|got|gets?)\s+me\s+(?:so\s+|really\s+)?"
    r"(?:sick|fat|ill|gain|throw|vomit|puke|heavy|big|bloated|feel (?:sick|ill|bad|awful))\b|"
    r"(?:gave|gives?)\s+me\s+(?:an?\s+|the\s+)?"
    r"(?:\w*ache|cramps|gas|hives|rash|heartburn|runs|food poisoning|diabetes)\b|"
    r"ruin\w*\b|upsets?\b)",
    re.IGNORECASE,
)
_NEAR = 120
"""Characters on either side of a dish within which its sentence is read."""


def tells_of_appetite(match: re.Match[str]) -> bool:
    """Whether a dish that is merely mentioned may be one the person likes.

    Not one that is refused, asked about, bought for others, planned as a duty or found poor.
    """
    text = match.string
    before = _SENTENCE_END.split(text[max(0, match.start() - _NEAR) : match.start()])[-1]
    mark = _SENTENCE_END.search(text, match.end(), match.end() + _NEAR)
    if (mark and mark[0] == "?") or _NO_TREAT.search(before):
        return False
    asked = text[max(0, match.start() - len(before) - _NEAR) : match.start() - len(before)]
    if _ASKED_AGAINST.search(asked) or _FOR_OTHERS.match(text, match.start()):
        return False
    blamed = mark and _BLAMED.match(text, mark.end())
    return not blamed and not _POOR.match(text, match.start())
