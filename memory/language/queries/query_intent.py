"""What somebody asks of the memory: questions about conversations, days, people and things.

Pure: it reads words, no database and no clock. What is not understood is None, and nothing that
states something is a question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.language.lazy_pattern import compile_lazily
from memory.language.queries.query_normalization import read_as

# A question to the memory is short; a longer text tells something.
MAX_INTENT_LENGTH = 300


class IntentKind(StrEnum):
    """What is wanted."""

    RECAP = "recap"
    LAST = "last"
    FIRST = "first"
    HOW_OFTEN = "how often"
    COUNT_TALKS = "count talks"
    LIST_TALKS = "list talks"
    SUM_UP = "sum up"
    SAID = "said"
    EVER = "ever"
    NOTES = "notes"
    WHO = "who"
    WHEN = "when"
    WHICH = "which"
    OPEN = "open"
    KNOW = "know"
    BEFORE = "before"
    SINCE = "since"
    FIRST_TOLD = "first told"
    FORGET = "forget"
    FORGET_ALL = "forget all"
    NEVER_MIND = "never mind"
    UPCOMING = "upcoming"
    TIDY = "tidy"


@dataclass(frozen=True)
class QueryIntent:
    """What is wanted, about what (in the asker's own words, '' for anything), and how.

    `mine`: only what its owner said counts. `talks`: conversations are counted, not messages.
    `which`: the words that name one conversation ('this', 'our last'). `sentence`: all of it, as
    it was asked.
    """

    kind: IntentKind
    about: str = ""
    mine: bool = False
    talks: bool = False
    which: str = ""
    sentence: str = ""


# Parts of the forms below.
_PARTS = {
    "TALK": r"(?:conversation|chat|talk|discussion|dialogue|thread)",
    "SAY": (
        r"(?:talk|speak|chat|discuss|mention|bring up|write|say anything|say something|tell you)"
        r"(?: (?:to|with) you)?(?: about| of| on)?"
    ),
    "SAID": (
        r"(?:talked|spoken|spoke|chatted|discussed|mentioned|brought up|written|wrote"
        r"|said anything|said something|told you)(?: (?:to|with) you)?(?: about| of| on)?"
    ),
    "ON": r"(?:about|on|of|with|regarding|concerning|related to|to do with|mentioning)",
    "WHO": r"(?P<who>i|we)",
    "WE": r"(?:i|we)",
    "X": r"(?P<about>.+)",
    # A thing that is named, and nothing that is stated of it: "my trip", not "that I was away".
    "THING": (
        r"(?P<about>(?!(?:that|how|what|when|where|why|who|whether|if|i|it|this|you|me"
        r"|anything|something)\b)"
        r"(?:(?!(?:is|are|was|were|am|has|have|had|will|would|can|i|who|that|because)\b)"
        r"[\w'&/.-]+ ?){1,7})"
    ),
    "SHOW": r"(?:list|show|show me|find|give me|see|tell me)",
    "GIVE": (
        r"(?:(?:give|write|make|show|tell|get)(?: me)?"
        r"|i(?: would|'d)? (?:want|need|like)(?: to have)?|may i have|can i (?:have|get))"
    ),
    "SUMMARY": (
        r"(?:(?:an?|the|your) )?(?:(?:short|brief|quick|little|small|whole) )*"
        r"(?:summary|recap|overview|summing[- ]up)"
    ),
    "WISH": r"(?:i (?:want|need|would like|'d like) you to )?",
    "AWAY": r"(?:forget|delete|erase|remove|wipe|clear|reset|destroy|unlearn)",
    "KNOWN": (
        r"you(?:'ve| have)?(?: ever)? (?:know|learned|learnt|noted|note|stored|store|saved|save"
        r"|remember|remembered|kept|keep|got|hold|have|written down|collected)"
    ),
    "ALL": r"(?:all (?:of )?)?(?:my|our|the|your)?",
    # What is arranged, days to come in words that name nothing else, and the dates of a diary.
    "PLANNED": (
        r"(?:coming(?: up)?|still to come|to come|planned|booked|scheduled|arranged|lined up|due"
        r"|ahead(?: of (?:me|us))?|(?:in|on) (?:my|our|the) (?:diary|calendar|schedule|agenda))"
    ),
    "DAYS": (
        r"(?P<about>(?:(?:on|for|in|at|over|during|by|from|until|this|next|the|coming|rest|of|later"
        r"|and|or|to|today|tonight|tomorrow|day|after|week|weekend|month|fortnight|days|weeks"
        r"|morning|afternoon|evening|night|few|couple|two|three|four|(?:mon|tues|wednes|thurs|fri"
        r"|satur|sun)day|mon|tues?|weds?|thurs?|fri|sat|sun|january|february|march|april|may|june"
        r"|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd|th)?)(?: |$))+)"
    ),
    "HAVE": r"(?:(?:do|have) (?:i|we) (?:have |got )?|is there |are there )",
    "DATES": r"(?:appointments?|plans?|dates|events?|deadlines?|commitments?|visits?|engagements?)",
    # A stretch of time at the end; which one it is, memory.language.dates.time_expressions reads.
    "TIME": (
        r"(?: ?(?:(?:in|on|during|since|over|from|last|this|yesterday|today|earlier|before|recently"
        r"|lately|so far|the last time|most|the other|between|until|the (?:past|last|day before"
        r"|week before|weekend|month before)|half a year ago|\w{1,9} \w{1,9} ago)\b.*))?"
    ),
}

# One form a line, a deeper line goes on with the one above (after a blank where it begins with _).
# The first that fits the whole of a sentence counts; what it is about and who said it are caught by
# {X} and {WHO}.
_FORMS = {
    IntentKind.NEVER_MIND: r"""
        (?:forget (?:it|about it)|never ?mind(?: that)?|let's (?:just )?move on)
            (?:[ ,;.-]+(?:then|please|let's|let us|we can|i'll|it's|that's|never ?mind|no)\b.*)?
        """,
    IntentKind.FORGET_ALL: r"""
        {WISH}{AWAY}(?: out)? (?:(?:about )?(?:all|everything|anything|whatever)(?: of it)?)
            (?:(?: of)?(?: the| your| my)? (?:notes|facts|memories|memory|information|data|things))?
            (?:(?: that| what)? {KNOWN})?(?: (?:about|of|on) me)?
            (?: (?:now|at once|for good|forever|completely))?
        {WISH}{AWAY}(?: out)? (?:what|whatever) {KNOWN}(?: (?:about|of|on) me)?
        {WISH}{AWAY}(?: out)? (?:everything|all)(?: that| what)? (?:i|i've|i have) ever
            _(?:said|told you|wrote|typed|written|sent)(?: to you)?
        {WISH}{AWAY}(?: out)? (?:the |your |my )?(?:whole |entire )?(?:memory|memories|data
            |information|notebook)(?: (?:about|of|on) me)?
        {WISH}(?:forget|erase|delete)(?: about)? me(?: (?:completely|for good|altogether))?
        {WISH}forget (?:that i exist|who i am|that you know me|you (?:ever )?knew me)
        {WISH}wipe (?:the|your|my) slate(?: clean)?
        """,
    IntentKind.FORGET: r"""
        (?:forget|delete|erase|remove|take back|unsay|take out) (?:all (?:of )?)?
            (?:what|everything|the last thing|the thing|anything)(?: that)? (?:i|i've|i have)
            (?: just| last)? (?:said|told you|wrote|typed|written|sent)(?: just now)?(?: to you)?
        (?:forget|delete|erase|remove|take back|unsay|take out) (?:my|the|that|this) last
            _(?:message|sentence|remark|thing|note|one)
        (?:forget|delete|erase|remove) (?:that|this)(?: (?:message|note|one))?
        (?:undo|revert|take back) (?:that|this|it|the last (?:one|note|thing))
        """,
    IntentKind.TIDY: r"""
        (?:clean|tidy|sort|straighten)(?: up| out)? (?:(?:all|my|your|our|the|of|old) ?)+
            _(?:notes|notebook|memory|memories)(?: up| out)?(?: a (?:bit|little))?
        """,
    IntentKind.UPCOMING: r"""
        what(?: all)?(?:'s| is| are| have (?:i|we)| do (?:i|we) have|'ve (?:i|we))(?: got)?
            (?: else| all| everything)? {PLANNED}(?: for (?:me|us))?(?: {DAYS})?
        (?:{SHOW}|list) (?:me )?(?:all|everything|anything|what)(?: that)?(?:'s| is| i have| we have
            | i've got)? {PLANNED}(?: for (?:me|us))?(?: {DAYS})?
        (?:which|what) {DATES} (?:do|should|must) (?:i|we) (?:need to |have to )?
            (?:remember|keep in mind|not forget|know about)(?: {DAYS})?
        what (?:should|must|do) (?:i|we) (?:not|need to|have to) (?:forget|remember) {DAYS}
        what(?:'s| is| have (?:i|we)| do (?:i|we) have|'ve (?:i|we))(?: got)?(?: else)?
            (?: (?:on|happening|going on))?(?: for (?:me|us))? {DAYS}
        what (?:am i|are we) (?:doing|up to) {DAYS}
        what (?:do|must|should) (?:i|we) (?:have|need)(?: to do| to remember)? {DAYS}
        {HAVE}?(?:anything|something|(?:any )?{DATES})(?: else)?(?: {PLANNED})(?: for (?:me|us))?
            (?: {DAYS})?(?: (?:that )?i should know(?: about)?)?
        {HAVE}?(?:anything|(?:any )?{DATES})(?: else)?(?: (?:on|happening|going on))? {DAYS}
        {HAVE}any (?:{PLANNED} |upcoming )?{DATES}
        (?:(?:what|which)(?: are)?|{SHOW}(?: all)?)(?: my| our| the)?(?: next| upcoming)?
             (?!plans$){DATES}(?: (?:do (?:i|we) have|are coming up|have (?:i|we) got|are there))?
            (?: {PLANNED})?(?: {DAYS})?
        (?:which|what|any) (?:birthdays|anniversaries|parties|trips)(?: are| is)? {PLANNED}
            (?: {DAYS})?
        what(?:'s| is| are) (?:my|our|the) plans? {DAYS}
        (?:what does|how does|how's|how is|what's|what is) (?:my|our)
            _(?:week|weekend|day|month|diary|calendar|schedule|agenda)
            (?: look(?:ing)?(?: like)?)?(?: {DAYS})?
        (?:what does|how does|how's|how is) {DAYS}look(?:ing)?(?: like)?(?: for (?:me|us))?
        (?:am i|are we) (?:free|busy|doing anything|booked|around) {DAYS}
        what's next(?: for (?:me|us))?
        """,
    IntentKind.SUM_UP: r"""
        (?:summari[sz]e|sum up|recap|{GIVE} {SUMMARY} of|{SUMMARY} of)
            _(?P<which>(?:this|our|the|my|that)?(?: ?(?:last|latest|previous))?)
             ?(?:whole |entire )?{TALK}s?(?: so far| today)?(?: {ON} {X})?
        sum (?P<which>(?:this|our|the|my|that)(?: (?:last|latest|previous))?)
             ?(?:whole |entire )?{TALK}s? up(?: so far| today)?
        (?:summari[sz]e|sum up) (?:what (?:we|i)(?:'ve)? (?:talked|said|discussed|spoke) about) {X}
        (?:summari[sz]e|sum up|sum (?:it|this|that) up)(?: (?P<which>this|it|that))?(?: so far)?
        (?:{GIVE} )?{SUMMARY}(?: of (?P<which>this|it|that))?(?: so far)?
        what (?:is|was) (?P<which>this|our last|the last|our previous|my last) {TALK} about
        """,
    IntentKind.COUNT_TALKS: r"""
        how many {TALK}s(?: (?:do i have|have i had|have we had|did we have|did i have|are there
            |with you|in all|in total|altogether))*{TIME}
        """,
    IntentKind.HOW_OFTEN: r"""
        (?:in )?how many (?P<talks>{TALK}s) (?:(?:are|were|do i have|have we had|have i had) )?
            (?:{ON}|did {WE} {SAY}|have {WE} {SAID}|mention) {X}
        (?:how often|how many times|how frequently)
            _(?:did|do|have|has|had) {WHO} (?:ever )?(?:{SAID}|{SAY}) {X}
        (?:how often|how many times|how frequently) (?:did|do|does|has|have|was|were|is) {X}
            _(?:come up|been mentioned|mentioned|discussed|been discussed|talked about)
        how many (?P<who>of my )?messages (?:mention|are about|about|are on) {X}
        """,
    IntentKind.LAST: r"""
        when did {WHO} (?:last|most recently) {SAY} {X}
        when (?:have|had) {WHO} last {SAID} {X}
        when (?:was|is) the last time(?: that)? {WHO}(?:'ve| have)? {SAID} {X}
        when (?:did|was|were) {X} (?:last|most recently)
            _(?:come up|mentioned|discussed|talked about)
        how long (?:ago did|(?:is|has) it(?: been)? since) {WHO} (?:last )?(?:{SAID}|{SAY}) {X}
        when was (?:the |our |my )?(?:last|latest) {TALK} {ON} {X}
        """,
    IntentKind.FIRST: r"""
        when did {WHO} first {SAY} {X}
        when was the first time(?: that)? {WHO} {SAID} {X}
        when (?:did|was|were) {X} first (?:come up|mentioned|discussed|talked about)
        """,
    IntentKind.FIRST_TOLD: r"""
        what did i (?:tell you|say|say to you|write|mention) (?:at )?first
        what (?:was|is) the (?:very )?first thing(?: that)? i(?: ever)? (?:said|told you|wrote)
            (?: to you)?
        what was my (?:very )?first (?:message|sentence)(?: to you)?
        """,
    IntentKind.LIST_TALKS: r"""
        (?:{SHOW}|open) {ALL} ?(?:recent |last |latest |old )?{TALK}s
            (?: (?:we|i)(?:'ve)? had)?{TIME}
        (?:{SHOW}|open) {ALL} ?(?:recent |last |latest |old )?{TALK}s?
            _(?:{ON}|that mention|(?:where|in which) (?:i|we) (?:talked|spoke) about) {X}
        (?:what|which) (?:of my |of our )?{TALK}s
            _(?:(?:do i have|have we had|did we have|are there|are|were) )?(?:{ON}|mention) {X}
        (?:what|which) {TALK}s (?:do i have|have we had|did we have|are there){TIME}
        (?:in )?(?:what|which) {TALK}s? (?:did (?:i|we) {SAY}|have (?:i|we) {SAID}) {X}
        """,
    IntentKind.RECAP: r"""
        what (?:did|have|were|was|had) (?:we|i) (?:talk|talked|talking|speak|spoken|speaking|chat
            |chatted|discuss|discussed|discussing|cover|covered|been talking)(?: with you| to you)?
            (?: about)?(?: with you)?{TIME}
        what (?:did|have|had) (?:we|i) (?:tell|told|say|said|write|written|mention|mentioned|share
            |shared)(?: (?:to )?you| with you)?
            (?= (?:today|yesterday|on|in|last|this|since|over|during|the|recently|lately)\b){TIME}
        what (?:was|were) (?:our|my) (?:last )?{TALK}s? about{TIME}
        """,
    IntentKind.SAID: r"""
        what (?:did|have|had) {WHO} (?:ever )?(?:say|said|tell you|told you|write|written|mention
            |mentioned|talk|talked|think|thought)(?: to you)? (?:about|on|of|regarding) {X}
        (?:(?:{SHOW}|quote|search|gather|collect)(?: me)? )?(?:what|everything|anything|all)
            (?: that)? {WHO}(?:'ve| have)?(?: ever)? (?:said|told you|wrote|mentioned|talked)
            (?: to you)? (?:about|on|of) {X}
        """,
    IntentKind.EVER: r"""
        (?:did|have|had) {WHO} (?:ever |already )*(?:mention|mentioned|discuss|discussed|bring up
            |brought up|(?:talk|talked|speak|spoke|spoken|chat|chatted|say|said|tell|told|write
            |wrote|written)(?: (?:(?:to|with) )?you)?(?: anything| something| a word| much)?
            (?: to you)? (?:about|of|on)) {THING}
        """,
    IntentKind.NOTES: r"""
        (?:{SHOW}|read|what are) {ALL} ?notes(?: (?:about|on|of|for) {X})?
        (?:what|which) notes (?:do you have|have you(?: got)?|did you (?:take|make)|are there
            |do i have)(?: (?:about|on|of) {X})?
        what (?:have you|did you) (?:noted|note|write down|written down)(?: (?:about|on) {X})?
        """,
    IntentKind.OPEN: r"""
        what(?:'s| is| are)(?: still)? (?:new|open|up|pending|waiting|unsettled|left open|to settle)
            (?: for me)?(?: today| now)?
        (?:is|are) there (?:anything|something)(?: still)? (?:new|open|waiting|to settle|pending)
            (?: for me)?
        anything(?: still)? (?:new|open|waiting|to settle|pending)(?: for me)?
        what (?:should|do|must) i (?:have to )?(?:settle|decide|confirm)
        what (?:questions|conflicts) (?:do you have|are open|are there)(?: for me)?
        what (?:have i missed|did i miss)
        """,
    IntentKind.KNOW: r"""
        what (?:else )?(?:do|have) you (?:know|remember|learned|noted|got) (?:about|on|of) {X}
        what(?:'s| is) (?:known|noted|remembered) (?:about|of) {X}
        (?:{SHOW}(?: me)? )?(?:what|everything|anything|all)(?: that)? you(?:'ve| have)?
            _(?:know|remember|noted|got) (?:about|on|of) {X}
        """,
    IntentKind.BEFORE: r"""
        (?:where|who|what|which \w+|for whom|what kind of \w+) (?:did|was|were|had|have) i
            _(?:used? to )?(?P<about>work|working|worked|live|lived|living|do|drive|study|studied
            |employed|based|reside)(?: (?:for|at|as|in|with))?
            _(?:before(?: that| this| then| now| .{2,60})?|previously|earlier|in the past|formerly)
        (?:what|who|where|which)(?:'s| is| was| were) my (?:previous|former|last|old|past|earlier)
            _(?P<about>[\w ]{2,40})
        where did i used? to (?P<about>work|live|study)
        """,
    IntentKind.SINCE: r"""
        since when (?:do|have|did|am|had|has) i (?:been )?{X}
        how long (?:have|had) i (?:been )?(?P<about>(?:a |an )?(?:work|liv|study|studi|speak|spok
            |driv|own|had|at |in |with |an? |play|learn|vegetarian|vegan|married).*)
        when did i (?P<about>(?:start (?:to )?(?:work|liv|driv|study|at |as |play|learn)
            |begin (?:work|liv|play|learn)|move (?:here|to|back)|join|become|take up|turn)\w*.*)
        """,
    IntentKind.WHEN: r"""
        (?:when|(?:on |in )?(?:what|which) (?:day|date|month|year)|at what time)
            _(?:did|was|were|is|are|do|does|has|have|had|will|am)(?:n't)? {X}
        (?:remember|know|recall|forgot|forget) when {X}
        """,
    IntentKind.WHO: r"""
        (?:who|whom|with whom|to whom|for whom|whose|which (?:person|people|friend|friends))
            (?:'s|'re|'d)? {X}
        """,
    IntentKind.WHICH: r"""
        (?:list|show me|name) (?:all (?:of )?)?(?:the |my )?(?P<about>\w+s (?:that )?(?:i|we)\b.+)
        (?P<about>(?:what|which)(?: [\w+/'-]+){1,3} (?:have|has) .+)
        (?P<about>(?:what|which)
            (?: (?!(?:is|are|was|were|do|does|did|will|would|can|could|should)\b)[\w+/'-]+){0,3}
            _(?!(?:news|is|was|does|has)\b)[\w+/-]*[a-rt-z+]s (?:do|does|did|are|were|has|have|can)
            \b.+)
        (?P<about>(?:what|which) (?:are|were) .+)
        (?P<about>(?:what|where|which \w+) (?:has|have) .+)
        """,
}
# These are wishes with or without a question mark; the others begin like a question.
ORDER_KINDS = frozenset(
    {
        IntentKind.SUM_UP,
        IntentKind.LIST_TALKS,
        IntentKind.NOTES,
        IntentKind.FORGET,
        IntentKind.FORGET_ALL,
        IntentKind.NEVER_MIND,
        IntentKind.SAID,
        IntentKind.TIDY,
    }
)

# What stands before a question and belongs to no part of it.
LEAD = compile_lazily(
    r"^(?:(?:hi|hello|hey|ok|okay|so|and|but|also|well|now|then|please|thanks|quick question|"
    r"by the way|btw|um|hmm|just|again|i wonder|i forgot|i forget|i want to know|i'd like to know|"
    r"(?:can|could|would|will) you(?: please)?(?: tell me| remind me)?|"
    r"do you (?:still )?(?:know|remember|recall)(?! when (?:i|we|my|our)\b)|tell me|remind me|"
    r"do you(?= (?:know|remember|recall) when))\b[ ,:]*)+",
    re.IGNORECASE,
)
# In the middle of an order: "sum this up, please, in short". What would please somebody is none.
_PLEASE = compile_lazily(r"(?<!to)(?<!would)(?<!will),? please\b,?", re.IGNORECASE)
_TAIL = compile_lazily(
    r"[ ,]*\b(?:please|again|exactly|by the way|btw|do you know)$", re.IGNORECASE
)
# A title before a name ends no sentence: "Dr. Moll"; nor does a short word before a small letter,
# which is mostly one cut short: "approx. three".
_SENTENCE = compile_lazily(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<=[.!?])\s+(?=[A-Z\d\"“])"
    r"|(?<=[!?])\s+(?=[a-z])|(?<=[a-z]{3}\.)(?<!approx\.)(?<!etc\.)(?<!incl\.)(?<!dept\.)\s+"
    r"(?=[a-z])|\n+"
)
_MARKS = " .!?…"


def _compiled() -> Iterator[tuple[IntentKind, re.Pattern[str]]]:
    for kind, block in _FORMS.items():
        joined = re.sub(r"\n {12}", "", re.sub(r"\n {12}_", " ", block))
        for form in joined.strip().split("\n"):
            whole = form.strip()
            for name, part in _PARTS.items():
                whole = whole.replace("{" + name + "}", part)
            yield kind, compile_lazily(whole, re.IGNORECASE)


_COMPILED = tuple(_compiled())


def read_intent(text: str) -> QueryIntent | None:
    """What a text asks of the memory; None for everything else.

    Of several sentences the last one counts: what stands before it tells what it is about.
    """
    plain = read_as(text.replace("’", "'")).strip()
    if len(plain) > MAX_INTENT_LENGTH:
        return None
    found = split_sentences(plain)
    return of_sentence(found[-1], core_of(found[-1])) if found else None


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each with its mark."""
    return [one for one in _SENTENCE.split(text) if one and one.strip(_MARKS)]


def of_sentence(sentence: str, core: str) -> QueryIntent | None:
    """What one sentence asks, without courtesies; `core` is what `core_of` leaves."""
    core = _PLEASE.sub("", core)
    asked = sentence.rstrip().endswith("?")
    for kind, form in _COMPILED:
        found = form.fullmatch(core)
        if found and (asked or kind in ORDER_KINDS or not _STATES.match(core)):
            return _made(kind, found, sentence)
    return None


def core_of(sentence: str) -> str:
    """A sentence, read without courtesies, without its mark and the politeness around it."""
    plain = " ".join(sentence.replace("’", "'").split())
    return _TAIL.sub("", LEAD.sub("", plain).rstrip(_MARKS)).strip()


# "When is best left open." or "Who knows": said and not asked.
_STATES = compile_lazily(r"(?:who knows|whose|when (?:is|are) best|what a)\b", re.IGNORECASE)


def _made(kind: IntentKind, found: re.Match[str], sentence: str) -> QueryIntent:
    caught = found.groupdict()
    return QueryIntent(
        kind=kind,
        about=(caught.get("about") or "").strip(_MARKS + ",;:\"'“”"),
        mine=(caught.get("who") or "").lower().strip() in ("i", "of my"),
        talks=bool(caught.get("talks")),
        which=(caught.get("which") or "").lower().strip(),
        sentence=sentence,
    )
