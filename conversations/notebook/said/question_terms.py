"""What a question seeks: its telling words, what stands in for them, its days and its names."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from django.utils.timezone import localtime
from rapidfuzz.distance import DamerauLevenshtein

from conversations.notebook import answer_types
from conversations.notebook.said.coreference import names_by_role
from conversations.prompt import Prompt
from conversations.search import word_mentions
from memory.language import (
    Float32Array,
    TimeSpan,
    answer_probabilities,
    content_words,
    encode_sentence,
    find_asked_times,
    find_related_stems,
    split_words,
    stem_id,
)

_NAME = re.compile(r"(?<=\w )[A-Z][\w-]+")
# Words that ask and are in no answer.
_ASKING = frozenset(
    """happen happened happening happens kind kinds type types sort sorts style styles genre genres
    name names times time ever recently day date month year many thing things did plan activity
    activities item items way ways again exactly long when last called tell remember know
    u ur wot wots whats whos wheres hows n pls plz btw lol hey im didnt doesnt dont isnt
    was ist wer wo wie wann welche welcher heisst hiess nochmal que quien donde como cual cuando
    quand quel quelle qui combien quanti quale""".split()
)
_MISSPELLED, _LONG = 0.8, 5  # Two longer words so alike are one, misspelled.


@dataclass(frozen=True)
class QuestionTerms:
    """The words of a question that an answer would have, what stands in for each, how rare each is.

    Also what the question means as a whole, and the times that it names.
    """

    words: tuple[str, ...]
    stem_ids: tuple[int, ...]
    stand_ins: tuple[dict[int, float], ...]
    rarity: tuple[float, ...]
    meaning: Float32Array
    spans: tuple[TimeSpan, ...]
    names: frozenset[str]
    # The names of whom the question calls by a role.
    names_by_role: Mapping[str, frozenset[str]]
    # The question itself.
    question: str
    # How probably the texts that were weighed, with their authors, answer it.
    _weighed: dict[tuple[str, str], float] = field(default_factory=dict, compare=False)

    def weigh(self, told: Iterable[tuple[str, str]]) -> None:
        """Read several texts, each with its author ('' for who asks), together with the question: a
        third of what one by one takes.
        """
        new = [pair for pair in dict.fromkeys(told) if pair not in self._weighed]
        pairs = [(self._asked_of(author, text), text) for text, author in new]
        self._weighed.update(zip(new, answer_probabilities(pairs), strict=True))

    def probability(self, text: str, author: str = "") -> float:
        """How probable it is that a text answers the question, 0..1."""
        self.weigh([(text, author)])
        return self._weighed[text, author]

    def _asked_of(self, author: str, text: str) -> str:
        """The question as the author of a text would put it (Ann says "I" where it says "Ann"), by
        the names of that text ("Petra" for "my boss").
        """
        asked = self.question
        if author and author in asked:
            name = re.escape(author)
            asked = re.sub(rf"\b{name}\b", "I", re.sub(rf"\b{name}(?:'s|’s)", "my", asked))
        words = set(split_words(text))
        for role, names in self.names_by_role.items():
            if name := min(names & words, default=""):
                asked = re.sub(rf"\b(?:my|our) {re.escape(role)}\b", name.capitalize(), asked)
        return asked

    def cover(self, text: str, *, literally: bool = False) -> float:
        """How much of the question a text speaks of, 0..1; a rare word counts for more.

        `literally`: by its words alone, and not by what tells the kind of thing that they ask for.
        """
        shared = self._shares(text, literally=literally)
        return sum(shared) / sum(self.rarity) if self.rarity else 0.0

    def _shares(self, text: str, *, literally: bool = False) -> list[float]:
        """What a text has of each word: its rarity, or as much of it as what stands in for it."""
        words = split_words(text)
        there = {stem_id(word) for word in words}
        there |= {
            stem_id(word)
            for word in self.words
            if (not literally and answer_types.word_is_told(word, text))
            or _is_misspelled(word, words)
            or not self.names_by_role.get(word, frozenset()).isdisjoint(words)
        }
        return [
            rare
            * (1.0 if number in there else max((near[n] for n in there & near.keys()), default=0))
            for number, near, rare in zip(self.stem_ids, self.stand_ins, self.rarity, strict=True)
        ]

    def likeness(self, text: str) -> float:
        """How near a text is in meaning, 0..1."""
        return max(0.0, float(encode_sentence(text) @ self.meaning))

    def covers_day(self, day: date) -> bool:
        """Whether a day lies in the times that are asked about; any does where none is."""
        return not self.spans or any(span.first <= day <= span.last for span in self.spans)


def _is_misspelled(word: str, words: Iterable[str]) -> bool:
    """Whether a word stands among others in another spelling: "charlote", "appointmnet"."""
    return len(word) >= _LONG and any(
        len(other) >= _LONG
        and DamerauLevenshtein.normalized_similarity(word, other, score_cutoff=_MISSPELLED)
        for other in words
        if other != word
    )


def terms_of(prompt: Prompt) -> QuestionTerms:
    """What the question seeks: its telling words without those that only ask or name a time, and
    the names that were given to whom it calls by a role.
    """
    question = prompt.normalized_question
    spans = tuple(find_asked_times(question, localtime(prompt.question.said_at)))
    # What Ann says of herself seldom has her name: her messages are looked at alone instead.
    left_out = _ASKING | speakers(prompt) | {w for span in spans for w in split_words(span.words)}
    kept = [word for word in dict.fromkeys(content_words(question)) if word not in left_out]
    return QuestionTerms(
        words=tuple(kept),
        stem_ids=tuple(stem_id(word) for word in kept),
        stand_ins=tuple(dict(find_related_stems(word)) for word in kept),
        rarity=tuple(word_mentions.rarity(prompt.question, kept)),
        meaning=encode_sentence(question),
        spans=spans,
        names=frozenset(_NAME.findall(question)),
        question=question,
        names_by_role=names_by_role(
            split_words(question), (p.message.content for p in prompt.passages)
        ),
    )


def speakers(prompt: Prompt) -> set[str]:
    """Who else speaks in the messages that recall found, in lower case."""
    return {p.message.author.lower() for p in prompt.passages if p.message.author}
