"""Looking up what was said: by its owner, in their own conversations, with the reasons.

Words and meaning go through recall (`passage_search`), which also says in what order. Where it
does not reach (memory is off, or nothing but days, topics or common words is asked for) plain words
are looked for in the messages themselves, the latest first.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import groupby, islice, takewhile
from uuid import UUID

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import get_current_timezone, localtime, now

from accounts.models import User
from conversations.messages import as_read
from conversations.models import Conversation, ConversationTopic, Message, MessageQuerySet
from conversations.search.snippets import Sign, Snippet, snippet
from memory.language.dates import time_expressions
from memory.language.queries import speech_acts
from memory.language.safety import quotability
from memory.language.text import terms
from memory.language.text.stemming import stem
from memory.models import Passage
from memory.retrieval import passage_search
from memory.retrieval.passage_candidates import Only
from memory.retrieval.passage_search import Hit
from memory.retrieval.ranking import SAID, Factor

# How many finds there are at most, and how many more recall is asked for, because some stay where
# they are.
MOST = 100
_SPARE = 100
# A message that shares no word with the query must mean something this much alike (the cosine).
_ALIKE = 0.32
# How many messages with words that begin alike are looked at for plain words.
_LOOKED_AT = 500
# How many titles are named above the messages.
_TITLES = 3
# What brings less than this to a score is not worth telling.
_TELLING = 0.08
MOST_PHRASES = 5

_QUOTES = re.compile('["“”„«»]')
_QUOTED = re.compile('["“”„«»]([^"“”„«»]*)["“”„«»]')


class Role(StrEnum):
    """Who said it."""

    PERSON = "me"
    ASSISTANT = "assistant"
    BOTH = "both"


@dataclass(frozen=True)
class Sought:
    """What is looked for; both days are included.

    Quotes in `text` make exact phrases, and words for a time ('last May') narrow to it unless
    `any_time`. `within` is a conversation, `topic` the id of one. `plain`: no meaning, only words.
    """

    text: str = ""
    within: UUID | None = None
    role: Role = Role.PERSON
    topic: UUID | None = None
    title_only: bool = False
    since: date | None = None
    until: date | None = None
    any_time: bool = False
    plain: bool = False

    @property
    def is_anything(self) -> bool:
        """Whether anything is asked for: a place alone is not."""
        return bool(self.text or self.topic or self.since or self.until)


@dataclass(frozen=True)
class Result:
    """A message that was found, or a conversation by its title; `factors` say why."""

    conversation: Conversation
    message: Message | None
    snippet: Snippet
    said_at: datetime
    factors: tuple[Factor, ...] = ()

    @property
    def url(self) -> str:
        """The very message, or the conversation."""
        return (self.message or self.conversation).get_absolute_url()

    @property
    def who(self) -> str:
        """By whom it was said, as a list names them."""
        if self.message is None:
            return ""
        if self.message.author:
            return self.message.author
        return "You" if self.message.role == Message.Role.USER else "Throughline"

    @property
    def reasons(self) -> list[str]:
        """What its factors mean, the weightiest first."""
        return [SAID[factor.name] for factor in self.factors if factor.adds >= _TELLING][:4]


@dataclass(frozen=True)
class Narrowed:
    """The days that words for a time were read as, both included."""

    words: str
    first: date
    last: date


@dataclass(frozen=True)
class Found:
    """What was found, best first (or the latest first, where `plain`), and how the words were read.

    `total` counts all that can be shown, at most MOST. `titles` are conversations that have the
    words in their title.
    """

    results: list[Result] = field(default_factory=list)
    total: int = 0
    titles: list[Result] = field(default_factory=list)
    narrowed: Narrowed | None = None
    plain: bool = False
    open_quote: bool = False

    @property
    def by_conversation(self) -> list[tuple[Conversation, list[Result]]]:
        """The results of each conversation together, the conversation with the best one first."""
        order = list(dict.fromkeys(one.conversation.pk for one in self.results))
        ordered = sorted(self.results, key=lambda one: order.index(one.conversation.pk))
        groups = groupby(ordered, key=lambda one: one.conversation.pk)
        return [(inside[0].conversation, inside) for inside in (list(g) for _, g in groups)]


def find(user_id: UUID, sought: Sought, count: int = 20, at: datetime | None = None) -> Found:
    """The `count` best of what this person looks for, in their open block.

    What is private or confidential is found from inside its own conversation alone, and what was
    taken out not at all. `at` (with a time zone) is what 'yesterday' is reckoned from.
    """
    asked = _Asked.read(sought, at or localtime(now()))
    if not sought.is_anything:
        return Found()
    found = Found(narrowed=asked.narrowed, open_quote=asked.open_quote)
    if not asked.is_readable:
        return found
    titles = _titles(user_id, asked) if sought.title_only or not sought.within else []
    if sought.title_only:
        return replace(found, results=titles[:count], total=len(titles), plain=True)
    plain = sought.plain or not asked.is_for_recall or not _memory_is_on(user_id)
    messages, total = (_by_words if plain else _by_recall)(user_id, asked, count)
    return replace(
        found,
        results=[_result(asked, message, factors) for message, factors in messages],
        total=total,
        titles=titles[:_TITLES] if asked.sign.words or asked.sign.phrases else [],
        plain=plain,
    )


# --- Reading what is asked for -------------------------------------------------------------------


@dataclass(frozen=True)
class _Asked:
    """A query taken apart: telling words without those for a time, phrases, and bounds."""

    sought: Sought
    at: datetime
    text: str
    words: list[str]
    phrases: list[str]
    sign: Sign
    since: datetime | None
    until: datetime | None
    narrowed: Narrowed | None
    open_quote: bool

    @property
    def is_readable(self) -> bool:
        """Whether something in the text, if there is one, can be looked for."""
        return bool(not self.sought.text or self.words or self.phrases or self.narrowed)

    @property
    def is_for_recall(self) -> bool:
        """Whether it has words that recall looks up: no common ones, and none for a time."""
        spans = time_expressions.spans(self.text, self.at)
        of_time = {word for span in spans for word in terms.words(span.words)}
        return any(word not in of_time for word in self.words if word not in terms.EMPTY)

    @classmethod
    def read(cls, sought: Sought, at: datetime) -> "_Asked":
        # Typed on some machines, an accent is a character of its own.
        text = " ".join(unicodedata.normalize("NFC", sought.text).split())
        phrases = [one.strip() for one in _QUOTED.findall(text) if one.strip()][:MOST_PHRASES]
        rest = _QUOTED.sub(" ", text)
        spans = [] if sought.any_time else time_expressions.spans(rest, at)
        narrowed = _narrowed(spans) if spans else None
        of_time = {word for span in spans for word in terms.words(span.words)}
        loose = [word for word in terms.telling(rest) if word not in of_time]
        if not (loose or phrases or spans):
            # Who asks for nothing but 'it' means that word.
            loose = terms.words(rest)
        inside = [word for phrase in phrases for word in terms.telling(phrase)]
        first, after = _bounds(sought, narrowed)
        return cls(
            sought=sought,
            at=at,
            text=_QUOTES.sub(" ", text),
            words=list(dict.fromkeys([*loose, *inside])),
            phrases=phrases,
            sign=Sign.of(list(dict.fromkeys(loose)), phrases),
            since=first,
            until=after,
            narrowed=narrowed,
            open_quote=bool(_QUOTES.search(rest)),
        )


def _narrowed(spans: Sequence[time_expressions.Span]) -> Narrowed:
    """From the first day that is named to the last."""
    words = ", ".join(dict.fromkeys(time_expressions.in_print(span.words) for span in spans))
    return Narrowed(words, min(s.first for s in spans), max(s.last for s in spans))


def _bounds(sought: Sought, narrowed: Narrowed | None) -> tuple[datetime | None, datetime | None]:
    """The first moment, and the one after the last, of all that narrows the time."""
    firsts = [day for day in (sought.since, narrowed and narrowed.first) if day]
    lasts = [day for day in (sought.until, narrowed and narrowed.last) if day]
    zone = get_current_timezone()
    since = datetime.combine(max(firsts), time(), zone) if firsts else None
    last = min(lasts) if lasts else None
    if last is None or last == date.max:
        return since, None
    return since, datetime.combine(last + timedelta(days=1), time(), zone)


def _memory_is_on(user_id: UUID) -> bool:
    return User.objects.filter(pk=user_id, memory_on=True).exists()


# --- Finding -------------------------------------------------------------------------------------

_Message = tuple[Message, tuple[Factor, ...]]


def _by_recall(user_id: UUID, asked: _Asked, count: int) -> tuple[list[_Message], int]:
    """What recall brings and its owner may see from here, in recall's order; how many there are."""
    hits = passage_search.search(
        user_id,
        asked.text,
        k=MOST + _SPARE,
        asked_at=asked.at,
        conversation=asked.sought.within,
        only=_only(user_id, asked),
    )
    hits = _that_bear_on(asked, hits)
    visible = _visible(user_id, asked.sought.within)
    may_be_seen = visible.filter(pk__in=[hit.message_id for hit in hits])
    seen = set(may_be_seen.values_list("pk", flat=True))
    hits = [hit for hit in hits if hit.message_id in seen][:MOST]
    # What was only asked stands behind what was told: who asks again looks for the answer.
    hits.sort(
        key=lambda hit: hit.by_user and not hit.speaker and speech_acts.is_all_questions(hit.text)
    )
    # Whole rows only of those that are shown.
    rows = _whole(visible, [hit.message_id for hit in hits[:count]])
    shown = [(rows[hit.message_id], hit.factors) for hit in hits if hit.message_id in rows]
    return shown, len(hits)


