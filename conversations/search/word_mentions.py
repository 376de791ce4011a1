"""Mentions of a word: every message with any form of the word that may be shown here. Retrieval
finds what is relevant to a question; this finds every mention, for counts and dates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from conversations.models import Conversation, Message
from memory.core.statements import fetch_rows, model_instance
from memory.language.dates.asked_times import find_asked_times
from memory.language.dates.time_expressions import TimeSpan
from memory.language.queries.query_intent import split_sentences
from memory.language.text.terms import content_words, split_words, stem_id
from memory.notes.message_notes import retracted_messages
from memory.retrieval.passage_index import lexeme_of

# How many of the newest mentions are read; if there are more, the answer says so.
MOST = 1_000

# Words in the form in which the index stores them; see passage_candidates for why the look-up is
# separate. Materialized, so that the planner does it once even without table statistics.
_MENTIONS_SQL = """
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
  and (c.privacy <> 'private' or c.id = %(here)s)
  and m.said_at >= %(since)s and m.said_at < %(until)s
order by m.said_at desc, m.number desc limit %(most)s
"""
_FIELDS = ("id", "conversation_id", "number", "role", "author", "content", "said_at")


@dataclass(frozen=True)
class MentionQuery:
    """The search: words as typed, without the time, and the days."""

    words: str
    telling: tuple[str, ...]
    spans: list[TimeSpan] = field(default_factory=list)

    @property
    def when(self) -> str:
        """The time as the end of a sentence: ' in March'; '' for none."""
        return f" {self.spans[0].said}" if self.spans else ""


@dataclass(frozen=True)
class MentionResult:
    """The messages that may be shown here, and the conversations of those that may only be counted.
    Questions to the assistant about the word are left out.
    """

    said: list[Message]
    withheld: list[UUID]

    def count(self) -> int:
        """Return the number of mentions, shown or not."""
        return len(self.said) + len(self.withheld)


def parse_mention_query(text: str, asked_at: datetime) -> MentionQuery:
    """Parse 'Lisbon in March' into the words to search for, and the time."""
    spans = find_asked_times(text, asked_at)
    plain = text
    for span in spans:
        index = plain.lower().find(span.words)
        plain = (plain[:index] + " " + plain[index + len(span.words) :]) if index >= 0 else plain
    plain = " ".join(plain.split()).strip(" ,.?!")
    plain = plain.removesuffix(" in").removesuffix(" on").removesuffix(" during")
    return MentionQuery(plain, tuple(dict.fromkeys(content_words(plain))), spans)


def mentions(question: Message, query: MentionQuery, *, own: bool) -> MentionResult:
    """Return the messages with all words, latest first, at most MOST. Left out are the assistant's
    messages, questions to the assistant, and retracted messages. `own`: only messages of the user.
    """
    if not query.telling:
        return MentionResult([], [])
    first, after = bounds(query.spans, question.said_at)
    rows = fetch_rows(
        _MENTIONS_SQL,
        {
            "user": question.user_id,
            "words": _query(question.user_id, query.telling),
            "here": question.conversation_id,
            "but": question.pk,
            "mine": own,
            "since": first,
            "until": after,
            "most": MOST,
        },
    )
    messages: list[Message] = []
    withheld: list[UUID] = []
    taken_back = retracted_messages(question.user_id, [row[0] for row in rows])
    for row in rows:
        message, elsewhere = _message(question.user_id, row)
        if message.pk in taken_back:
            continue
        # In a replayed dialogue questions count too, unlike questions to the assistant.
        if not message.author and _only_asks(message.content, query.telling):
            continue
        if elsewhere and not message.reading.asks_to_forget:
            withheld.append(message.conversation_id)
        elif not elsewhere:
            messages.append(message)
    return MentionResult(messages, withheld)


def _only_asks(text: str, telling: Sequence[str]) -> bool:
    """Return whether all sentences of a message with these words are questions."""
    numbers = {stem_id(word) for word in telling}
    parts = split_sentences(text)
    of_it = [part for part in parts if numbers & {stem_id(w) for w in split_words(part)}]
    return all(part.rstrip().endswith("?") for part in of_it or parts)


def bounds(spans: Iterable[TimeSpan], asked_at: datetime) -> tuple[datetime, datetime]:
    """Return the first and last moment of the days asked about; all time if there are none."""
    edges = [span.bounds(asked_at) for span in spans]
    if not edges:
        return datetime.min.replace(year=2, tzinfo=asked_at.tzinfo), asked_at
    return min(first for first, _ in edges), max(after for _, after in edges)


def by_conversation(messages: Iterable[Message]) -> list[list[Message]]:
    """Return the messages grouped by conversation, the latest first."""
    ordered = sorted(messages, key=lambda message: str(message.conversation_id))
    talks = [
        list(group) for _, group in groupby(ordered, key=lambda message: message.conversation_id)
    ]
    return sorted(talks, key=lambda group: max(message.said_at for message in group), reverse=True)


def _query(user_id: UUID, words: Iterable[str]) -> str:
    return " & ".join(f"'{lexeme_of(user_id, stem_id(word))}'" for word in words)


def _message(user_id: UUID, row: tuple[Any, ...]) -> tuple[Message, bool]:
    """Return the message, and whether it may be shown in its own conversation only."""
    *values, elsewhere, title = row
    message = model_instance(Message, ("user_id", *_FIELDS), [user_id, *values])
    message.conversation = model_instance(
        Conversation, ("id", "user_id", "title"), (values[1], user_id, title)
    )
    return message, elsewhere
