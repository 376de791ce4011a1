"""Searching a user's messages, with the reasons for the ranking.

Words and meaning are searched in the retrieval index (`passage_search`). If that is impossible
(memory is off, or the query has only days, topics or common words), plain words are searched in the
messages, latest first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from uuid import UUID

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import localtime, now

from accounts.models import User
from conversations.messages import as_read
from conversations.models import (
    Conversation,
    ConversationTopic,
    Message,
    MessageQuerySet,
    quotable_elsewhere,
)
from conversations.search.search_query import (
    DayRange,
    ParsedQuery,
    Role,
    SearchQuery,
    as_regex,
    regexes,
)
from conversations.search.snippets import SearchTerms, Snippet, snippet
from memory.language.message_provenance import is_confidential
from memory.language.queries.query_intent import is_all_marked_questions
from memory.language.safety.secrets import redact_secrets
from memory.language.text.terms import meaning_vectors
from memory.models import Passage
from memory.retrieval.passage_candidates import PassageFilter
from memory.retrieval.passage_search import Hit, search_passages
from memory.retrieval.ranking import FACTOR_WORDS, Factor

# Most results, and how many more are retrieved because some may not be shown.
MOST = 100
_SPARE = 100
# Least cosine similarity of a message that shares no word with the query.
_LEAST_COSINE = 0.32
# How many messages with words of the same beginning are checked in a plain search.
_LOOKED_AT = 500
# How many conversation titles are listed above the messages.
_TITLES = 3
# A factor that adds less to a score is not shown.
_LEAST_FACTOR = 0.08


@dataclass(frozen=True)
class Result:
    """A matching message, or a conversation that matches by title. factors: the reasons for its
    rank. only_here: whether the message is confidential.
    """

    conversation: Conversation
    message: Message | None
    snippet: Snippet
    said_at: datetime
    factors: tuple[Factor, ...] = ()
    only_here: bool = False

    @property
    def url(self) -> str:
        """The URL of the message, or of the conversation."""
        return (self.message or self.conversation).get_absolute_url()

    @property
    def author(self) -> str:
        """The speaker's name in a replayed dialogue, else ''."""
        return self.message.author if self.message else ""

    @property
    def who(self) -> str:
        """The speaker, as shown in a list."""
        if self.message is None or self.author:
            return self.author
        return "You" if self.message.role == Message.Role.USER else "Throughline"

    @property
    def reasons(self) -> list[str]:
        """The reasons for the result's rank in words, strongest first."""
        return [
            FACTOR_WORDS[factor.name] for factor in self.factors if factor.adds >= _LEAST_FACTOR
        ][:4]


@dataclass(frozen=True)
class SearchResults:
    """The results, best first (latest first if `plain`), and how the query was understood. total:
    all results that can be shown, at most MOST. titles: conversations that match by title.
    """

    results: list[Result] = field(default_factory=list)
    total: int = 0
    titles: list[Result] = field(default_factory=list)
    narrowed: DayRange | None = None
    plain: bool = False
    open_quote: bool = False

    @property
    def by_conversation(self) -> list[tuple[Conversation, list[Result]]]:
        """The results grouped by conversation, the one with the best result first."""
        order = list(dict.fromkeys(result.conversation.pk for result in self.results))
        ordered = sorted(self.results, key=lambda result: order.index(result.conversation.pk))
        groups = groupby(ordered, key=lambda result: result.conversation.pk)
        return [(inside[0].conversation, inside) for inside in (list(g) for _, g in groups)]


def find(
    user_id: UUID, query: SearchQuery, count: int = 20, at: datetime | None = None
) -> SearchResults:
    """Return the `count` best results of a search, in the user's transaction (`acting_as`).

    Users find all of their own messages, with confidential ones marked. Messages of private
    conversations, and answers to confidential messages, are found only from inside their
    conversation; deleted ones never. `at` (aware) is the time to which 'yesterday' refers.
    """
    parsed = ParsedQuery.read(query, at or localtime(now()))
    if not query.is_anything:
        return SearchResults()
    results = SearchResults(narrowed=parsed.narrowed, open_quote=parsed.open_quote)
    if not parsed.is_readable:
        return results
    titles = _titles(user_id, parsed) if query.title_only or not query.within else []
    if query.title_only:
        return replace(results, results=titles[:count], total=len(titles), plain=True)
    plain = query.plain or not parsed.is_for_recall or not _memory_is_on(user_id)
    messages, total = (_by_words if plain else _by_recall)(user_id, parsed, count)
    return replace(
        results,
        results=[_result(parsed, message, factors) for message, factors in messages],
        total=total,
        titles=titles[:_TITLES] if parsed.sign.words or parsed.sign.phrases else [],
        plain=plain,
    )


