"""What an answer must say, in the words that orders dressed as wishes use.

How to answer (short, in German, numbers first) is for its reader to wish. What the answer says is
not: a name to praise, an address, a claim, a text to carry, a risk to be silent about. Read in the
text as it stands, because the capital tells a name from a kind of thing.
"""

from memory.language.lazy_pattern import lazy_pattern

_ANSWER = r"(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?)"
_TALK = rf"(?:{_ANSWER}|chats?|conversations?|talks?)"
_ASKED = (
    r"(?:i (?:ever |happen to )?(?:ask|am asking|inquire)|questions? (?:about|on|of|to|regarding)|"
    r"(?:any|every|all|each|my|to)(?: \w+)? questions?|(?:comes?|is brought|are brought) up)"
)
ABOUT_ANSWERS = lazy_pattern(
    rf"(?i:\b(?:{_TALK}|{_ASKED}|you|your|chatting|assistant|respond(?:s|ing)?|reply(?:ing)?))\b"
)
"""That a sentence speaks of what the assistant says."""

OF_ANSWERS = lazy_pattern(
    rf"(?i:\b(?:{_ANSWER}|{_ASKED}|(?:when|if|that|as) you|you to|assistant)\b)"
)
"""That it speaks of answers by name, or of what is asked or wished of the assistant."""

WISHED = lazy_pattern(
    r"(?i:\b(?:prefer\w*|preferences?|like|likes|love|loves|enjoy|want|wants|need|wish|hope|expect|"
    r"happ(?:y|ier|iest)|annoy\w*|bother\w*|upset\w*|glad|"
    r"delighted|pleased|pleasant|comfort|calms?|ease|peace|feel|feels|"
    r"appreciate|rather|suits|trust|taste|style|habit|used to|custom|rule|policy|convention|"
    r"favou?rite|default|always|never|every|each|any|all|whenever|when i|if i|"
    r"for me|to me|with me|remember|keep in mind|bear in mind|note|"
    r"for the record|important|matters|should|must|ought|has to|have to|please|so|therefore|hence|"
    r"it \w+ (?:me|us) (?:when|if|that)|because|since|grateful|thankful|"
    r"from now on|in future|questions?|in (?:my|our|your)))\b"
)
"""That it says how things shall be, and not how they once were."""

# Names that are ways of writing, counting or greeting, and no party to anything.
_WAYS = (
    r"(?:I(?:'\w+)?|[A-Z]{2,4}s?|[A-Z]\w+(?:ian|ish|ese|ean|ican)|French|German|Dutch|Greek|Swiss|"
    r"Arabic|Hindi|Turkish|Python|Java|JavaScript|TypeScript|Rust|Markdown|Latex|LaTeX|Unicode|"
    r"Celsius|Fahrenheit|Kelvin|Roman|Latin|Oxford|Yes|No|Hi|Hello|Dear|Mr|Mrs|Ms|Socratic|Excel|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|"
    r"June|July|August|September|October|November|December)\b"
)
_NAME = rf"(?!{_WAYS})[A-Z][\w'&-]+"
# "About Bach", "in Rome", "from Korea": what it is about, and where.
_NOT_ABOUT = "".join(
    rf"(?<!\b{word})"
    for word in "about on in near from at by like of for through after before into to my me".split()
)
_SUPERLATIVE = r"(?:best|safest|cheapest|finest|greatest|healthiest|fastest|leading|top|only|most)"

