"""Whether a note says no more, and nothing else, than the sentence that it rests on. Pure.

A quote may be true and the note beside it false: turned round, put into another time, taken from
somebody else's mouth, or made up. A sentence is cut into clauses, the words of the note are found
in it in their order, and what a clause says about them (denied, over, only supposed, somebody
else's) must be what the note says. The check knows little grammar and is strict: what it cannot
follow is `LOOSELY` said, and its owner is asked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

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


# --- Words ---------------------------------------------------------------------------------------

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[.,;:!?()\u2026]|-(?=\s)")
_OWN = frozenset("i i'm i've i'd i'll im ive we we're we've we'd we'll me us".split())
_OTHERS = frozenset(
    """he he's he'd he'll she she's she'd she'll they they're they've they'd they'll you you're
    you've you'd you'll who who's whoever somebody someone everybody everyone nobody""".split()
)
_POSSESSIVE = frozenset("my our".split())
# One of these makes a sentence speak of its owner; "give me a tip" does not.
_SPEAKERS = (_OWN | _POSSESSIVE | {"mine", "ours"}) - {"me", "us"}
_PREPOSITIONS = frozenset(
    """to from at in on of for with without by against about into onto under over between before
    after until till since than as via through during toward towards""".split()
)
_JOINS = frozenset("and or nor plus".split())
_BREAKS = frozenset("but though although whereas while because so yet".split())
_STOPS = frozenset(".;:!?()-\u2026")
_RELATIVE = frozenset("that which where when whether if".split())
_REPORTS = frozenset(
    stem(word)
    for word in "say think claim believe tell hear write suggest insist assume guess ask".split()
)
# Words that tell of a conversation what it is.
_OF_A_SUMMARY = frozenset(
    stem(word)
    for word in """person user assistant conversation chat talk discuss ask tell mention say share
    speak describe question answer""".split()
)
# Words that are told of a note's owner without having been said.
_OF_THE_HOUSE = frozenset(stem(word) for word in "person user owner".split())
_WHEN = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|yesterday|tomorrow|weeks?|months?"
    r"|years?|weekends?|mornings?|evenings?|afternoons?|nights?|ago|lately|recently|nowadays|\w+ly"
)
_COUNTS = frozenset(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million""".split()
)
_BEING = frozenset("is are am was were be been i'm we're it's".split())
_HAVING = frozenset("has have had got i've we've own owns my our".split())

# --- What a clause says about its words ----------------------------------------------------------

_DENIES = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nothing|nobody|without|hardly|barely|scarcely|rarely"
    r"|seldom|stop(?:ped|s)?|quit|gave up|given up|former|formerly|except|instead of|rather than"
    r"|refuse[sd]?|avoid(?:s|ed)?|fail(?:s|ed)? to|unable|far from|anything but|cannot|cant|dont)\b"
    r"|n't\b"
)
_AGAINST = re.compile(
    r"\b(?:hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|detest\w*|despis\w*|loath\w*|allergic"
    r"|sick of|tired of|fed up)\b"
)
_UNREAL = re.compile(
    r"\b(?:if|unless|would|could|might|may|maybe|perhaps|almost|nearly|want(?:s|ed)?|wish\w*"
    r"|hop(?:e|es|ed|ing)|dream\w*|imagin\w*|pretend\w*|suppos\w*|consider\w*"
    r"|thinking (?:of|about)|should|wonder\w*|doubt\w*|whether|try|trying|tried"
    r"|appl(?:y|ied|ying))\b|\w'd (?:like|love)\b"
)
_CONDITION = re.compile(r"\b(?:if|unless|whether)\b")
_TO_COME = re.compile(r"\b(?:will|going to|gonna|shall|plan\w*|intend\w*|soon)\b|'ll\b")
_OVER = re.compile(
    r"\b(?:used to|formerly|former|previously|in the past|back then|was|were|had|did|ago|earlier"
    r"|once(?! (?:a|an|every|per|in)\b)|until (?:last|recently|\d{4})|as a (?:child|kid|student)"
    r"|no longer|any ?more|ex)\b"
)
_LASTS = re.compile(r"\b(?:have|has|'ve)\b|'ve\b")
_TAKEN_BACK = re.compile(
    r"\b(?:kidding|joking|just a joke|scratch that|not really|lie|untrue|false|sarcas\w+|rumou?rs?"
    r"|hypothetically|for example|quote|role ?play)\b"
)
# Words that widen a note beyond its sentence, and words that it may not lose.
_WIDENS = frozenset("all always every each only everything everywhere most many never".split())
_NARROWS = frozenset("sometimes occasionally only few little some too".split())


