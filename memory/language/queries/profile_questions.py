"""What a question asks about the person who asks it.

A text is cut into sentences; each is stripped of politeness ("hey, do you remember ...") and must
then match one question form to its end. Matching to the end is the guard: "What's my name doing in
this file?" asks about a file.
"""

from __future__ import annotations

import re

from memory.language.engine.whitespace import evened

ALL_SLOTS = "*"
MAX_CHARS = 2_000
"""Characters read; a question about oneself is short."""

# Slot keys by what people call them after "my". Order inside a tuple is best first.
_NOUNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"(?:full |first |last |real )?name|surname", ("name",)),
    (r"nick ?name|preferred name", ("preferred_name", "name")),
    (r"pronouns?", ("pronouns",)),
    (r"age", ("age", "birthday")),
    (r"birth ?(?:day|date)|date of birth|bday", ("birthday",)),
    (r"employer|company|work ?place|place of work|firm|place of employment", ("employer",)),
    (r"(?:current )?(?:job|work)", ("job_title", "employer")),
    (r"(?:current )?(?:job title|title|occupation|profession|role|position)", ("job_title",)),
    (r"(?:career |work )?goals?(?: at work)?|dream jobs?|ambitions?", ("career_goal",)),
    (r"(?:employment|work) status|working life", ("employment_status", "job_title")),
    (r"possessions|belongings", ("possessions", "vehicle")),
    (r"living situation|kind of home", ("home", "location")),
    (r"career", ("job_title", "employer", "industry")),
    (r"industry|field|line of work|sector", ("industry",)),
    (r"education|degrees?|school|university|college|major|alma mater", ("education",)),
    (r"(?:native |first |mother )?(?:languages?|tongue)", ("languages",)),
    (r"expertise|skills?|strengths?|specialt(?:y|ies)", ("expertise",)),
    (r"(?:current )?projects?", ("current_project",)),
    (r"preferences?|working style|preferred \w+(?: \w+)?", ("preferences",)),
    (r"limits|constraints|limitations", ("constraints",)),
    (r"interests?|hobb(?:y|ies)|passions?|pastimes?", ("interests", "likes")),
    (r"likes(?: and dislikes)?|tastes?", ("likes", "dislikes")),
    (r"favou?rite \w+(?: \w+)?", ("likes", "interests")),
    (r"dislikes|pet peeves?|least favou?rite \w+", ("dislikes",)),
    (r"(?:home |current )?(?:city|location|address|country|residence)", ("location",)),
    (r"home ?town|birth ?place|place of birth|origins?", ("hometown",)),
    (r"(?:car|vehicle|bike|truck|motorcycle)s?", ("vehicle",)),
    (
        (
            r"(?:family|kids?|children|siblings?|parents|sisters?|brothers?|sons?|"
            r"daughters?|wife|husband|"
            r"partner|mother|father|mom|mum|dad)(?:s names?|s? names?)?"
        ),
        ("family",),
    ),
    (r"(?:pet|dog|cat)s?(?: names?)?", ("pets",)),
    (r"diet|dietary (?:needs|requirements|restrictions|preferences)", ("diet",)),
    (r"(?:food )?allerg(?:y|ies)", ("diet", "medical")),
    (r"mental health", ("mental_health",)),
    (r"health|medical history|condition|diagnosis", ("medical",)),
    (r"salary|income|finances|debts?", ("financial",)),
    (r"marital status|relationship status", ("relationships",)),
    (r"religion|faith", ("religion",)),
    (r"politics|political views", ("politics",)),
    (r"ethnicity", ("ethnicity",)),
    (r"sexual orientation|sexuality", ("sexual_orientation",)),
)

_LEAD = re.compile(
    r"^(?:(?:hi|hello|hey|ok|okay|so|and|but|also|well|now|then|please|quick question|by the "
    r"way|btw|"
    r"assistant|um|hmm|just|again|remind me|tell me|say|i (?:forgot|forget|wonder)|guess|"
    r"(?:do|can|could|would|will|did) (?:you|u)(?: (?:still|even|please|happen to|actually))*"
    r"(?: (?:know|remember|recall|tell(?: me)?|remind me|say|guess))?|any idea|"
    r"(?:you|u) (?:know|remember)|i want to know|i would like to know|id like to know|let me know|"
    r"what do you think|are you able to (?:tell me|say)|about|of) )+"
)
_TAIL = re.compile(
    r"(?: (?:again|please|now|right now|currently|today|these days|at the moment|then|anyway|"
    r"by the way|btw|do you (?:know|remember|recall)|can you (?:tell me|remember)|"
    r"for (?:a living|work)|exactly|thanks|in this (?:chat|conversation|thread)))+$"
)
_NEXT_QUESTION = re.compile(
    r"\s*(?:[.!?\n;,]++|\band\b)\s*(?=(?:(?:also|and|do you \w+|tell me) )?"
    r"(?:what|who|where|when|how|which|whats|wheres|whens|whos|do i|am i|is my|did i)\b)"
    r"|[.!?\n;]+\s*"
)