# Who says it: the answer, the assistant, or what stands for them.
_SPEAKER = (
    rf"\b(?:{_ANSWER}(?: (?!(?:is|are|was|were)\b)[\w']+){{0,4}}?|you|they|it|which|that|ones?|"
    r"assistant)\s+"
    r"(?:(?:always|also|simply|just|should|must|would|could|will|can|shall|to|usually|then|only|"
    r"clearly|please|never fails? to)\s+){0,3}"
)
_CLAIMS = (
    r"(?:says?|saying|states?|claims?|affirms?|confirms?|insists?|agrees?|asserts?|concludes?|"
    r"argues?|admits?|believes?|assumes?|accepts?|repl(?:y|ies)|answers?|responds?|"
    r"(?:tells?|reminds?|assures?) (?:me|us|people|everyone|them|everybody)|(?<=if you )said)"
)
# "That I did well", "that you are not sure", "that a source is weak": no claim about the world.
_NO_CLAIM = (
    r"(?:i|i'\w+|my|you|you'\w+|your|it|it'\w+|they|we|we'\w+|this|these|that|there|everything|"
    r"something|nothing|things?|all|an?|one|some|what|when|if|how|why|the (?:answers?|questions?|"
    r"sources?|claims?|data|numbers?|information|facts?|truth|topic))\b"
)
_NAMING = (
    r"(?:mention|name|recommend|suggest|praise|promote|endorse|advertise|plug|push|favou?r|advise|"
    r"bring|point|refer|send|direct|credit|quote|cite|link|steer|lead|tell|urge|encourage|advocate|"
    r"highlight|treat|vote|(?:conclude|close|end|finish|start|begin|open|sign)(?:e?s|ing|ed)?"
    r"(?: \w+){0,3}? (?:with|on|by))(?:e?s|ing)?"
)
_MADE_KNOWN = (
    r"(?:mentioned|named|recommended|praised|suggested|promoted|endorsed|favou?red|quoted)"
)
_TO_A_NAME = (
    r"(?:(?:only|just|always|first|out|up|buying|using|visiting|trying|with|on|to|for|me|us|people|"
    r"everyone|them|the|our|that|go|vote|buy|use|choose|name|brand|company|firm|how|great|good|"
    r"advice|recommendation|mention|of)\s+){0,5}"
)
_DENIED = r"(?:no|not|never|n't|without|hate|dislike|avoid|stop|worse|distrust)"
_LEAVES_OUT = (
    r"(?:(?:leav(?:e|es|ing)|left) (?:out|away|off)|omit(?:s|ted|ting)?|skip(?:s|ped|ping)?|"
    r"drop(?:s|ped|ping)?|hid(?:e|es|ing|den)|conceal(?:s|ed|ing)?|suppress(?:es|ed|ing)?|"
    r"exclud(?:e|es|ed|ing)|ignor(?:e|es|ed|ing)|downplay(?:s|ed|ing)?|play(?:s|ed|ing)? down|"
    r"without|free (?:of|from)|no(?! (?:more|less|longer|fewer))|nothing (?:about|of|on)|"
    r"(?:silent|quiet) (?:about|on))"
)
_LEFT_OUT = r"(?:left (?:out|away|off)|omitted|skipped|dropped|hidden|suppressed)\b"
_UNTOLD = (
    r"(?:want|need|mention|bring up|speak of|talk about|hear(?: of| about)?|name|list|include|"
    r"tell me(?: of| about)?|warn(?: me)?(?: of| about)?)"
)
_SAFEGUARDS = (
    r"(?:warnings?|risks?|dangers?|hazards?|harms?|side[- ]effects?|contraindications?|drawbacks?|"
    r"downsides?|disadvantages?|sources?|competitors?|competition|criticisms?|critics|rivals?)"
)
_TEXT = r"(?:words?|phrase|slogan|motto|sentence|line|hashtag|tagline)"
_CARRIES = (
    r"(?:with|on|by|carr(?:y|ies|ying)|includ(?:e|es|ing)|contain(?:s|ing)?|bear(?:s|ing)?|"
    r"repeat(?:s|ing)?|says?|saying|prints?|add(?:s|ing)?|use(?:s|ing)?)"
)
_ADDRESS = (
    r"(?:\bwww\.|https?:|[\w-]\.(?:com|net|org|io|xyz|example|info|biz|shop|app|ai|de|co|uk)\b|"
    r"\w@\w|(?<![\d.,])(?<![\d.,] )0\d{2,}(?:[ /-]?\d+)*\b|(?<![\d-])\d{3,}-\d{3,}\b|\+\d[\d ]{6,})"
)
_MANNER = (
    r"(?:tone|language|format|length|style|units?|currency|spelling|clock|limit|maximum|minimum|"
    r"default|level|voice|register|order|aim|goal|idea|point|way|main thing)"
)
_IS = r"(?:is|are|was|were|has|have|will be|won|costs|lies)"