@dataclass(frozen=True)
class _Word:
    """A word or a mark of a text."""

    text: str
    place: int

    @property
    def stem(self) -> str:
        return stem(self.text.removesuffix("'s"))

    @property
    def tells(self) -> bool:
        bare = self.text.removesuffix("'s")
        return bare[0].isalnum() and bare not in terms.STOPWORDS and bare not in _PREPOSITIONS


def compare(note: str, sentence: str, *, framed: Iterable[str] = ()) -> Verdict:
    """How far a sentence of its owner's bears a note about them out.

    `framed` are words that may stand in the note unsaid, because the house's own wording of what
    was said has them ("lives" of "I'm from Leeds"). Linear in the length of both.
    """
    words, said = _words(plain(note)), _words(plain(sentence))
    wanted = [word for word in words if word.tells and word.stem not in _OF_THE_HOUSE]
    frame = {stem(word) for text in framed for word in terms.split_words(text)}
    held = {word.stem for word in said}
    missing = [word for word in wanted if word.stem not in held | frame]
    if not sentence.isascii() and not any(word.text.isascii() for word in said if word.tells):
        return Verdict.LOOSELY
    if _names_what_was_not_said(note, missing) or not wanted:
        return Verdict.NOT_SAID
    if not any(word.text in terms.STOPWORDS for word in said):
        # No English: there is nothing to compare with, and somebody can be asked.
        return Verdict.LOOSELY
    unsaid = [word for word in missing if not _has_a_stand_in(word, said)]
    parts = _parts(words, wanted)
    if 2 * len(unsaid) > len(wanted) or any(set(part) <= set(unsaid) for part in parts):
        return Verdict.NOT_SAID
    return _Pair(words, said, held).verdict(whole=not missing, sentence=plain(sentence))


def words_said(note: str, texts: Iterable[str]) -> bool:
    """Whether every word of a text that tells something stands in some other texts."""
    held = {stem(word) for text in texts for word in terms.split_words(text)}
    return all(stem(word) in held for word in terms.content_words(note))


def is_faithful_summary(sentence: str, texts: Sequence[str]) -> bool:
    """Whether a sentence about a conversation says no more than its messages, and does not turn
    round what comes nearest to it in them.
    """
    parts = [plain(part) for text in texts for part in split_lines_and_sentences(text)]
    told = {stem(word) for word in terms.content_words(sentence)} - _OF_A_SUMMARY
    held = [{stem(word) for word in terms.split_words(part)} for part in parts]
    if not told or not told <= set().union(*held):
        return False
    shared = [len(told & words) for words in held]
    nearest = [part for part, most in zip(parts, shared, strict=True) if most == max(shared)]
    return not all(compare(sentence, part) == Verdict.TURNED_ROUND for part in nearest)


def _words(text: str) -> list[_Word]:
    found = _TOKEN.finditer(text)
    return [_Word(match[0], position) for position, match in enumerate(found)]


def _names_what_was_not_said(note: str, missing: Sequence[_Word]) -> bool:
    """Whether a name or a number of the note is none of the sentence's."""
    unsaid = {word.text for word in missing}
    if any(word in _COUNTS or any(sign.isdigit() for sign in word) for word in unsaid):
        return True
    # The first word of a note has a capital letter whatever it is.
    behind = re.findall(r"[^\W_][\w'’]*", note)[1:]
    return any(word[0].isupper() and plain(word).removesuffix("'s") in unsaid for word in behind)


