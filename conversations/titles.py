"""What a conversation is called until its owner finds a better name: its words, and the time.

A title is a name with its time behind it, `dd-mm:HH:MM`. Wherever the day of a conversation stands
beside it, the name alone is shown. The name is the beginning of the first sentence that tells or
asks something, up to the end of a phrase.
"""

import re
from datetime import datetime

# What a conversation is called beside its time when no words of it may be.
UNNAMED = "A conversation"
_STAMPED = re.compile(r"(.*\S) (\d\d-\d\d:\d\d:\d\d)", re.DOTALL)
_WORDS = 4
# A name goes on to the end of a phrase, and a short question to its own, for so many words at most.
_AT_MOST, _OF_A_QUESTION = 8, 9
_LONGEST = 60
# Where no phrase ends there, so many at most.
_LEAVING = 6
# Of a long text the beginning is read.
_READ = 1_000
_LITTLE = frozenset(
    """
    a an the this that these those my your his her its our their some any no every each
    i you he she it we they me him us them who which what whose how when where why
    i'm i've i'd i'll you're he's she's it's we're they're there there's that's
    in of on at to for from with by about into onto over under near between than as like via per
    and or but so because if while though although until since before after then
    am is are was were be been being do does did have has had having will would can could shall
    should may might must don't didn't can't won't isn't not very really just also too
    """.split()
)

# Where the next phrase begins.
_JOINTS = frozenset(
    """
    in of on at to for from with by about into onto over under near between than as via per and or
    but so because if while though although until since before after then which who that
    """.split()
)
_SENTENCE = re.compile(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<=[.!?…])\s+|\n+"
)
_HELLO = (
    r"(?:hi|hello|hey|hiya|yo|dear|greetings|good (?:morning|afternoon|evening|day)|morning"
    r"|thanks|thank you|ok|okay|well|so|oh|right|now)\b"
)
_GREETS = re.compile(
    rf"(?:{_HELLO}(?:[ ,]+[\w']+){{0,2}}"
    r"|(?:how are you|i hope|hope)[\w' ]{0,40}|(?:one|a)? ?(?:quick|small|short) question"
    r"|(?:nice|good|lovely) to (?:meet|see) you[\w' ]{0,20}|[\w'-]+)[ .!?,…:)-]*",
    re.IGNORECASE,
)
# "Hi there, I work ..."
_OPENS = re.compile(
    rf"^{_HELLO}(?: (?:there|all|again|then|you|[A-Z]\w+))?[,!.:–—-]+\s+", re.IGNORECASE
)
_ASKS = re.compile(
    r"(?:what|who|whom|whose|where|when|why|how|which|wat|wot|do|does|did|is|are|am|was|were|can"
    r"|could|have|has|will|would|should)(?:'?s|'re|n't)?\b",
    re.IGNORECASE,
)
_MARKS = " ,;:.!…–—-"


def title_from(text: str, at: datetime) -> str:
    """The beginning of what is told or asked first, and the time."""
    return f"{_cut(_name(text))} {at:%d-%m:%H:%M}"


def _name(text: str) -> str:
    words = _telling(text).split()
    whole = " ".join(words)
    asks = whole.endswith("?") or _ASKS.match(whole) is not None
    if not (asks and len(words) <= _OF_A_QUESTION and len(whole) <= _LONGEST):
        whole = " ".join(words[: _end_of(words)])
    return whole.rstrip(_MARKS) or " ".join(text.split())


def _telling(text: str) -> str:
    """The first sentence that is more than a greeting or a single word, without its opener."""
    parts = [" ".join(one.split()) for one in _SENTENCE.split(text[:_READ]) if one.strip()]
    telling = next((one for one in parts if not _GREETS.fullmatch(one)), "")
    return _OPENS.sub("", telling) or telling or " ".join(parts)


def name_and_stamp(title: str) -> tuple[str, str]:
    """A title that nobody has changed, as its words and its time; any other is all name.

    The name does not end in a mark that leads on to words that are not there.
    """
    found = _STAMPED.fullmatch(title)
    return (found[1].rstrip(",;:") or found[1], found[2]) if found else (title, "")


def is_made_of(title: str, text: str, at: datetime) -> bool:
    """Whether a title was made of the words of a text, however they were chosen."""
    name, stamp = name_and_stamp(title)
    said = " ".join(text.split())
    return stamp == f"{at:%d-%m:%H:%M}" and name.removesuffix("…") in said


def _end_of(words: list[str]) -> int:
    """How many words the name takes: all of a few, else up to the end of a clause, or of a phrase;
    else up to a word that leaves none hanging.
    """
    if len(words) <= _AT_MOST:
        return len(words)
    places = range(_AT_MOST, _WORDS - 1, -1)
    ends = (
        lambda count: words[count - 1][-1] in ",;:–—",
        lambda count: words[count].lower() in _JOINTS,
        lambda count: count <= _LEAVING,
    )
    for is_end in ends:
        for count in places:
            if is_end(count) and not _is_little(words[count - 1]):
                return count
    return _WORDS


def _is_little(word: str) -> bool:
    return word.lower().replace("’", "'").strip(",.;:") in _LITTLE


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