_I = r"(?:do i|did i|am i|i am|im|i|i do|ive|have i|i have)"

# One line a question form; "N" stands for what follows "my". The best slot comes first.
_FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        (
            r"(?:what|how much|everything|anything|something|things)? ?(?:all )?(?:do |have )?"
            r"(?:you|u) "
            r"(?:know|remember|remembered|learned|learnt|stored|noted|saved|have)(?: so far)? "
            r"(?:about|on) (?:me|myself)(?: so far)?"
        ),
        (ALL_SLOTS,),
    ),
    (
        (
            r"(?:what|everything|anything|something|things|all)(?: that)? (?:you|"
            r"u) (?:know|remember|"
            r"have) "
            r"(?:about|on) me"
        ),
        (ALL_SLOTS,),
    ),
    (
        r"(?:what (?:is|are|s)|show me|list) (?:in )?(?:my (?:profile|facts|memories)|about me)",
        (ALL_SLOTS,),
    ),
    (
        (
            r"(?:who (?:am i|i am)|(?:know|remember|describe) me|me|(?:something )?about me|"
            r"(?:what|everything) about me)"
        ),
        (ALL_SLOTS,),
    ),
    (
        r"what (?:should|do|shall|will|can|would) (?:you|u|i like you to|i want you to) call me",
        ("preferred_name", "name"),
    ),
    (
        (
            r"(?:what (?:do|would) i (?:like|want|prefer) to be called|"
            r"how (?:should|do) you address me|"
            r"what (?:am i|i am) called|what to call me|what do i go by)"
        ),
        ("preferred_name", "name"),
    ),
    (
        (
            rf"(?:where|who|whom|what company|which company|what firm)(?: is it)?(?: that)? {_I} "
            r"(?:currently )?(?:work|working|employed)(?: at| for| by| with)?(?: now)?"
        ),
        ("employer",),
    ),
    (
        (
            r"who (?:employs me|pays my salary)|"
            r"for (?:whom|which company|what company) (?:do i|i) work"
        ),
        ("employer",),
    ),
    (
        (
            rf"(?:what|which) (?:kind of work |sort of work |work )?(?:is it (?:that )?)?{_I} "
            r"(?:do|work as|working as)|what my work is"
        ),
        ("job_title", "employer", "industry"),
    ),
    (
        rf"(?:what|which) (?:field|industry|sector|area) {_I} (?:work|working) ?(?:in)?",
        ("industry",),
    ),
    (
        (
            rf"(?:where|what city|which city|what town|which town|what country|which country|"
            rf"what state|"
            rf"which state|what place) {_I} (?:currently )?(?:live|living|based|"
            rf"located|reside)(?: in"
            rf"| at)?"
        ),
        ("location",),
    ),
    (
        (
            rf"where {_I} (?:come )?from|where {_I} originally from|where {_I} (?:born|raised)|"
            rf"where (?:was i|i was) (?:born|raised)|where {_I} (?:grow|grew) up"
        ),
        ("hometown",),
    ),
    (r"how old (?:am i|i am|im)|what age (?:am i|i am)", ("age", "birthday")),
    (r"(?:when|what year) (?:was i|i was) born|what day (?:was i|i was) born", ("birthday", "age")),
    (
        r"(?:when|what day|what date)(?: is|s)? my (?:birthday|bday|birth date)(?: is)?",
        ("birthday",),
    ),
    (
        rf"(?:what|which|how many) languages? (?:{_I}|can i|i can) (?:speak|know|talk|fluent in)",
        ("languages",),
    ),
    (rf"what (?:things )?{_I} (?:like|love)(?: most| best)?", ("likes", "interests")),
    (
        (
            rf"what {_I} (?:enjoy|enjoy doing|like to do|like doing|love to do|interested in|into|"
            r"passionate about|do for fun|do in my (?:free|spare) time)"
        ),
        ("interests", "likes"),
    ),
    (
        (
            r"what (?:do i dislike|do i hate|i hate|i dislike|dont i like|"
            r"do i not like|i dont like|"
            r"cant i stand)|what things do i (?:hate|dislike)"
        ),
        ("dislikes",),
    ),
    (
        (
            rf"what (?:{_I}|can i|i can) (?:eat|not eat)|what (?:cant i|i cant|dont i|"
            rf"i dont) (?:eat|"
            r"drink)|what foods? (?:do i|should i) avoid"
        ),
        ("diet",),
    ),
    (
        r"what (?:am i|i am|im) allergic to|am i allergic to (?:anything|something)|"
        r"(?:what|which) allergies (?:do i have|have i got)|do i have (?:any )?allergies",
        ("diet", "medical"),
    ),
    (
        rf"(?:what|which)(?: kind of| sort of| type of)?(?: car| vehicle)? {_I} (?:drive|driving)",
        ("vehicle",),
    ),
    (
        (
            rf"what(?: kind of| sort of)? (?:pets?|animals?|dogs?|cats?) {_I} (?:have|own|got)|"
            r"(?:how many|which|what) (?:pets|dogs|cats) do i have|do i have (?:any |a )?(?:pets?|"
            r"dogs?|cats?)"
        ),
        ("pets",),
    ),
    (
        (
            r"(?:how many|what|do i have any|do i have) (?:kids|children|siblings|sisters|brothers)"
            r"(?: do i have)?"
        ),
        ("family",),
    ),
    (rf"(?:what|which) {_I} (?:working on|work on|building|writing)", ("current_project",)),
    (
        (
            rf"where {_I} (?:study|studying|studied|go to (?:school|university|"
            rf"college)|went to school|"
            rf"graduate from)|what {_I} (?:study|studying|studied|major in)"
        ),
        ("education",),
    ),
    (rf"what {_I} (?:good at|best at|an expert in|know about|skilled at)", ("expertise",)),
    (
        (
            rf"(?:what|how) {_I} (?:prefer|like (?:my|your) (?:answers|replies)|"
            rf"like things(?: done)?)|"
            r"how should you (?:answer|reply to|talk to) me"
        ),
        ("preferences",),
    ),
    (rf"which pronouns {_I} use|what pronouns {_I} use", ("pronouns",)),
    (r"(?:am i|do i) (?:work|working|employed) (?:at|for|with) .{1,60}", ("employer",)),
    (r"(?:am i|do i) (?:live|living|based) in .{1,60}", ("location",)),
    (r"is my name .{1,40}", ("name",)),
    (r"am i (?:a |an )?(?:vegetarian|vegan|pescatarian)", ("diet",)),
    (r"am i (?:married|single|divorced)", ("relationships",)),
    (r"do i (?:like|love|enjoy) .{1,60}", ("likes", "interests", "dislikes")),
    (r"do i (?:hate|dislike) .{1,60}", ("dislikes", "likes")),
    (r"do i speak .{1,40}", ("languages",)),
)

