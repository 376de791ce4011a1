"""Where a word came up: every message with it, in whatever form, that may be told here.

Recall finds what bears on a question; this finds all there is of a word, to be counted and dated.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from conversations.models import Conversation, Message
from memory.core import array_literal, fetch_rows, model_instance
from memory.language import (
    ORDER_KINDS,
    TimeSpan,
    content_words,
    find_asked_times,
    is_pure_question,
    is_question,
    read_intent,
    snowball_stem,
    split_sentences,
    split_words,
    stem_id,
)
from memory.retrieval import lexeme_of

# The newest so many are looked at; who said a word more often is told so.
MOST = 1_000

# A word is asked for as an index has it, see passage_candidates for why the look-up stands alone.
# Looked up once, whatever the planner thinks of tables that it has not counted yet.
_MENTIONING = """
with p as materialized (
    select message_id from memory_passage
    where user_id = %(user)s and words @@ %(words)s::text::tsquery
)
select m.id, m.conversation_id, m.number, m.role, m.author, m.content, m.said_at,
       m.confidential and m.conversation_id <> %(here)s, c.title
from p join conversations_message m on m.id = p.message_id and m.user_id = %(user)s
join conversations_conversation c on c.id = m.conversation_id
where m.id <> %(but)s and m.state <> 'removed'
  and (m.role = 'user' or (not %(mine)s and m.author <> ''))
  and m.said_at >= %(since)s and m.said_at < %(until)s
order by m.said_at desc, m.number desc limit %(most)s
"""
_FIELDS = ("id", "conversation_id", "number", "role", "author", "content", "said_at")


@dataclass(frozen=True)
class MentionQuery:
    """What is looked for: the words as they were asked, without the time, and the days."""

    words: str
    telling: tuple[str, ...]
    spans: list[TimeSpan] = field(default_factory=list)

    @property
    def when(self) -> str:
        """The time behind a sentence: ' in March'; '' for none."""
        return f" {self.spans[0].said}" if self.spans else ""


@dataclass(frozen=True)
class MentionResult:
    """The messages that may be told here, and the conversations of those that are only counted.

    `withheld_at`: when those were said. `asked`: how many more there are that only ask about it.
    """

    said: list[Message]
    withheld: list[UUID]
    withheld_at: list[datetime] = field(default_factory=list)
    asked: int = 0

    def count(self) -> int:
        """How many there are, told or not."""
        return len(self.said) + len(self.withheld)

    def count_of_talks(self) -> int:
        """In how many conversations."""
        return len({message.conversation_id for message in self.said} | set(self.withheld))


def parse_mention_query(text: str, asked_at: datetime) -> MentionQuery:
    """Take apart 'Lisbon in March': a word to look for, and when."""
    spans = find_asked_times(text, asked_at)
    plain = text
    for span in spans:
        index = plain.lower().find(span.words)
        plain = (plain[:index] + " " + plain[index + len(span.words) :]) if index >= 0 else plain
    plain = " ".join(plain.split()).strip(" ,.?!")
    plain = plain.removesuffix(" in").removesuffix(" on").removesuffix(" during")
    return MentionQuery(plain, tuple(dict.fromkeys(content_words(plain))), spans)


def mentions(
    question: Message, query: MentionQuery, *, mine: bool, exactly: bool = False
) -> MentionResult:
    """The messages with all of those words, the latest first, at most MOST.

    `exactly`: the very word in singular or plural, in whatever tense; else what is made from it
    too. Left out are what the assistant said by itself, and what only asks the assistant about it.
    """
    if not query.telling:
        return MentionResult([], [])
    first, after = bounds(query.spans, question.said_at)
    found = fetch_rows(
        _MENTIONING,
        {
            "user": question.user_id,
            "words": _query(question.user_id, query.telling),
            "here": question.conversation_id,
            "but": question.pk,
            "mine": mine,
            "since": first,
            "until": after,
            "most": MOST,
        },
    )
    messages: list[Message] = []
    withheld: list[Message] = []
    asked = 0
    for row in found:
        message, elsewhere = _message(question.user_id, row)
        if exactly and not _has_words(message.content, query.telling):
            continue
        # What two people asked each other was talked about; the assistant was only asked.
        if not message.author and _only_asks(message.content, query.telling):
            asked += 1
        elif elsewhere:
            withheld.append(message)
        else:
            messages.append(message)
    return MentionResult(
        messages,
        [one.conversation_id for one in withheld],
        [one.said_at for one in withheld],
        asked,
    )


def _only_asks(text: str, telling: Sequence[str]) -> bool:
    """Whether what a message has of these words are questions: 'I was ill. Where is Berlin?'"""
    numbers = {stem_id(word) for word in telling}
    parts = split_sentences(text)
    of_it = [part for part in parts if numbers & {stem_id(w) for w in split_words(part)}]
    return all(_asks_the_assistant(part) for part in of_it or parts)


# It begins like a question or an order, and tells: "Do you know, Gerald rang", "Remind me to …".
_TELLS = re.compile(
    r"(?:do you know|you know what|guess what),(?!.*\?)"
    r"|(?:would|will|could|can|don't) you (?:just )?(?:believe|imagine)\b|which (?:is|was) why"
    r"|(?:(?:will|would|could|can) you )?(?:please )?(?:remind me (?:to|that|of)"
    r"|remember (?:that|to)|note|keep in mind|write down)\b(?! (?:anything|my notes))"
    r"|(?:did|have) i (?:ever |already )?(?:tell|told) you (?:that )?(?!(?:about|of|what|when|where"
    r"|which|who|how|why|whether|if|my|our|anything|something)\b)\w+ \w+",
    re.IGNORECASE,
)


def _asks_the_assistant(sentence: str) -> bool:
    """Whether a sentence asks or orders and says nothing: "it was her, wasn't it?" says it."""
    plain = " ".join(sentence.replace("’", "'").split())
    if _TELLS.match(plain) or not is_question(plain):
        return False
    intent = read_intent(plain)
    return is_pure_question(plain) or (intent is not None and intent.kind in ORDER_KINDS)


def bounds(spans: Iterable[TimeSpan], asked_at: datetime) -> tuple[datetime, datetime]:
    """From the first moment of the days that are asked about to the last; all days without any."""
    edges = [span.bounds(asked_at) for span in spans]
    if not edges:
        return datetime.min.replace(year=2, tzinfo=asked_at.tzinfo), asked_at
    return min(first for first, _ in edges), max(after for _, after in edges)


def by_conversation(messages: Iterable[Message]) -> list[list[Message]]:
    """The same by conversation, the latest first."""
    told = sorted(messages, key=lambda message: str(message.conversation_id))
    talks = [list(group) for _, group in groupby(told, key=lambda message: message.conversation_id)]
    return sorted(talks, key=lambda group: max(message.said_at for message in group), reverse=True)


# How often a word is counted at most: beyond that it tells little.
_COUNTED = 200
_NOW_AND_THEN = 20
_HOLDING = """
select (select count(*) from
          (select 1 from memory_passage
           where user_id = %(user)s and words @@ wanted.lexeme::tsquery
             and message_id <> %(but)s
           limit %(most)s offset 0) held)