def _whole(rows: MessageQuerySet, wanted: Sequence[UUID]) -> dict[UUID, Message]:
    return rows.select_related("conversation").in_bulk(wanted)


def _only(user_id: UUID, asked: _Asked) -> Only:
    """What recall is narrowed to. What is private elsewhere must not take the room."""
    sought = asked.sought
    private: list[UUID] = []
    if sought.within is None:
        hidden = Conversation.objects.for_user(user_id).filter(privacy=_PRIVATE)
        private = list(hidden.values_list("pk", flat=True))
    return Only(
        conversations=None if sought.topic is None else _about(user_id, sought.topic),
        elsewhere=private,
        since=asked.since,
        until=asked.until,
        by_person={Role.PERSON: True, Role.ASSISTANT: False}.get(sought.role),
        phrases=[_as_regex(phrase) for phrase in asked.phrases],
    )


def _about(user_id: UUID, topic: UUID) -> list[UUID]:
    rows = ConversationTopic.objects.for_user(user_id).filter(topic=topic)
    return list(rows.values_list("conversation", flat=True))


def _that_bear_on(asked: _Asked, hits: list[Hit]) -> list[Hit]:
    """Without the turns that recall brings only for those around them, and what is far from it."""
    without = [hit for hit in hits if not asked.sign.places(hit.text)]
    far = set(without) - _alike(asked, without)
    return [hit for hit in hits if hit not in far]