_PATTERNS = (
    # "The right answer for me is NordBank", "I get the answer NordBank", "is answered by NordBank"
    rf"(?i:\b(?:right|correct|proper|true|official|expected) (?:answer|reply|response)\b)"
    rf"[^:;,]{{0,30}}?\b(?:is|be)\s+(?:always\s+|simply\s+)?(?:(?:that|the|yes|no|\d)\b|{_NAME})",
    rf"(?i:\b(?:answer|reply|response))(?:\s+(?i:(?:for|to) \w+))?(?:\s+(?i:is|be|are|being))?"
    rf"(?:\s+(?:always|simply|just|only))?\s+{_NAME}",
    rf"(?i:\b(?:answer|reply|respond)(?:s|ed|ing)?)\b[^.:;]{{0,40}}\b(?i:with|by)\s+{_NAME}",
    # A name to be told, or told first
    rf"(?i:\b{_NAMING})\s+(?i:{_TO_A_NAME}){_NAME}",
    rf"(?i:\b(?:recommendation|advice|mention|praise|advert) (?:of|for))\s+{_NAME}",
    rf"{_NAME}(?: {_NAME})*\s+(?:(?:to be|be|is|are|being|always)\s+{_MADE_KNOWN}\b|"
    rf"{_MADE_KNOWN}\s+(?:first|always|in (?:an?|any|every|each|all)|whenever|when)\b)",
    rf"{_NAME}\s+(?:comes?|goes|stands|appears|to (?:come|go|stand)) (?:first|on top|at the top)\b",
    rf"(?i:\b(?:see|read|find|hear))\s+{_NAME}(?: {_NAME})*\s+"
    r"(?i:(?:in|on) (?:any|every|each|all|your))\b",
    rf"(?i:\b(?:answers?|repl(?:y|ies)|responses?|explanations?)\s+(?:\w+\s+){{0,3}}?"
    rf"(?:that|which|where|without|in which|to [a-z]+))\b[^.:;,]{{0,40}}?{_NOT_ABOUT}\s{_NAME}",
    rf"(?i:\bhow (?:great|good|safe|cheap|reliable|wonderful|nice))\s+{_NAME}",
    # The best of its kind, by order
    rf"(?i:\b(?:name|describe|present|praise|rank|recommend|list|portray)(?:e?s|ing)?)\b"
    rf"[^.:;]{{0,40}}\bas (?:the|an?) {_SUPERLATIVE}\b",
    rf"(?i:\bcall(?:s|ing)?)\s+(?:it|them|{_NAME})\b[^.:;,]{{0,20}}\bthe {_SUPERLATIVE}\b",
    rf"(?i:\bcalled the {_SUPERLATIVE})\b",
    # A claim
    rf"(?i:\b(?:hear|be told|read)\s+(?:that\s+(?!{_NO_CLAIM})|(?:it|the \w+) (?:is|will|was)\b))",
    r"(?i:\b(?:den(?:y|ies|ying)|pretends?|disput(?:es?|ing))\s+(?!me\b|my\b|you\b)\w)",
    # Words to be carried
    rf"(?i:\b{_CARRIES} the (?:\w+ )?{_TEXT}:?\s+(?!(?:you|we|i|if|from|as|of|about|that|which|"
    r"with|in|for|to|or|and|should|must|is|are|has|"
    r"first|limit|count|length|itself|short|before|after|on|at|by)\b))\w"
    r"(?![^.!?]{0,40}\b(?:not|instead of|rather than)\b)",
    rf"(?i:\b(?:first|last|final|closing|opening) {_TEXT}\b)[^.:;]{{0,30}}"
    r"\b(?:is|are|be|reads?|says?):?\s+[\"A-Z]",
    # A fact of the world by the rules of a talk
    rf"(?i:\b(?:rule|policy|convention|preference|style|habit|default|principle|taste)s?\b[^.:]"
    rf"{{0,40}}:\s*|(?:^\W*(?:\w+ ){{0,3}}?|, )(?:in|for|during) (?:\w+ ){{0,2}}{_TALK}"
    rf"(?: with (?:me|you)| to me)?,?\s+)(?!(?i:{_NO_CLAIM}|(?:the|your|an?) {_MANNER}\b))"
    rf"(?:{_NAME}(?: \w+){{0,3}} {_IS}\b|[^.:;,]{{1,60}}?\b{_IS}\s+(?:\w+ )?(?:{_NAME}|\d))",
)
DICTATED = tuple(lazy_pattern(pattern) for pattern in _PATTERNS)
"""What is to be said, each in a sentence about answers that wishes something."""

_IN_ANSWERS = (
    # A claim, with "that" or about a name
    rf"(?i:{_SPEAKER}(?:(?:that|which|to)\s+)?{_CLAIMS}\s+that\s+(?!{_NO_CLAIM}))\w",
    rf"(?i:{_SPEAKER}{_CLAIMS})\s+{_NAME}",
    # Words in quotes
    r"(?i:\b(?:(?:say|end|begin|start|finish|close|conclude|open|include|contain|"
    r"add|carr(?:y|ies)|repeat|sign|print|state|bear)(?:e?s|ing|ed)?\b[^.:;\"]{0,25}|"
    r"(?:answer|reply|repl(?:ies)|respond)(?:e?s|ing|ed)?(?: \w+){0,3}?(?: with)?:?\s))"
    r"(?:\"|(?<!\w)')\w",
    # An address or a number to be told
    _ADDRESS,
)
DICTATED_OF_ANSWERS = tuple(lazy_pattern(pattern) for pattern in _IN_ANSWERS)
"""The same, in what speaks of answers by name (`OF_ANSWERS`)."""

SILENCED = lazy_pattern(
    rf"(?i:(?:\b(?:{_LEAVES_OUT}|(?:never|not) {_UNTOLD})|n't {_UNTOLD})\s+"
    r"(?:(?!(?:you|to|than|leav\w+|forget\w*|skip\w*)\b)[\w']+\s+){0,4}?"
    rf"{_SAFEGUARDS}\b(?! (?:to be )?{_LEFT_OUT})|\b{_SAFEGUARDS} (?:to be |be |are )?{_LEFT_OUT})"
)
"""Warnings, risks and sources to be left out."""

DENIED = lazy_pattern(rf"(?i:\b{_DENIED}\b|n't\b)")
"""What turns such an order round: "never leave out the risks", 'do not say "as I said"'."""

NAMED_BY_ONESELF = lazy_pattern(
    r"(?i:\b(?:call|address|greet|name) me\b|\bmy name\b|\bi(?:'m| am) called\b|"
    r"\bi (?:say|write|type|mean)\b|\bmy (?:\w+ )?(?:dog|cat|son|daughter|wife|husband|sister|"
    r"brother|mother|father|mum|mom|dad|partner|friend|boss)\b)"
)
"""What people ask to be called, and whom they name as theirs."""
