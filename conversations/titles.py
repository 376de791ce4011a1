"""Automatic titles of conversations: words of the messages, and the time.

A title is a name and a time, `dd-mm:HH:MM`; pages that show the date leave out the time. The name
is the first statement or question, without introductory words. A long one is replaced by its facts
or names, or cut after a clause or a word.
"""

import re
from datetime import datetime

from memory.language.reading import ASKING, Reading
from memory.language.safety.secrets import redact_secrets
from memory.language.text.dedup import content_stem_ids
from memory.slots import GROUPS, SLOTS, WITH_NAMES

# The name if no words of the messages may be shown.
UNNAMED = "A conversation"
# The name while there were only greetings.
NEW = "New conversation"
# Names of private and temporary conversations; a number is appended.
PRIVATE = "Private conversation"
TEMPORARY = "Temporary conversation"
_STAMPED = re.compile(r"(.*\S) (\d\d-\d\d:\d\d:\d\d)", re.DOTALL)
_LONGEST = 60
# A longer sentence is cut after a clause of at least so many characters, else after a word.
_LEAST_OF_A_CLAUSE = 24
_CLAUSE = re.compile(r"[,;:–—](?=\s)")
# How many characters of a long text are read.
_READ_CHARACTERS = 1_000
_SENTENCE = re.compile(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<=[.!?…])\s+|\n+"
)
_HELLO = (
    r"(?:hi|hello|hey|hiya|yo|dear|greetings|good (?:morning|afternoon|evening|day)|morning"
    r"|thanks|thank you|thx|ok|okay|well|so|oh|right|now|yes|yep|no|nope|lol|haha|cheers|bye"
    r"|goodbye|danke|merci|gracias|obrigad[oa]|grazie|hallo|moin|guten (?:tag|morgen|abend)|bonjour"
    r"|salut|hola|buenos d[ií]as|buenas|ol[áa]|bom dia|ciao|buongiorno|hej|cze[śs][ćc])\b"
)
_SAYS_HELLO = re.compile(_HELLO, re.IGNORECASE)
_GREETS = re.compile(
    rf"(?:{_HELLO}(?:[ ,]+[\w']+){{0,2}}"
    r"|(?:how are you|i hope|hope)[\w' ]{0,40}|(?:one|a)? ?(?:quick|small|short) question"
    r"|(?:nice|good|lovely) to (?:meet|see) you[\w' ]{0,20}|[\w'-]+)\W*",
    re.IGNORECASE,
)
# "Hi there, I work ..."
_OPENS = re.compile(
    rf"^{_HELLO}(?: (?:there|all|again|then|you|[A-Z]\w+))?[,!.:–—-]+\s+", re.IGNORECASE
)
# The subject line of a pasted e-mail.
_SUBJECT = re.compile(
    r"^(?:subject|betreff|objet|asunto|assunto|oggetto):[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE
)
# Introductory words: "could you remember that", "I want to ask about", "what is". More than one
# word must remain. Words that mark a question or a guess stay: "did I say I smoke", "I think I am
# ill", "tell me where I live".
_LEADS = re.compile(
    r"(?:(?:please|pls|plz|btw|by the way|fyi|actually|just so you know|for your information)\b"
    r"[ ,:–—-]*"
    r"|(?:(?:can|could|will|would) (?:you|u) )?(?:(?:please|pls|plz) )?"
    r"(?:remember|note(?: down)?|keep in mind|don['’]?t forget|remind me|tell me|help me"
    r"|(?:put|write|jot) (?:(?:this|that|it) down|down(?=:| that\b)))\b"
    r"(?: please)?(?: (?:that|to|about|of|with)\b)?[ ,:]*"
    r"|(?:do|did) (?:you|i) (?:know|remember|tell you|mention|say)\b"
    r"(?: about\b| (?=(?:when|what|who|where)\b))[ ,:]*"
    r"|i(?:['’]?d| would)? (?:just )?(?:want(?:ed)?|need(?:ed)?|like|have|wish) to"
    r"(?: (?:tell you|ask(?: you)?|talk|know|note|remember)(?: (?:about|that|of|if))?)?\b *"
    r"|(?:what|who|where|when|how)(?:['’]?s| is| are| was| were)"
    r" (?=(?:my|our|the|an?|his|her|their)\b))",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:what|who|whom|whose|where|when|why|how|which|wat|wot|do|does|did|is|are|am|was|were|can"
    r"|could|have|has|will|would|should)(?:'?s|'re|n't)?\b",
    re.IGNORECASE,
)
_MARKS = " ,;:.!…–—-"
# Least probability of a value that names a conversation; how many facts and names are combined.
_SURE, _MOST_FACTS, _MOST_NAMES = 0.6, 2, 3
# Kinds of sentences without a topic; and how many sentences are tried.
_NO_TOPIC, _TRIED = frozenset("pem"), 6
_TELLS = tuple(slot.note.partition("{value}")[0] for slot in SLOTS.values() if slot.note[0] != "{")
"""How a name begins that tells a fact."""
_NAMING = frozenset({"person", "relation", "family", "pet_name", "place"})
"""Labels of the reader, beside those of slots, whose values name what a sentence is about."""


def title_from(text: str, at: datetime) -> str:
    """Return a title from the first statement or question, without secrets, with the time."""
    return f"{_cut(_name(redact_secrets(text, mark='…')))} {at:%d-%m:%H:%M}"


def may_change(title: str) -> bool:
    """Return whether the title is automatic and still without content."""
    name, stamp = name_and_stamp(title)
    return not title or (name == NEW and stamp != "")