def _parts(words: Sequence[_Word], wanted: Sequence[_Word]) -> Iterator[list[_Word]]:
    """The telling words of a note, part by part: 'works at Acme' and 'drinks too much'."""
    ends = [word.place for word in words if word.text in _JOINS | _STOPS | _BREAKS | {","}]
    start = -1
    for end in [*ends, len(words)]:
        if part := [word for word in wanted if start < word.place < end]:
            yield part
        start = end


def _has_a_stand_in(word: _Word, words: Sequence[_Word]) -> bool:
    near = {number for number, _ in terms.find_related_stems(word.text)}
    return any(terms.stem_id(other.text) in near for other in words if other.tells)


class _Pair:
    """A note's words beside those of the sentence."""

    def __init__(self, words: Sequence[_Word], said: Sequence[_Word], held: set[str]) -> None:
        self.told, self.said = words, said
        self.wanted = [word for word in words if word.tells and word.stem in held]
        self.stems = {word.stem for word in self.wanted}
        self.places = _in_order(self.wanted, said)

    def verdict(self, *, whole: bool, sentence: str) -> Verdict:
        """What comes of them, `whole` when no word of the note is missing."""
        told = " ".join(word.text for word in self.told)
        clause = self._clause()
        if _is_turned(told, clause) or self._is_at_another_time(told, clause):
            return Verdict.TURNED_ROUND
        if self._is_anothers(whole=whole):
            return Verdict.ANOTHERS
        exact = (
            whole
            and self.places is not None
            and any(word.text in _SPEAKERS for word in self.said)
            and not _TAKEN_BACK.search(sentence)
            and self._is_of_one_piece(self.places)
            and self._begins_there(self.places)
            and self._is_no_wider(clause)
        )
        return Verdict.SAID if exact else Verdict.LOOSELY

    # The clause

    def _clause(self) -> str:
        """The clause, or the clauses, in which the note's words stand."""
        hits = [word.place for word in self.said if word.tells and word.stem in self.stems]
        places = self.places or hits
        breaks = [0, *_breaks(self.said), len(self.said)]
        first = max(index for index in breaks if index <= places[0])
        last = min(index for index in breaks if index > places[-1])
        return " ".join(word.text for word in self.said[first:last])

    def _is_at_another_time(self, told: str, clause: str) -> bool:
        over = bool(_OVER.search(clause))
        past = bool(_OVER.search(told)) or any(is_past(word.text) for word in self.wanted)
        to_come = bool(_TO_COME.search(clause))
        if over and not past and not to_come:
            return True
        if _OVER.search(told) and not over and not any(map(is_past, clause.split())):
            return True
        if to_come and past and not over and not _TO_COME.search(told):
            return True
        return not to_come and any(
            is_past(mine.text) != is_past(word.text) and not _LASTS.search(clause)
            for mine in self.wanted
            for word in self.said
            if word.stem == mine.stem and word.text != mine.text and _is_a_verb_here(mine, self)
        )

    # Whose it is

    def _is_anothers(self, *, whole: bool) -> bool:
        """Whether somebody who is not named in the note is, does or has it.

        Of a note with words of its own it is not known which of them the sentence's subject does.
        """
        first = self._first()
        before = self._before(first)
        subject = [word for word in before if word.text in _OWN | _OTHERS]
        if subject and subject[-1].text in _OTHERS:
            return True
        others = [word for word in before if word.tells and word.stem not in self.stems]
        if subject:
            behind = [word.text for word in self.said[subject[-1].place + 1 : first]]
            noun = [one for one in others if one.place > subject[-1].place]
            return bool(noun) and any(one in _POSSESSIVE | _RELATIVE for one in behind)
        return whole and any(not _WHEN.fullmatch(one.text) for one in others)

    def _first(self) -> int:
        if self.places:
            return self.places[0]
        return next(word.place for word in self.said if word.tells and word.stem in self.stems)

    def _before(self, position: int) -> list[_Word]:
        start = max((index for index in [0, *_breaks(self.said)] if index <= position), default=0)
        return list(self.said[start:position])

    # Whether it is said word for word

    def _begins_there(self, places: Sequence[int]) -> bool:
        """Whether nothing stands between the speaker and the first word of the note, and the little
        word that carries the note is the sentence's.
        """
        before = self._before(places[0])
        subject = [word.place for word in before if word.text in _OWN]
        between = [word for word in before if word.place > (subject or [-1])[-1]]
        if any(word.tells and not _WHEN.fullmatch(word.text) for word in between):
            return False
        if any(word.stem in _REPORTS for word in before):
            return False
        head = self.told[0].text if self.told else ""
        clause = {word.text for word in self.said[: places[0]]}
        return not any(head in family and not clause & family for family in (_BEING, _HAVING))

    def _is_of_one_piece(self, places: Sequence[int]) -> bool:
        """Whether the words hang together as they do in the note, and nothing goes on behind."""
        pairs = zip(places, places[1:], self.wanted, self.wanted[1:], strict=False)
        for here, there, mine, following in pairs:
            gap = self.said[here + 1 : there]
            own = self.told[mine.place + 1 : following.place]
            if [word.text for word in gap] == [word.text for word in own]:
                continue
            if _little(gap) != _little(own) or not _is_passed_over(gap):
                return False
        rest = self.said[places[-1] + 1 : places[-1] + 2]
        return not any(word.tells and not _WHEN.fullmatch(word.text) for word in rest)

    def _is_no_wider(self, clause: str) -> bool:
        mine, theirs = {word.text for word in self.told}, set(clause.split())
        return mine & _WIDENS <= theirs and theirs & _NARROWS <= mine