def _alike(asked: _Asked, hits: Sequence[Hit]) -> set[Hit]:
    """Those that mean what the query means, though they share no word with it."""
    wanted, *theirs = terms.meaning([" ".join(asked.words), *(hit.text for hit in hits)])
    if wanted is None:
        return set()
    return {
        hit
        for hit, one in zip(hits, theirs, strict=True)
        if one is not None and float(np.dot(wanted, one)) >= _ALIKE
    }


_PRIVATE = Conversation.Privacy.PRIVATE
_OF_ASSISTANT = Q(role=Message.Role.ASSISTANT, author="")


def _visible(user_id: UUID, within: UUID | None) -> MessageQuerySet:
    """Messages that may be shown: from outside of their conversation what may be quoted there."""
    rows = Message.objects.for_user(user_id).exclude(state=Message.State.REMOVED)
    if within is not None:
        return rows.filter(conversation=within)
    return rows.quotable_elsewhere(user_id)


def _by_words(user_id: UUID, asked: _Asked, count: int) -> tuple[list[_Message], int]:
    """Messages that hold every word and phrase, the latest first; how many there are.

    What was said while memory was off was not read for what is confidential: that is done now.
    """
    sought = asked.sought
    rows = _visible(user_id, sought.within).exclude(content="")
    rows = rows.exclude(state__in=Message.IN_PROGRESS)
    if sought.role == Role.PERSON:
        rows = rows.exclude(_OF_ASSISTANT)
    elif sought.role == Role.ASSISTANT:
        rows = rows.filter(_OF_ASSISTANT)
    if sought.topic is not None:
        rows = rows.filter(conversation__in=_about(user_id, sought.topic))
    if asked.since is not None:
        rows = rows.filter(said_at__gte=asked.since)
    if asked.until is not None:
        rows = rows.filter(said_at__lt=asked.until)
    for regex in _regexes(asked.words, asked.phrases):
        rows = rows.filter(content__iregex=regex)
    rows = rows.annotate(was_read=Exists(Passage.objects.filter(message=OuterRef("pk"))))
    latest = rows.only("content").order_by("-said_at", "-number")[:_LOOKED_AT]
    held = (one for one in latest if _fits(asked, one))
    found = [one.pk for one in islice(held, MOST)]
    whole = _whole(Message.objects.for_user(user_id), found[:count])
    return [(whole[pk], ()) for pk in found[:count] if pk in whole], len(found)


