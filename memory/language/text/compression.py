"""Saying the same in fewer words: the gist of a sentence, its key spans, its form in a prompt.

By rules: what is left out says how a sentence is built, never what it is about. Names, numbers,
dates and negations always stay.
"""

import re
from collections.abc import Callable, Iterable

from memory.language.lexicons import load_lexicon

# Openers and asides that carry nothing.
_ASIDES = re.compile(
    r"(?:^|(?<=[\s,;.!?(]))(?:(?<!as )well|so|oh|ah|wow|hey|hi|hello|yeah|yes|yep|okay|ok|anyway"
    r"|actually"
    r"|honestly|basically|literally|you know|i mean|by the way|btw|to be honest|tbh|as i said"
    r"|like i said|kind of|sort of|of course|for sure|in fact|needless to say|at the end of the day"
    r"|i think|i guess|i suppose|i feel like|i must say|i have to say|i just wanted to say"
    r"|let me tell you|remember that|please remember(?: that)?|please note(?: that)?|note that"
    r"|thanks|thank you|thx|lol|haha|hehe|um|uh|hmm)(?=$|[\s,;.!?)])[,;!.]*\s*",
    re.IGNORECASE,
)
# Words that a note in a notebook does without. Not among them: "not", "no", "never", "only",
# prepositions that say where, when or for whom, and anything that counts.
_SPARED = load_lexicon("spared_words")
# A spared word after one of these is part of what is said: "can't", "be able" read on.
_KEPT_BEFORE = frozenset("not never no without".split())
_POINTING = frozenset("this that these those some".split())
_TIME = re.compile(
    r"(?:year|month|week|weekend|day|morning|afternoon|evening|night|hour|time|spring|summer|autumn"
    r"|fall|winter|season|semester|term|quarter|decade|century|christmas|easter|january|february"
    r"|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)day|past|coming)s?(?:['’]s?)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S+")
# Words that a sentence has at least, and how near to the best one another must be to be said too.
_SAYS_SOMETHING, _NEARLY = 3, 0.8
_QUOTES = '"“‘'
# What fails soonest stands first in these two: they are tried at every letter.
_FULL_STOP = re.compile(
    r"(?=[\s.!?…])(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bMt)\s*(?<![.!?…]{2})[.!?…]++"
    r"(?=\s|$)"
)
_EDGES = "\"'“”‘’([{<>}]),;:.!?…*_`~"
_SPACES = re.compile(r"\s+")
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\bSt\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bMt\.)\s+|\n+"
)
# What must survive every shortening: names, numbers with their signs, quoted titles.
_KEY = re.compile(
    r"“[^”]{2,60}”|\"[^\"]{2,60}\""
    r"|(?<![\w])[#@]?\w*\d[\w.,:/%-]*"
    r"|(?<!^)(?<![.!?…] )\b(?!I\b)[A-Z][\w'’-]+(?:\s+(?:of|de|the|&)?\s*[A-Z][\w'’-]+)*"
)


def compress_to_telegram(text: str, spared: frozenset[str] = _SPARED) -> str:
    """The text as one would write it on a card: no articles, pronouns, fillers or full stops."""
    plain = _ASIDES.sub(" ", text.replace("’", "'"))
    words = _WORD.findall(plain)
    kept: list[str] = []
    for position, word in enumerate(words):
        bare = word.strip(_EDGES).lower()
        if bare in spared and not _is_needed(words, position, word):
            # A mark that ends a clause outlives its word: commas keep lists apart.
            if kept and word[-1] in ",;.!?" and kept[-1][-1] not in ",;":
                kept[-1] += ","
            continue
        kept.append(word)
    said = " ".join(kept).strip(" ,;.-")
    said = _FULL_STOP.sub(";", said).strip(" ;,")
    return _SPACES.sub(" ", said) or _SPACES.sub(" ", text).strip()


def _is_needed(words: list[str], position: int, word: str) -> bool:
    """Whether an empty word says something here: in "May 12th", in a title, after "not"."""
    if word[0] in _QUOTES:
        return True
    before = words[position - 1] if position else ""
    inside = bool(before) and before[-1] not in ".!?"
    is_name = inside and word[0].isupper() and word.strip(_EDGES) in ("May", "Will", "An")
    after = words[position + 1] if position + 1 < len(words) else ""
    return is_name or before.strip(_EDGES).lower() in _KEPT_BEFORE or _points_at_a_time(word, after)


def _points_at_a_time(word: str, after: str) -> bool:
    """Whether it says which time is meant: in "this year", "those days", "that Monday"."""
    return word.lower() in _POINTING and bool(_TIME.fullmatch(after.strip(_EDGES)))


def gist(text: str, most: int) -> str:
    """The text in at most `most` characters: its telegram, cut after a whole clause or word."""
    return truncate_at_clause(compress_to_telegram(text), most)


def missing(spans: Iterable[str], said: str) -> list[str]:
    """Those key spans that a shorter text has lost a word of."""
    words = {word.strip(_EDGES).lower() for word in said.split()}
    return [
        span
        for span in spans
        if not {word.strip(_EDGES).lower() for word in compress_to_telegram(span).split()} <= words
    ]


def truncate_at_clause(text: str, most: int) -> str:
    """Cut after the last whole clause, else word, that fits; an ellipsis says more was said."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    for mark in (";", ",", " "):
        index = head.rfind(mark)
        if index > most // 2:
            return head[:index].rstrip(" ,;") + "…"
    return head + "…"


def key_spans(text: str, most: int = 8) -> tuple[str, ...]:
    """Names, numbers and quoted titles, in reading order, each once."""
    found: dict[str, None] = {}
    for match in _KEY.finditer(text):
        found.setdefault(match[0].strip(_EDGES + " ")[:120])
    return tuple(span for span in list(found)[:most] if span)


def split_lines_and_sentences(text: str) -> list[str]:
    """A text cut where a sentence or a line ends."""
    return [one for one in _SENTENCE.split(text.strip()) if one.strip()]


def focus(text: str, fits: Callable[[str], float], most: int) -> str:
    """The sentences of a long text that fit best, as a telegram of at most `most` characters.

    `fits` says how well a sentence fits, 0 for not at all. Where none does, the one with the most
    names and numbers stands for the text: a greeting tells nothing.
    """
    told = {one: compress_to_telegram(one) for one in split_lines_and_sentences(text)}
    # A name called, an "Awesome!": none of them says anything, unless there is nothing else.
    whole = {one: said for one, said in told.items() if len(said.split()) >= _SAYS_SOMETHING}
    sentences = list(whole or told)
    if len(sentences) < 2:
        return truncate_at_clause("; ".join(told[one] for one in sentences), most)
    worth = [fits(one) + 0.02 * min(len(key_spans(one)), 5) for one in sentences]
    chosen: list[int] = []
    room = most
    for position in sorted(range(len(sentences)), key=lambda i: (-worth[i], -len(sentences[i]))):
        if chosen and (room <= 0 or worth[position] < _NEARLY * max(worth)):
            break
        chosen.append(position)
        room -= len(told[sentences[position]]) + 2
    return truncate_at_clause("; ".join(told[sentences[place]] for place in sorted(chosen)), most)
