"""Whether a note says no more, and nothing else, than the sentence that it rests on.

Numbers, names and most words of the note must have been said, the same must be denied, and what the
trained reader says of the sentence's values (over, only supposed, somebody else's) must hold for
the note. Whatever else cannot be followed word for word is `LOOSELY` said: its owner is asked.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from memory.language.lexicons import NUMBER_WORDS
from memory.language.reading import Reading
from memory.language.text import terms
from memory.language.text.compression import split_lines_and_sentences
from memory.language.text.evidence import plain
from memory.language.text.stemming import is_past, stem


class Verdict(StrEnum):
    """How far a sentence bears a note out."""

    SAID = "said"
    LOOSELY = "loosely"
    TURNED_ROUND = "turned round"
    ANOTHERS = "another's"
    NOT_SAID = "not said"


_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[.,;:!?()\u2026]|-(?=\s)")
_SHORT = ((re.compile(r"\bcan't\b"), "can not"), (re.compile(r"\bwon't\b"), "will not"),
          (re.compile(r"n't\b"), " not"), (re.compile(r"'m\b"), " am"),
          (re.compile(r"'re\b"), " are"), (re.compile(r"'ve\b"), " have"),
          (re.compile(r"'ll\b"), " will"))  # fmt: skip
_FORMS = {"has": "have", "is": "am", "are": "am", "does": "do", "our": "my", "their": "my"}
_SPEAKERS = frozenset("i my mine we our ours".split())
_OTHERS = frozenset("he she they you who whoever somebody someone everybody everyone".split())
_LEFT_OUT = frozenset("a an the person user owner i".split())
"""Words that a note may have unsaid: articles, and what its owner is called."""
_OF_A_SUMMARY = frozenset(
    stem(word)
    for word in """person user assistant conversation chat talk discuss ask tell mention say share
    speak describe question answer""".split()
)
_DENIES = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nothing|nobody|without|hardly|rarely|seldom|cannot|cant"
    r"|dont|stop(?:ped|s)?|quit|gave up|given up|former|formerly|except|instead of|rather than"
    r"|hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|allergic)\b"
)
_SUPPOSES = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|almost|nearly|want(?:s|ed)?|wish\w*"
    r"|hop(?:e|es|ed|ing)|should|wonder\w*|consider\w*)\b"
)
_CONDITION = re.compile(r"\b(?:if|unless|whether)\b")
_OVER = re.compile(r"\b(?:used to|former|formerly|previously|no longer|any ?more)\b")
_WIDENS = frozenset("all always every each only everything everywhere most many never".split())
_CLAUSE = re.compile(r"[.,;:!?()\u2026]| - |\b(?:but|and|because|while|although|so)\b")

_PART = re.compile(r"[.,;:!?]|\b(?:and|or|but)\b")


def compare(note: str, sentence: str, *, framed: Iterable[str] = ()) -> Verdict:
    """Return how far a sentence of its owner's bears a note about them out.

    `framed` are words that may stand in the note unsaid, because the product's own wording of what
    was said has them ("lives" of "I'm from Leeds").
    """
    words, said = _words(note), _words(sentence)
    if not any(word in terms.STOPWORDS for word in said):
        return Verdict.LOOSELY  # no English: there is nothing to compare with
    held = set(map(stem, said))
    frame = {stem(word) for text in framed for word in terms.split_words(text)}
    wanted = [word for word in words if _tells(word)]
    missing = [word for word in wanted if stem(word) not in held | frame]
    unsaid = [word for word in missing if not _has_stand_in(word, said)]
    if not wanted or _names(note, missing) or 2 * len(unsaid) > len(wanted):
        return Verdict.NOT_SAID
    parts = [set(filter(_tells, _words(part))) for part in _PART.split(note)]
    if any(part and part <= set(unsaid) for part in parts):
        return Verdict.NOT_SAID
    clause = _clause(sentence, {stem(word) for word in wanted})
    statuses = _statuses(sentence, {stem(word) for word in wanted})
    if _is_turned(plain(note), clause, statuses):
        return Verdict.TURNED_ROUND
    if _is_anothers(said, wanted, statuses):
        return Verdict.ANOTHERS
    exact = (
        not missing
        and _SPEAKERS & set(said)
        and _stands_in(words, said)
        and _WIDENS & set(words) <= set(said)
    )
    return Verdict.SAID if exact else Verdict.LOOSELY


def words_said(note: str, texts: Iterable[str]) -> bool:
    """Return whether every telling word of a text stands in some other texts."""
    held = {stem(word) for text in texts for word in terms.split_words(text)}
    return all(stem(word) in held for word in terms.content_words(note))


def is_faithful_summary(sentence: str, texts: Sequence[str]) -> bool:
    """Return whether a sentence about a conversation says no more than its messages, and does not
    turn round what comes nearest to it in them.
    """
    parts = [part for text in texts for part in split_lines_and_sentences(text)]
    wanted = {stem(word) for word in terms.content_words(sentence)} - _OF_A_SUMMARY
    held = [{stem(word) for word in terms.split_words(part)} for part in parts]
    if not wanted or not wanted <= set().union(*held):
        return False
    shared = [len(wanted & words) for words in held]
    nearest = [part for part, count in zip(parts, shared, strict=True) if count == max(shared)]
    return not all(compare(sentence, part) == Verdict.TURNED_ROUND for part in nearest)


def _words(text: str) -> list[str]:
    """Return the words and marks of a text in one form, whoever it is told of."""
    written = plain(text)
    for short, full in _SHORT:
        written = short.sub(full, written)
    words = [word.removesuffix("'s") for word in _TOKEN.findall(written)]
    return [_FORMS.get(word, word) for word in words]


def _tells(word: str) -> bool:
    return word[0].isalnum() and word not in terms.STOPWORDS | _LEFT_OUT


def _has_stand_in(word: str, said: Sequence[str]) -> bool:
    near = {number for number, _ in terms.find_related_stems(word)}
    return any(terms.stem_id(other) in near for other in said if _tells(other))


def _names(note: str, words: Sequence[str]) -> bool:
    """Return whether one of these words of a note is a name or a number."""
    if any(word in NUMBER_WORDS or any(map(str.isdigit, word)) for word in words):
        return True
    # The first word of a note has a capital letter whatever it is.
    behind = re.findall(r"[^\W_][\w'’]*", note)[1:]
    return any(word[0].isupper() and plain(word).removesuffix("'s") in words for word in behind)


def _clause(sentence: str, wanted: set[str]) -> str:
    """Return the stretch of clauses in which these stems stand."""
    parts = _CLAUSE.split(plain(sentence))
    holding = [place for place, part in enumerate(parts) if wanted & set(map(stem, _words(part)))]
    return " ".join(parts[holding[0] : holding[-1] + 1]) if holding else plain(sentence)


def _statuses(sentence: str, wanted: set[str]) -> set[str]:
    """Return what the reader says of the values in which these stems stand."""
    return {
        span.status
        for span in Reading(sentence).read.spans
        if span.label != "date"
        and wanted & {stem(word) for word in terms.split_words(sentence[span.start : span.end])}
    }


def _is_turned(note: str, clause: str, statuses: set[str]) -> bool:
    """Return whether the one denies, supposes or puts into the past what the other asserts."""
    if _denials(note) % 2 != _denials(clause) % 2:
        return True
    if ("asked" in statuses or _SUPPOSES.search(clause)) and not _SUPPOSES.search(note):
        return True
    if _CONDITION.search(clause) and not _CONDITION.search(note):
        return True
    past = {stem(word) for word in note.split() if _is_past(word)}
    over = bool(_OVER.search(note))
    if "past" in statuses:
        return not over and not past
    shared = past & set(map(stem, clause.split()))
    return bool(over or shared) and not any(map(_is_past, clause.split()))


def _denials(text: str) -> int:
    return len(_DENIES.findall(text.replace("n't", " not")))


def _is_past(word: str) -> bool:
    return word in ("was", "were", "had", "did", "used") or is_past(word)


def _is_anothers(said: Sequence[str], wanted: Sequence[str], statuses: set[str]) -> bool:
    """Return whether the reader says it of somebody whom the note leaves out."""
    stems = set(map(stem, wanted))
    before = said[: next(place for place, word in enumerate(said) if stem(word) in stems)]
    return "other" in statuses and any(_tells(word) or word in _OTHERS for word in before)


def _stands_in(words: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether the words follow each other in a sentence as in the note, with no telling word
    between them or right behind.
    """
    wanted = [stem(word) for word in words if word[0].isalnum() and word not in _LEFT_OUT]
    own = [stem(word) for word in said if word not in _LEFT_OUT]
    telling = [_tells(word) and not word.endswith("ly") for word in said if word not in _LEFT_OUT]
    for start in (place for place, word in enumerate(own) if word == wanted[0]):
        place = start
        for word in wanted[1:]:
            end = next((at for at in range(place + 1, len(own)) if own[at] == word), None)
            if end is None or any(telling[place + 1 : end]):
                break
            place = end
        else:
            return not any(telling[place + 1 : place + 2])
    return False