def _fits(asked: _Asked, message: Message) -> bool:
    """Whether it really holds the words, and may be shown here."""
    if not asked.sign.all_in(message.content):
        return False
    unread = asked.sought.within is None and not getattr(message, "was_read", True)
    return not (unread and quotability.is_confidential(message.reading))


def _titles(user_id: UUID, asked: _Asked) -> list[Result]:
    """Conversations whose title holds every word and phrase, the latest first."""
    rows = Conversation.objects.for_user(user_id).exclude(title="")
    sought = asked.sought
    if sought.within is None:
        rows = rows.exclude(privacy=_PRIVATE)
    else:
        rows = rows.filter(pk=sought.within)
    if sought.topic is not None:
        rows = rows.filter(pk__in=_about(user_id, sought.topic))
    if asked.since is not None:
        rows = rows.filter(last_at__gte=asked.since)
    if asked.until is not None:
        rows = rows.filter(started_at__lt=asked.until)
    return [
        Result(one, None, snippet(one.name, asked.sign), one.last_at)
        for one in titled(rows, asked.words, asked.phrases)
    ][:MOST]


def titled(
    rows: QuerySet[Conversation], words: Sequence[str], phrases: Sequence[str] = ()
) -> list[Conversation]:
    """Those of these conversations whose title holds every word and phrase, the latest first."""
    for regex in _regexes(words, phrases):
        rows = rows.filter(title__iregex=regex)
    sign = Sign.of(words, phrases)
    return [one for one in rows.order_by("-last_at")[:_LOOKED_AT] if sign.all_in(one.title)]


def _result(asked: _Asked, message: Message, factors: tuple[Factor, ...]) -> Result:
    cut = snippet(as_read(message), asked.sign)
    return Result(message.conversation, message, cut, message.said_at, factors)


# --- Words as the database looks for them --------------------------------------------------------


def _regexes(words: Iterable[str], phrases: Sequence[str]) -> Iterable[str]:
    """What a text must match to come into question; which of them fits is decided by the stems."""
    yield from (_as_regex(phrase) for phrase in phrases)
    quoted = {word for phrase in phrases for word in terms.telling(phrase)}
    yield from (_beginning(word) for word in words if word not in quoted)


def _beginning(word: str) -> str:
    """How every form of a word begins: 'cities' and 'city' with 'cit'."""
    root = stem(word)
    pairs = zip(word, root, strict=False)
    shared = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if not word.isascii():
        return re.escape(word[:1])  # with and without its accents
    if len(shared) < 3:
        return rf"\m({re.escape(word)}|{re.escape(root)})" if shared != word else rf"\m{word}"
    return rf"\m{shared[:-1] if len(shared) > 3 and shared != word else shared}"


def _as_regex(phrase: str) -> str:
    """An exact phrase: whole words, whatever space and whichever apostrophe is between them."""
    words = r"\s+".join(
        "".join("['’]" if c in "'’" else c if c.isalnum() else f"\\{c}" for c in word)
        for word in phrase.split()
    )
    before = r"\m" if phrase[0].isalnum() else ""
    return before + words + (r"\M" if phrase[-1].isalnum() else "")
