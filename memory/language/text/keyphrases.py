"""Subjects of a conversation: recurring phrases, grouped by meaning, each with a name.

A phrase is a run of words between function words and punctuation. The function word before it shows
whether it begins with a noun ("the garden") or with a verb or adjective ("to garden", "was great");
common words have short vectors.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from memory.language.lexicons import load_lexicon
from memory.language.text import terms
from memory.language.text.dedup import TIME_WORDS
from memory.language.text.stemming import is_past, stem

MOST, WORTH_NAMING = 5, 0.5
"""How many subjects are named at most, and how near to the first the others must come."""
SAME_SUBJECT = 0.5
"""The likeness in meaning from which two phrases are one subject."""
LEAST_MESSAGES = 2
"""Messages in which a subject comes up at least."""
_MOST_GROUPED = 60
_WEIGHT_OF_OTHERS = 0.4
_TELLING_LENGTH, _VAGUE_LENGTH, _OF_UNKNOWN_WORDS = 16.0, 12.75, 0.8
"""A word tells as much as its vector is long, up to the first; alone and shorter than the second
it names nothing. Words that the model has only in pieces are unusual ones.
"""
_GAIN_OF_SEVERAL_WORDS = 2.2
_LONGEST_WORD = 25

_WORD = re.compile(r"[^\W_]+(?:['&-][^\W_]+)*")
_PIECE = re.compile(r"[^.,;:!?()\[\]{}\"“”„*#|/\\<>=+~`\n\t…–—]+")
# Addresses, and text in square brackets.
_ASIDE = re.compile(
    r"\[[^\]]{0,1000}\]|\S{1,100}(?:://|@)\S+|\S{1,200}\.(?:com|org|net|io|co)\b\S*"
)
# Function words before nouns; after others comes a verb or adjective.
_BEFORE_THINGS = frozenset(
    """a an the my our your his her their its this these those some any no every each another more
    most of for about with without from in into at on by and or""".split()
)
_LITTLE = terms.STOPWORDS | {
    word.replace("'", "") for word in terms.STOPWORDS if word.endswith(("n't", "'m", "'ve", "'re"))
}
_PEOPLE = load_lexicon("given_names")


@dataclass(frozen=True)
class Utterance:
    """A message, and whether the user said it."""

    text: str
    by_user: bool = True


@dataclass(frozen=True)
class Keyphrase:
    """A subject: its name and stems, its share of the conversation (0..1), and message indexes."""

    name: str
    key: str
    weight: float
    places: tuple[int, ...]
    vector: terms.Float32Array | None = field(compare=False, default=None)


@dataclass
class _Phrase:
    """A candidate: its spellings, message indexes, and whether it ended a run of words."""

    stems: tuple[str, ...]
    written: Counter[str] = field(default_factory=Counter)
    places: set[int] = field(default_factory=set)
    is_thing: bool = False
    score: float = 0.0
    vector: terms.Float32Array | None = None

    @property
    def usual(self) -> str:
        """The most frequent spelling, of equal ones the shortest."""
        return max(self.written, key=lambda written: (self.written[written], -len(written)))

    @property
    def name(self) -> str:
        return self.usual[:1].upper() + self.usual[1:]


def extract_keyphrases(
    utterances: Sequence[Utterance],
    *,
    speakers: Collection[str] = (),
    common: Callable[[str], float] = lambda _: 0.0,
    most: int = MOST,
) -> list[Keyphrase]:
    """Return the subjects of a conversation, by weight; [] if nothing recurs.

    `speakers` are names of the participants, which are no subjects. `common` returns the share
    (0..1) of the user's messages that contain a stem.
    """
    weights = [1.0 if utterance.by_user else _WEIGHT_OF_OTHERS for utterance in utterances]
    names = {word for speaker in speakers for word in terms.split_words(speaker)}
    phrases = [
        phrase
        for phrase in _collect(utterances, names)
        if phrase.is_thing and len(phrase.places) >= LEAST_MESSAGES
    ]
    for phrase in phrases:
        phrase.score = _score(phrase, weights, common)
    phrases.sort(key=lambda phrase: (-phrase.score, phrase.stems))
    groups = _group(phrases[:_MOST_GROUPED])
    subjects = [
        _as_keyphrase(group, weights)
        for group in groups
        if group[0].score >= WORTH_NAMING * groups[0][0].score
        and any(weights[place] == 1 for place in group[0].places)
    ]
    return subjects[:most]


def make_keyphrase_key(name: str) -> str:
    """Return the stems of a name in order, as the key of a subject."""
    return " ".join(stem(word) for word in terms.split_words(name))[:80]


# --- Candidates ----------------------------------------------------------------------------------


def _collect(utterances: Sequence[Utterance], names: Collection[str]) -> list[_Phrase]:
    phrases: dict[tuple[str, ...], _Phrase] = {}
    for place, utterance in enumerate(utterances):
        if not _is_english(utterance.text):
            continue
        text = _ASIDE.sub(". ", utterance.text).replace("’", "'")
        for piece in _PIECE.findall(text):
            for words, is_last in _candidates(_WORD.findall(piece), names):
                stems = tuple(stem(word.lower()) for word in words)
                if len(set(stems)) == len(stems):
                    phrase = phrases.setdefault(stems, _Phrase(stems))
                    phrase.written[" ".join(words)] += 1
                    phrase.places.add(place)
                    phrase.is_thing |= is_last
    return list(phrases.values())


def _is_english(text: str) -> bool:
    """Return whether a text has enough English function words to delimit phrases."""
    words = terms.split_words(text)[:200]
    return len(words) < 8 or sum(word in terms.STOPWORDS for word in words) * 6 >= len(words)


def _candidates(words: list[str], names: Collection[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield phrases of up to three words, and whether each ends a run, as nouns do."""
    start = 0
    for position, word in enumerate([*words, ""]):
        if word and not _ends_a_run(word, names):
            continue
        yield from _in_run(words[start:position], words[start - 1].lower() if start else "")
        start = position + 1