_COMPILED = tuple((re.compile(form), slots) for form, slots in _FORMS)
_COMPILED_NOUNS = tuple((re.compile(noun), slots) for noun, slots in _NOUNS)
_MY = re.compile(
    r"(?:what|who|whats|whos|wheres|where|whens|when|which|how|whatre|show me|list)?"
    r"(?: (?:is|are|was|were|s|do you (?:know|remember|have) (?:about|on|for|as)))? ?"
    r"\bmy (?P<nouns>[\w ]{2,60}?)(?: (?:is|are|was|called|named))*"
)
_ASKING_WORD = re.compile(
    r"^(?:what|who|whom|where|when|which|how|is|are|am|do|did|was|whats|whos|wheres|whens|for)\b"
)


def asked_about(text: str) -> tuple[str, ...]:
    """Slot keys that a text asks about its own author, best first.

    ``("*",)`` means everything that is known. Empty when nothing is asked, when someone else is
    asked about, or when the question is about something that merely mentions the person. Reads
    the first :data:`MAX_CHARS` characters; never raises.
    """
    found: list[str] = []
    for sentence in _sentences(text[:MAX_CHARS]):
        found.extend(slot for slot in _asked_in(sentence) if slot not in found)
    return tuple(found)


def only_asks_about_author(text: str) -> bool:
    """Whether every sentence of a text asks about its own author."""
    parts = [part for part in _sentences(text[:MAX_CHARS]) if part]
    return bool(parts) and all(_asked_in(part) for part in parts)


def _sentences(text: str) -> list[str]:
    plain = text.lower().replace("\u2019", "'").replace("'", "")
    plain = evened(re.sub(r"[^\w\s.!?;,\n]", " ", plain))
    return [" ".join(part.replace(",", " ").split()) for part in _NEXT_QUESTION.split(plain)]


def _asked_in(sentence: str) -> tuple[str, ...]:
    core = _LEAD.sub("", sentence + " ").strip()
    prompted = len(core) < len(sentence) and bool(
        re.search(
            r"\b(?:me|know|remember|recall|forgot|forget|wonder|idea|guess)\b",
            sentence[: len(sentence) - len(core)],
        )
    )
    core = _TAIL.sub("", core)
    if not (prompted or _ASKING_WORD.match(core) or re.match(r"(?:show|list|describe)\b", core)):
        # "everything you know about me" needs no question word; "my job" does.
        return (ALL_SLOTS,) if re.search(r"\b(?:know|remember) about me$", core) else ()
    for form, slots in _COMPILED:
        if form.fullmatch(core):
            return slots
    whole = _MY.fullmatch(core)
    return _nouns(whole["nouns"]) if whole else ()


def _nouns(phrase: str) -> tuple[str, ...]:
    """Slots for "name", "name and job"; nothing if any part is unknown ("name doing here")."""
    found: list[str] = []
    for pattern, slots in _COMPILED_NOUNS:
        if pattern.fullmatch(phrase):
            return slots
    parts = re.split(r" (?:and|or) (?:my )?", phrase)
    if len(parts) == 1:
        return ()
    for part in parts:
        slots = _nouns(part)
        if not slots:
            return ()
        found.extend(slots[:1])
    return tuple(dict.fromkeys(found))