def _memory_is_on(user_id: UUID) -> bool:
    return User.objects.filter(pk=user_id, memory_on=True).exists()


# --- Searching -----------------------------------------------------------------------------------

_Message = tuple[Message, tuple[Factor, ...]]


def _by_recall(user_id: UUID, query: ParsedQuery, count: int) -> tuple[list[_Message], int]:
    """Return the results of the retrieval index that may be shown, in its order, and the total."""
    hits = search_passages(
        user_id,
        query.text,
        k=MOST + _SPARE,
        asked_at=query.at,
        conversation=query.search.within,
        only=_only(user_id, query),
        in_private=Conversation.objects.for_user(user_id).is_private(query.search.within),
    )
    hits = _that_bear_on(query, hits)
    visible = _visible(user_id, query.search.within)
    may_be_seen = visible.filter(pk__in=[hit.message_id for hit in hits])
    seen = set(may_be_seen.values_list("pk", flat=True))
    hits = [hit for hit in hits if hit.message_id in seen][:MOST]
    # Messages that only ask come last: a user who asks again looks for the answer.
    hits.sort(key=lambda hit: hit.by_user and not hit.speaker and is_all_marked_questions(hit.text))
    # Full rows are read only for the messages that are shown.
    rows = _whole(visible, [hit.message_id for hit in hits[:count]])
    shown = [(rows[hit.message_id], hit.factors) for hit in hits if hit.message_id in rows]
    return shown, len(hits)


def _whole(rows: MessageQuerySet, wanted: Sequence[UUID]) -> dict[UUID, Message]:
    return rows.select_related("conversation").in_bulk(wanted)


def _only(user_id: UUID, query: ParsedQuery) -> PassageFilter:
    """Return the filter for retrieval; messages of other private conversations are excluded."""
    search = query.search
    private: list[UUID] = []
    if search.within is None:
        hidden = Conversation.objects.for_user(user_id).filter(privacy=_PRIVATE)
        private = list(hidden.values_list("pk", flat=True))
    return PassageFilter(
        conversations=None if search.topic is None else _conversations_about(user_id, search.topic),
        elsewhere=private,
        since=query.since,
        until=query.until,
        by_person={Role.PERSON: True, Role.ASSISTANT: False}.get(search.role),
        phrases=[as_regex(phrase) for phrase in query.phrases],
    )


def _conversations_about(user_id: UUID, topic: UUID) -> list[UUID]:
    rows = ConversationTopic.objects.for_user(user_id).filter(topic=topic)
    return list(rows.values_list("conversation", flat=True))


def _that_bear_on(query: ParsedQuery, hits: list[Hit]) -> list[Hit]:
    """Return the hits that match by words or closely by meaning."""
    without = [hit for hit in hits if not query.sign.places(hit.text)]
    far = set(without) - _hits_by_meaning(query, without)
    return [hit for hit in hits if hit not in far]


def _hits_by_meaning(query: ParsedQuery, hits: Sequence[Hit]) -> set[Hit]:
    """Return the hits whose meaning is similar enough to the query."""
    wanted, *vectors = meaning_vectors([" ".join(query.words), *(hit.text for hit in hits)])
    if wanted is None:
        return set()
    return {
        hit
        for hit, vector in zip(hits, vectors, strict=True)
        if vector is not None and float(np.dot(wanted, vector)) >= _LEAST_COSINE
    }


_PRIVATE = Conversation.Privacy.PRIVATE
_OF_ASSISTANT = Q(role=Message.Role.ASSISTANT, author="")