def _in_run(run: list[str], before: str) -> Iterator[tuple[list[str], bool]]:
    """Yield the candidates in a run of words; `before` is the function word before it or ''."""
    if not before and run:
        # A capital at the beginning means nothing; a single word there is a call or an order.
        run = [run[0].lower(), *run[1:]] if len(run) > 1 else []
    elif run and before not in _BEFORE_THINGS and run[0].islower():
        run = run[1:]
    run = [word.removesuffix("'s") for word in run]
    for start in range(len(run)):
        for end in range(start + 1, min(start + 3, len(run)) + 1):
            if not _is_vague(run[end - 1]):
                yield run[start:end], end == len(run)


def _ends_a_run(word: str, names: Collection[str]) -> bool:
    """Return whether a word ends a phrase: a function word, a time, a person, a past form."""
    lower = word.lower().removesuffix("'s")
    return (
        not 2 < len(lower) <= _LONGEST_WORD
        or not lower.replace("-", "").isalpha()
        or lower in _LITTLE
        or lower in _PEOPLE
        or any(name.startswith(lower) for name in names)
        or lower.endswith("ly")
        or is_past(lower)
        or TIME_WORDS.fullmatch(lower) is not None
    )


def _is_vague(word: str) -> bool:
    length = None if word[0].isupper() else terms.weigh_word(word)
    return length is not None and length < _VAGUE_LENGTH


# --- Scoring and grouping ------------------------------------------------------------------------


def _score(phrase: _Phrase, weights: Sequence[float], common: Callable[[str], float]) -> float:
    """Return the score of a phrase: how often it is said, and how specific its words are."""
    telling = [
        _telling(word) * (1 - min(1.0, 3 * common(part)))
        for word, part in zip(phrase.usual.split(), phrase.stems, strict=True)
    ]
    gain = _GAIN_OF_SEVERAL_WORDS if len(telling) > 1 else 1.0
    return _sum(weights, phrase.places) * sum(telling) / len(telling) * gain


def _telling(word: str) -> float:
    """Return how specific a word is, 0..1."""
    length = None if word[0].isupper() else terms.weigh_word(word)
    return _OF_UNKNOWN_WORDS if length is None else min(1.0, length / _TELLING_LENGTH)


def _sum(weights: Sequence[float], places: Collection[int]) -> float:
    return sum(weights[place] for place in places)


def _group(best: Sequence[_Phrase]) -> list[list[_Phrase]]:
    """Return groups of phrases that share a word or have similar embeddings, best first."""
    groups: list[list[_Phrase]] = []
    for phrase in best:
        phrase.vector = terms.meaning_vectors([phrase.name])[0]
        group = next((group for group in groups if _is_alike(phrase, group[0])), None)
        if group is None:
            groups.append([phrase])
        else:
            group.append(phrase)
    return groups


def _is_alike(phrase: _Phrase, first: _Phrase) -> bool:
    if set(phrase.stems) & set(first.stems):
        return True
    if phrase.vector is None or first.vector is None:
        return False
    return float(phrase.vector @ first.vector) >= SAME_SUBJECT


def _as_keyphrase(group: Sequence[_Phrase], weights: Sequence[float]) -> Keyphrase:
    first = group[0]
    places = set[int]().union(*(phrase.places for phrase in group))
    share = _sum(weights, places) / (sum(weights) or 1.0)
    key = make_keyphrase_key(first.name)
    return Keyphrase(first.name, key, share, tuple(sorted(places)), first.vector)