def _in_order(words: Sequence[_Word], said: Sequence[_Word]) -> list[int] | None:
    """Where the note's words stand in the sentence, in the order of the note; None if they do not.

    Of several places the first whose rest follows nearest: the last of the first words is taken.
    """
    best: list[int] | None = None
    starts = [word.place for word in said if words and word.stem == words[0].stem]
    for start in starts:
        places = [start]
        for word in words[1:]:
            after = (one.place for one in said[places[-1] + 1 :] if one.stem == word.stem)
            position = next(after, None)
            if position is None:
                break
            places.append(position)
        else:
            if best is None or places[-1] - places[0] < best[-1] - best[0]:
                best = places
    return best


def _breaks(words: Sequence[_Word]) -> Iterator[int]:
    """Where a clause begins: after a mark, and before what has a subject or a denial of its own."""
    for word, following in zip(words, [*words[1:], _Word(".", len(words))], strict=True):
        opens = following.text in _OWN | _OTHERS | _POSSESSIVE | _BREAKS
        joined = word.text in _JOINS or word.text == ","
        parts = joined and (opens or _DENIES.match(following.text))
        if parts or word.text in _STOPS | _BREAKS:
            yield word.place + 1


def _is_turned(told: str, clause: str) -> bool:
    """Whether the one denies or supposes what the other asserts, or leaves out its condition."""
    if _turns(told) != _turns(clause):
        return True
    return any(words.search(clause) and not words.search(told) for words in (_UNREAL, _CONDITION))


def _turns(text: str) -> bool:
    return (len(_DENIES.findall(text)) + bool(_AGAINST.search(text))) % 2 == 1


def _is_a_verb_here(word: _Word, pair: _Pair) -> bool:
    """Whether a word of the note may be its verb: what stands first of those that tell."""
    return bool(pair.wanted) and word is pair.wanted[0]


def _little(gap: Sequence[_Word]) -> list[str]:
    return [word.text for word in gap if word.text in _PREPOSITIONS]


def _is_passed_over(gap: Sequence[_Word]) -> bool:
    """Whether what a note leaves out between two words is no more than an adjective, or other
    things of the same list.
    """
    texts = [word.text for word in gap]
    if any(text in _OWN | _OTHERS | _RELATIVE | _STOPS | _BREAKS for text in texts):
        return False
    joins = [index for index, text in enumerate(texts) if text in _JOINS or text == ","]
    behind = gap[joins[-1] + 1 :] if joins else gap
    return sum(word.tells for word in behind) <= (0 if joins else 1)