def _visible(user_id: UUID, within: UUID | None) -> MessageQuerySet:
    """Return the messages that may be shown here. Of other conversations: the user's own unless
    private, and all quotable ones.
    """
    rows = Message.objects.for_user(user_id).exclude(state=Message.State.REMOVED)
    if within is not None:
        return rows.filter(conversation=within)
    private = Conversation.objects.for_user(user_id).filter(privacy=_PRIVATE)
    own = ~_OF_ASSISTANT & ~Q(conversation__in=private.values("pk"))
    return rows.filter(own | quotable_elsewhere(user_id))


def _by_words(user_id: UUID, query: ParsedQuery, count: int) -> tuple[list[_Message], int]:
    """Return the messages with every word and phrase, latest first, and their total."""
    search = query.search
    rows = _visible(user_id, search.within).exclude(content="")
    rows = rows.exclude(state__in=Message.IN_PROGRESS)
    if search.role == Role.PERSON:
        rows = rows.exclude(_OF_ASSISTANT)
    elif search.role == Role.ASSISTANT:
        rows = rows.filter(_OF_ASSISTANT)
    if search.topic is not None:
        rows = rows.filter(conversation__in=_conversations_about(user_id, search.topic))
    if query.since is not None:
        rows = rows.filter(said_at__gte=query.since)
    if query.until is not None:
        rows = rows.filter(said_at__lt=query.until)
    for regex in regexes(query.words, query.phrases):
        rows = rows.filter(content__iregex=regex)
    latest = rows.only("content").order_by("-said_at", "-number")[:_LOOKED_AT]
    matches: list[UUID] = []
    for row in latest:
        # Secrets are slow to detect, so only the messages that are shown are checked.
        if query.sign.all_in(row.content) and (
            len(matches) >= count or query.sign.all_in(_as_shown(query, row.content))
        ):
            matches.append(row.pk)
            if len(matches) == MOST:
                break
    read = Exists(Passage.objects.filter(message=OuterRef("pk")))
    whole = _whole(Message.objects.for_user(user_id).annotate(was_read=read), matches[:count])
    return [(whole[pk], ()) for pk in matches[:count] if pk in whole], len(matches)


def _as_shown(query: ParsedQuery, text: str) -> str:
    """Return a message's text as shown: outside of its conversation without secrets."""
    return text if query.search.within is not None else redact_secrets(text, mark="…")


def _is_only_here(query: ParsedQuery, message: Message) -> bool:
    """Return whether a message from another conversation is confidential. Messages sent while
    memory was off are checked now.
    """
    if query.search.within is not None:
        return False
    unread = not getattr(message, "was_read", True)
    return message.confidential or (unread and is_confidential(message.reading))


def _titles(user_id: UUID, query: ParsedQuery) -> list[Result]:
    """Return the conversations whose title matches the query, as results, latest first."""
    rows = Conversation.objects.for_user(user_id).exclude(title="")
    search = query.search
    if search.within is None:
        rows = rows.exclude(privacy=_PRIVATE)
    else:
        rows = rows.filter(pk=search.within)
    if search.topic is not None:
        rows = rows.filter(pk__in=_conversations_about(user_id, search.topic))
    if query.since is not None:
        rows = rows.filter(last_at__gte=query.since)
    if query.until is not None:
        rows = rows.filter(started_at__lt=query.until)
    return [
        Result(conversation, None, snippet(conversation.name, query.sign), conversation.last_at)
        for conversation in titled(rows, query.words, query.phrases)
    ][:MOST]


def titled(
    rows: QuerySet[Conversation], words: Sequence[str], phrases: Sequence[str] = ()
) -> list[Conversation]:
    """Return the conversations whose title has every word and phrase, latest first."""
    for regex in regexes(words, phrases):
        rows = rows.filter(title__iregex=regex)
    sign = SearchTerms.of(words, phrases)
    return [
        conversation
        for conversation in rows.order_by("-last_at")[:_LOOKED_AT]
        if sign.all_in(conversation.title)
    ]


def _result(query: ParsedQuery, message: Message, factors: tuple[Factor, ...]) -> Result:
    return Result(
        message.conversation,
        message,
        snippet(_as_shown(query, as_read(message)), query.sign),
        message.said_at,
        factors,
        only_here=_is_only_here(query, message),
    )
