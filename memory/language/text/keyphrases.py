"""What a talk is about: its recurring phrases, grouped by meaning, each group by a readable name.

Pure and local: texts go in, names with numbers come out. Nothing here knows a conversation.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from memory.language.lexicons.keyphrase_stopwords import (
    AFTER_A_HYPHEN,
    BEFORE_A_DEED,
    BEFORE_A_TRAIT,
    BREAKS,
    CALLS,
    NO_ADVERB,
    NO_PAST,
    OPENS_A_NAME,
    OUTINGS,
    SORTS,
    STILL_THINGS,
    UNITS,
    VAGUE,
)
from memory.language.lexicons.lexicon import GIVEN_NAMES, NUMBER_WORDS
from memory.language.text import terms
from memory.language.text.stemming import stem

# How many subjects a talk has at most, and how near to the first the others must come.
MOST, WORTH_NAMING = 5, 0.5
# How near in meaning two phrases must be to be one subject.
SAME_SUBJECT = 0.5
# In so many messages a subject comes up at least.
LEAST_MESSAGES = 2
# Of so many candidates the grouping looks at the best.
_LOOKED_AT = 60
# What somebody else said counts for less than what the person said.
_OF_OTHERS = 0.4
# A word that is one token of the model is as telling as its vector is long, up to this.
_TELLING_LENGTH, _UNUSUAL, _SAYS_LITTLE = 16.0, 0.8, 0.4
# What a message counts that holds only a word of a phrase, and what longer phrases gain.
_IN_PART = 0.4
# Which share of the times that a plain word was said a phrase with it must have to name a subject.
_OFTEN = 0.4
_BY_WORDS = {1: 1.0, 2: 1.5, 3: 1.5}

_WORD = re.compile(r"[^\W_]+(?:['’&-][^\W_]+)*")
_PIECE = re.compile(r"[^.,;:!?()\[\]{}\"“”„*#|/\\<>=+~`\n\t…–—]+")
# An address, and what stands in square brackets, is not what somebody says.
_ASIDE = re.compile(
    r"\[[^\]]{0,1000}\]|\S{1,100}(?:://|@)\S+|\S{1,200}\.(?:com|org|net|io|co)\b\S*"
)
# What they say of a word holds for its other forms: "times", "ways".
_VAGUE = frozenset(stem(word) for word in VAGUE)
_BREAKS = frozenset(stem(word) for word in BREAKS)
_DESCRIBES = re.compile(
    r".{2,}(?:ful|less|ous|able|ible|ish|ier|iest|ient|tive|sive|istic|ular|breaking)$"
)
_BRIDGES = frozenset({"to", "in", "of"})
# What no "trip to ..." leads to.
_NOWHERE = GIVEN_NAMES | SORTS | terms.STOPWORDS
# Three words of this length fit into a name.
_LONGEST_WORD = 25


@dataclass(frozen=True)
class Utterance:
    """One message: its words, and whether the person themselves said it."""

    text: str
    by_user: bool = True


@dataclass(frozen=True)
class Keyphrase:
    """A subject: its name and stems, how much of the talk it is (0..1), in which messages."""

    name: str
    key: str
    weight: float
    places: tuple[int, ...]
    vector: terms.Float32Array | None = field(compare=False, default=None)


@dataclass
class _Phrase:
    """A candidate: how it was written, and in which messages."""

    stems: tuple[str, ...]
    written: Counter[str] = field(default_factory=Counter)
    places: set[int] = field(default_factory=set)
    score: float = 0.0
    vector: terms.Float32Array | None = None

    @property
    def times(self) -> int:
        """How often it was written."""
        return self.written.total()

    @property
    def usual(self) -> str:
        """As it was written most; "cooking" before "cook", unless that is said far more."""
        return max(self.written, key=lambda one: (self._weight(one), -len(one)))

    def _weight(self, written: str) -> int:
        return self.written[written] * (2 if written.endswith("ing") else 1)

    @property
    def name(self) -> str:
        """The same, beginning with a capital."""
        return self.usual[:1].upper() + self.usual[1:]


def extract_keyphrases(
    utterances: Sequence[Utterance],
    *,
    speakers: Collection[str] = (),
    common: Callable[[str], float] = lambda _: 0.0,
    most: int = MOST,
) -> list[Keyphrase]:
    """The subjects of a talk, the weightiest first; [] when nothing comes up twice.

    `speakers` are names of those who talk: to call somebody is not to talk about them. `common`
    says in which share (0..1) of all that the person ever said a stem stands.
    """
    weights = [1.0 if utterance.by_user else _OF_OTHERS for utterance in utterances]
    names = {word for speaker in speakers for word in terms.split_words(speaker)}
    phrases = _phrases(utterances, names)
    _score(phrases, weights, common)
    best = sorted(phrases, key=lambda one: (-one.score, one.stems))[:_LOOKED_AT]
    for phrase in best:
        phrase.vector = terms.meaning_vectors([phrase.name])[0]
    groups = _grouped(best)
    return _as_keyphrases(groups, weights, most)


def make_keyphrase_key(name: str) -> str:
    """The stems of a name in order: what a subject is known by, however it is written."""
    return " ".join(stem(word) for word in terms.split_words(name))[:80]


# --- Candidates ----------------------------------------------------------------------------------


def _phrases(utterances: Sequence[Utterance], names: Collection[str]) -> list[_Phrase]:
    found: dict[tuple[str, ...], _Phrase] = {}
    for position, utterance in enumerate(utterances):
        if not _is_english(utterance.text):
            continue
        for piece in _PIECE.findall(_ASIDE.sub(". ", utterance.text)):
            for words in _candidates(_WORD.findall(piece.replace("’", "'")), names):
                written = " ".join(words)
                stems = tuple(_stem(word) for word in words)
                phrase = found.setdefault(stems, _Phrase(stems))
                phrase.written[written] += 1
                phrase.places.add(position)
    return list(found.values())


def _is_english(text: str) -> bool:
    """Without the little words there is no telling where a name begins and ends."""
    words = terms.split_words(text)[:200]
    return len(words) < 8 or sum(word in terms.STOPWORDS for word in words) * 6 >= len(words)


def _stem(word: str) -> str:
    return stem(word.lower().removesuffix("'s"))


def _candidates(words: list[str], names: Collection[str]) -> Iterator[list[str]]:
    """Every stretch of one to three words that could name something, and "Trip to Lisbon"."""
    for start, end in _runs(words, names):
        run = _plain(words[start:end], begins=start == 0)
        if len(run) == 1 and start and words[start - 1].lower() in BEFORE_A_TRAIT:
            continue
        for index in range(len(run)):
            for until in range(index + 1, min(index + 3, len(run)) + 1):
                if _could_name(run[index:until]):
                    yield run[index:until]
        bridged = words[start:end][-1:] + words[end : end + 2]
        if len(bridged) == 3 and _is_bridge(bridged) and not _is_called(bridged[-1], names):
            yield _plain(bridged, begins=start == 0)


def _runs(words: list[str], names: Collection[str]) -> Iterator[tuple[int, int]]:
    start = None
    for position, word in enumerate([*words, ""]):
        before = words[position - 1].lower() if position else ""
        fits = bool(word) and not _is_called(word, names) and _is_part(word, before)
        fits = fits or _opens_a_name(word, "".join(words[position + 1 : position + 2]))
        if fits and start is None:
            start = position
        elif not fits and start is not None:
            yield start, position
            start = None


def _opens_a_name(word: str, after: str) -> bool:
    """The "New" of "New York"."""
    return word[:1].isupper() and after[:1].isupper() and word.lower() in OPENS_A_NAME


def _is_called(word: str, names: Collection[str]) -> bool:
    """Whether it is the name of one who talks, or the short form of it."""
    lower = word.lower().removesuffix("'s")
    return any(name.startswith(lower) for name in names) if len(lower) > 2 else False


def _is_part(word: str, before: str) -> bool:
    """Whether a word can be part of what names a subject."""
    lower = word.lower().removesuffix("'s")
    if (
        not 2 < len(lower) <= _LONGEST_WORD
        or lower in terms.STOPWORDS
        or lower in BREAKS
        or lower in NUMBER_WORDS
        or lower in UNITS
        or lower in CALLS
    ):
        return False
    if lower.endswith(("ing", "s")) and stem(lower) in _BREAKS and lower not in STILL_THINGS:
        return False
    if "'" in lower or any(map(str.isdigit, lower)):
        return False
    if word[0].isupper() and before:
        return lower not in GIVEN_NAMES
    if before in BEFORE_A_DEED or _is_adverb(lower) or _is_past(lower):
        return False
    return lower not in GIVEN_NAMES


def _is_adverb(lower: str) -> bool:
    return lower.endswith("ly") and len(lower) > 4 and lower not in NO_ADVERB


def _is_past(lower: str) -> bool:
    return lower.endswith("ed") and lower not in NO_PAST and not lower.endswith("eed")


def _plain(run: list[str], *, begins: bool) -> list[str]:
    """A capital at the beginning of a sentence says nothing of its word."""
    run = [
        word.removesuffix("'s") if position == len(run) - 1 else word
        for position, word in enumerate(run)
    ]
    if begins and run and run[0][1:].islower() and not (len(run) > 1 and run[1][0].isupper()):
        return [run[0].lower(), *run[1:]]
    return run


def _could_name(words: list[str]) -> bool:
    lower = [word.lower() for word in words]
    if not _is_thing(lower[-1]) or len(set(map(stem, lower))) < len(lower):
        return False
    if len(lower) > 1 and lower[0].endswith("ing"):
        # "camping trip" names something, "meeting people" is what everybody does.
        return not _is_vague(lower[-1]) or lower[-1] in OUTINGS
    return not all(_is_vague(word) for word in lower)


def _is_thing(lower: str) -> bool:
    """Whether a phrase may end with it: "dairy-free" and "long-term" say of what sort."""
    last = lower.rsplit("-", 1)[-1]
    if lower in SORTS or _DESCRIBES.match(lower) or len(last) < 2 or last.endswith("wise"):
        return False
    return last == lower or not (last in AFTER_A_HYPHEN or last in BREAKS or _is_past(last))


def _is_vague(lower: str) -> bool:
    return lower in SORTS or lower in VAGUE or stem(lower) in _VAGUE


def _is_bridge(words: list[str]) -> bool:
    head, link, name = words
    return (
        link in _BRIDGES
        and name[0].isupper()
        and len(name) <= _LONGEST_WORD
        and name.lower() not in _NOWHERE
        and head.lower() not in SORTS
    )


# --- Weighing ------------------------------------------------------------------------------------


def _score(
    phrases: Sequence[_Phrase], weights: Sequence[float], common: Callable[[str], float]
) -> None:
    """A phrase counts where it stands whole, and less where only a telling word of it stands."""
    where: dict[str, set[int]] = defaultdict(set)
    for phrase in phrases:
        if len(phrase.stems) == 1:
            where[phrase.stems[0]] |= phrase.places
    for phrase in phrases:
        near = set().union(*(where[one] for one in phrase.stems)) - phrase.places
        count = _sum(weights, phrase.places) + _IN_PART * _sum(weights, near)
        phrase.score = count * _telling(phrase, common) * _BY_WORDS[len(phrase.stems)]
        phrase.places |= near


def _telling(phrase: _Phrase, common: Callable[[str], float]) -> float:
    """How much the words of a phrase say, 0..1: the mean of theirs."""
    words = phrase.usual.split()
    return float(
        np.mean(
            [
                _telling_word(word) * (1 - min(1.0, 3 * common(one)))
                for word, one in zip(words, phrase.stems, strict=True)
            ]
        )
    )


def _telling_word(word: str) -> float:
    lower = word.lower()
    if _is_vague(lower):
        return _SAYS_LITTLE
    length = None if word[0].isupper() else terms.weigh_word(lower)
    return _UNUSUAL if length is None else min(1.0, length / _TELLING_LENGTH)


def _sum(weights: Sequence[float], places: Collection[int]) -> float:
    return sum(weights[position] for position in places)


# --- Grouping and naming -------------------------------------------------------------------------


def _grouped(best: Sequence[_Phrase]) -> list[list[_Phrase]]:
    """Phrases that share a telling word or mean nearly the same; the best of each group first."""
    groups: list[list[_Phrase]] = []
    for phrase in best:
        home = next((group for group in groups if _belongs(phrase, group[0])), None)
        if home is None:
            groups.append([phrase])
        else:
            home.append(phrase)
    return groups


def _belongs(phrase: _Phrase, first: _Phrase) -> bool:
    if set(phrase.stems) & set(first.stems):
        return True
    if phrase.vector is None or first.vector is None:
        return False
    return float(phrase.vector @ first.vector) >= SAME_SUBJECT


def _as_keyphrases(
    groups: Sequence[list[_Phrase]], weights: Sequence[float], most: int
) -> list[Keyphrase]:
    total = sum(weights) or 1.0
    found: list[Keyphrase] = []
    floor = WORTH_NAMING * groups[0][0].score if groups else 0.0
    for group in groups:
        places = set[int]().union(*(phrase.places for phrase in group))
        if len(group[0].places) < LEAST_MESSAGES or group[0].score < floor:
            continue
        if all(weights[position] < 1 for position in group[0].places):
            # What only others speak of is no subject of the person's.
            continue
        name = _best_name(group)
        share = _sum(weights, places) / total
        found.append(
            Keyphrase(
                name.name, make_keyphrase_key(name.name), share, tuple(sorted(places)), name.vector
            )
        )
        if len(found) == most:
            break
    return found


def _best_name(group: Sequence[_Phrase]) -> _Phrase:
    """The phrase that stands nearest to all of them, among those that are said nearly as much."""
    known = [(phrase, phrase.vector) for phrase in group if phrase.vector is not None]
    if not known:
        return group[0]
    centre = np.sum([phrase.score * vector for phrase, vector in known], axis=0)
    length = float(np.linalg.norm(centre)) or 1.0
    fits = [phrase.score * (1 + float(vector @ centre) / length) for phrase, vector in known]
    return _told_closer(known[int(np.argmax(fits))][0], group)


def _told_closer(name: _Phrase, group: Sequence[_Phrase]) -> _Phrase:
    """For one plain word the phrase around it that is said often: "Movie script" for "Script"."""
    if len(name.stems) > 1 or name.usual[0].isupper():
        return name
    closer = [
        phrase
        for phrase in group
        if len(phrase.stems) > 1
        and name.stems[0] in phrase.stems
        and phrase.times >= _OFTEN * name.times
    ]
    return max(closer, key=lambda phrase: phrase.score, default=name)