def _name(text: str) -> str:
    telling = _first_statement(text)
    if not telling:
        return NEW
    whole = " ".join(telling.split())
    # A name that was cut after a clause is good enough.
    if len(whole) > _LONGEST and not _clause_of(whole) and (topic := _distilled(whole)):
        return topic
    return _subject(whole.rstrip(_MARKS)) or " ".join(text.split())


def _distilled(sentence: str) -> str:
    """Return the facts or names in a sentence as a name; '' if it asks, or names nothing that may
    be shown.
    """
    read = Reading(sentence)
    if read.private or any(sentence.kind in ASKING for sentence in read.read.sentences):
        return ""
    facts = [fact for fact in read.facts if fact.confidence >= _SURE and fact.kind != "denial"]
    # The user's name, and past or private facts, are no topic.
    plain = [fact for fact in facts if not SLOTS[fact.slot].sensitive and fact.kind != "past"]
    # Nor are "daughter" or "dog" alone.
    candidates = [
        fact
        for fact in plain
        if SLOTS[fact.slot].group != GROUPS[0]
        and (fact.slot not in WITH_NAMES or " " in fact.value)
    ]
    if candidates:
        return ", ".join(
            SLOTS[candidate.slot].note.format(value=candidate.value)
            for candidate in candidates[:_MOST_FACTS]
        )
    names = [
        sentence[span.start : span.end].strip(_MARKS)
        for span in read.read.spans
        if span.probability >= _SURE and _may_name(span.label)
    ]
    distinct = list(dict.fromkeys(names))[:_MOST_NAMES]
    # A single word says less than the beginning of the sentence.
    topic = _subject(", ".join(distinct))
    return topic if " " in topic else ""


def _may_name(label: str) -> bool:
    slot = SLOTS.get(label)
    return label in _NAMING or (slot is not None and not slot.sensitive and slot.group != GROUPS[0])


def _first_statement(text: str) -> str:
    """Return the first sentence beyond a greeting or a single word, without introductory words; ''
    if there is none.
    """
    if about := _SUBJECT.search(text[:_READ_CHARACTERS]):
        return about[1]
    parts = [
        " ".join(sentence.split())
        for sentence in _SENTENCE.split(text[:_READ_CHARACTERS])
        if sentence.strip()
    ]
    tellings = [part for part in parts if not _GREETS.fullmatch(part)]
    first = tellings[0] if tellings else ""
    several = tellings[:_TRIED] if len(tellings) > 1 else []
    telling = next((sentence for sentence in several if _has_a_topic(sentence)), first)
    if not telling and any(len(part.split()) > 1 or _SAYS_HELLO.match(part) for part in parts):
        return ""
    return _without_leads(_OPENS.sub("", telling) or telling or " ".join(parts))


def _has_a_topic(sentence: str) -> bool:
    """Return whether a sentence has a topic: it is no courtesy, feeling or aside, and says more
    than who speaks.
    """
    reading = Reading(sentence)
    slots = {fact.slot for fact in reading.facts}
    introduces = bool(slots) and all(SLOTS[slot].group == GROUPS[0] for slot in slots)
    return not introduces and any(
        sentence.kind not in _NO_TOPIC for sentence in reading.read.sentences
    )


def _without_leads(sentence: str) -> str:
    """Return a sentence without its introductory words, if more than one word remains."""
    rest = sentence
    while (lead := _LEADS.match(rest)) and len(rest[lead.end() :].split()) > 1:
        rest = rest[lead.end() :]
    return rest


def _subject(name: str) -> str:
    """Return the subject capitalized, without a question mark."""
    asks = _ASKS.match(name) is not None
    return name[:1].upper() + (name[1:] if asks else name[1:].rstrip("? "))


def name_and_stamp(title: str) -> tuple[str, str]:
    """Return an automatic title as (name, time); any other title as (title, ''). The name has no
    punctuation at its end.
    """
    match = _STAMPED.fullmatch(title)
    return (match[1].rstrip(",;:") or match[1], match[2]) if match else (title, "")


def is_made_of(title: str, text: str, at: datetime) -> bool:
    """Return whether a title was made of the words of a text."""
    name, stamp = name_and_stamp(title)
    if stamp != f"{at:%d-%m:%H:%M}" or name == NEW:
        return False
    if title == title_from(text, at) or name.removesuffix("…") in " ".join(text.split()):
        return True
    # The name may consist of facts, as they were read then.
    return name.startswith(_TELLS) and _has_words_of(name, text)


def reach(title: str, text: str) -> int:
    """Return the end of the part of a text whose words are in a title; 0 if none are. If the title
    expresses the text in other words, the whole text counts.
    """
    name = name_and_stamp(title)[0].removesuffix("…").strip()
    words = r"\s+".join(map(re.escape, name.split()))
    match = re.search(words, text, re.IGNORECASE) if words else None
    if match is None and _has_words_of(name, text):
        return len(text)
    return match.end() if match else 0


def _has_words_of(name: str, text: str) -> bool:
    return bool(content_stem_ids(name) & content_stem_ids(text))


def _clause_of(name: str) -> str:
    """Return the first clauses of a long name that fit; '' if these have too few words."""
    head = name[: _LONGEST - 1]
    ends = [match.start() for match in _CLAUSE.finditer(head)]
    return head[: ends[-1]] if ends and ends[-1] >= _LEAST_OF_A_CLAUSE else ""


def _cut(name: str) -> str:
    """Cut a long name after a clause or word, with an ellipsis."""
    if len(name) <= _LONGEST:
        return name
    head = _clause_of(name) or name[: _LONGEST - 1]
    if len(head) == _LONGEST - 1 and not name[_LONGEST - 1].isspace():
        head = head.rpartition(" ")[0] or head
    return f"{head.rstrip(_MARKS)}…"