from unnest(%(words)s::text::text[]) with ordinality as wanted(lexeme, place)
order by place
"""


def rarity(question: Message, words: Sequence[str]) -> list[float]:
    """How much each word tells: the fewer messages besides the question have it, the more.

    A word that nobody ever said is taken for one that was said now and then: it may be the asker's
    own name for something.
    """
    if not words:
        return []
    user_id = question.user_id
    lexemes = array_literal(f"\"'{lexeme_of(user_id, stem_id(one))}'\"" for one in words)
    values = {"user": user_id, "words": lexemes, "most": _COUNTED, "but": question.pk}
    return [
        math.log(1 + _COUNTED / (held or _NOW_AND_THEN)) for (held,) in fetch_rows(_HOLDING, values)
    ]


def _query(user_id: UUID, words: Iterable[str]) -> str:
    return " & ".join(f"'{lexeme_of(user_id, stem_id(word))}'" for word in words)


def _message(user_id: UUID, row: tuple[Any, ...]) -> tuple[Message, bool]:
    """The message, and whether it may be told in its own conversation only."""
    *values, elsewhere, title = row
    message = model_instance(Message, ("user_id", *_FIELDS), [user_id, *values])
    message.conversation = model_instance(
        Conversation, ("id", "user_id", "title"), (values[1], user_id, title)
    )
    return message, elsewhere


def _has_words(text: str, telling: Iterable[str]) -> bool:
    there = set(split_words(text))
    return all(any(is_form_of(one, word) for one in there) for word in telling)


def is_form_of(one: str, other: str) -> bool:
    """Whether two words are one in another number or tense: 'runs', 'running' and 'ran'.

    Words with the same stem may be more than that: 'encourage' is no form of 'encouragement'.
    """
    if one == other or _bases(one) & _bases(other):
        return True
    irregular = one[0] == other[0] and stem_id(one) == stem_id(other)
    return irregular and snowball_stem(one) != snowball_stem(other)


def _bases(word: str) -> set[str]:
    """The words it may be a form of."""
    found = {word}
    for ending, puts in (
        ("ies", ("y",)),
        ("es", ("", "e")),
        ("s", ("",)),
        ("ied", ("y",)),
        ("ed", ("", "e")),
        ("ing", ("", "e")),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            rest = word[: -len(ending)]
            found |= {rest + put for put in puts}
            if ending in ("ed", "ing") and rest[-1] == rest[-2:-1]:
                found.add(rest[:-1])
    return found
