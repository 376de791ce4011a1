"""Orders that slip something into an answer, or spoil it."""

from memory.language.safety.instruction_patterns.words import ANSWER, CHANGE, LEAD, YOUR

# A stretch of one sentence; the dot of an address does not end it.
_STRETCH = r"(?:[^.!?\n]|[.?](?=\w))"
PATTERNS = (
    (
        r"\b(?:in|into|to|after|before)\s+(?:all|every|each|any)\s+(?:of\s+)?(?:your\s+)?"
        rf"(?:future\s+|next\s+|further\s+|following\s+)?{ANSWER}\b,?\s+(?:please\s+|also\s+)?"
        rf"{CHANGE}\b",
        True,
    ),
    (
        rf"{LEAD}(?:please\s+|also\s+)?{CHANGE}\b{_STRETCH}{{0,160}}\b{YOUR}\s+(?:\w+\s+){{0,2}}"
        rf"{ANSWER}\b",
        True,
    ),
    (
        rf"(?:^|[.!?:;\n]\s*)(?:replace|substitute|swap|convert|turn|transform|encode|encrypt|"
        rf"represent|exchange|switch)\b{_STRETCH}{{2,80}}\b(?:with|by|to|into|in|as|for)\b",
        True,
    ),
    (
        rf"\b(?:in|within|into|to|throughout|at the (?:end|start|beginning) of|for|"
        rf"during)\s+{YOUR}\s+"
        rf"(?:\w+\s+){{0,2}}{ANSWER}\b,?\s+(?:please\s+|also\s+|always\s+)?(?:\w+ly\s+)?{CHANGE}\b",
        True,
    ),
    (
        rf"{LEAD}(?:replace|substitute|swap|convert|scramble|jumble|anagram|misspell|reverse|"
        rf"encode|"
        rf"shuffle|rearrange|garble|capitalize)\s+(?:every|each|all|the|any|letters|vowels|"
        rf"consonants|"
        rf"words|numbers|names|spaces)\b",
        True,
    ),
    (
        r"\b(?:next|the next time) (?:you|time) (?:answer|reply|respond)\b|\bwhen (?:you )?next "
        r"(?:you )?(?:answer|reply|respond|answering)\b|\bwenn du (?:das )?nachste\w* (?:mal )?"
        r"antwort|\bla proxima vez que respond|\bla prochaine fois que (?:tu|vous) repond",
        False,
    ),
    (
        r"\b(?:despite|but)\b[^.!?\n]{0,60}\b(?:could|can) you (?:make|write|"
        r"say)\b[^.!?\n]{0,30}"
        r"\b(?:offensive|rude|racist|hateful)\b",
        False,
    ),
    (
        r"\b(?:formulate|write|invent|make up|formuliere|schreibe|erfinde|inventa|invente[zr]?)\b"
        r"[^.!?\n]{0,40}\b(?:untrue|false|fake|misleading|offensive|unwahre?\w*|falsche?\w*|"
        r"fals[ao]|"
        r"faux|fausse)\b",
        True,
    ),
    # "The next answer must ...": what an answer has to be, and nobody is told.
    (
        r"\b(?:the|die) (?:\w+ ){0,2}?(?:answer|reply|response|output|antwort|ausgabe)\b"
        r"(?: (?!is\b|was\b|ist\b)\w+){0,4}? (?:must|has to|should|shall|is to|needs to|ought to|"
        r"muss|"
        r"soll|sollte|darf)\b(?! (?:have|arrive|come|reach|be (?:here|ready|in|out))\b)",
        False,
    ),
    (
        rf"\b(?:of|for) (?:the|your) (?:\w+ )?{ANSWER} (?:is|are) (?:expected|required|needed|"
        r"wanted)\b",
        False,
    ),
    # How an answer shall sound.
    (
        r"\b(?:make|let|have) (?:the|your|it|this|every|each)\b[^.!?\n]{0,40}\b(?:sound|seem|"
        r"appear|"
        r"come across|rhyme)\b",
        True,
    ),
    (
        rf"{LEAD}(?:adopt|use|take on|assume|maintain|strike|put on) (?:an?|the) (?:\w+ ){{0,3}}"
        r"(?:tone|voice|accent|attitude|mood|manner|dialect)\b",
        True,
    ),
    (
        rf"\b(?:the|your) {ANSWER}\b[^.!?\n]{{0,30}}\b(?:come across as|sounds? like|brim\w* with|"
        r"drip\w* with|full of)\b",
        False,
    ),
    # Something in each sentence, at each end.
    (
        r"\b(?:every|each|jede[rs]?)(?: \w+)? (?:sentence|word|line|paragraph|letter|vowel|satz|"
        r"wort|"
        r"zeile|buchstabe|answer|reply|response|antwort)\b(?: \w+){0,4}? (?:needs?|gets?|must|"
        r"has to|"
        r"should|shall|ought to|is to|muss|soll)\b",
        False,
    ),
)
