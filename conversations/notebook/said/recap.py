"""What was talked about: in a stretch of time, of which only the messages of that time count."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import localtime

from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, day_in_full, quoted, used_message
from conversations.notebook.said.talks import link
from conversations.notebook.steps import call, tool_context_of
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import MentionQuery
from conversations.summaries import key_sentences
from conversations.tools import visibility
from conversations.tools.talks import Talks
from memory.language import QueryIntent, Reading, asks_to_forget, has_no_statement
from memory.models import Memory
from memory.notes import greatest_significance

# So many are told in a few words each, out of so many messages.
_MOST_TOLD = 5
_MOST_TALKS = 50
_MOST_READ = 60
_MOST_SENTENCES = 2
# Of a stretch of time so many messages are looked at, and of each so many characters weighed.
_MOST_LOOKED_AT, _READ_OF_EACH = 1_000, 600
# The weight of each further conversation of the same day.
_SAME_DAY = 0.6


def recap(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """What was talked about in a time, or last, conversation by conversation."""
    query = word_mentions.parse_mention_query(intent.sentence, prompt.question.said_at)
    every = _by_talk(prompt, answer, query)
    said = _weightiest(every) if query.spans else dict(list(every.items())[:_MOST_TOLD])
    if not said:
        answer.say(f"I find no conversation{query.when} besides this one.")
        return True
    several = "one conversation" if len(every) == 1 else "these conversations"
    answer.say(f"We had {several}{query.when}:" if query.spans else "We last talked about this:")
    kept = _kept_summaries(prompt, said, query)
    for pk, messages in said.items():
        gist = kept.get(pk) or _gist(messages)
        first = messages[0]
        name = link(first.get_absolute_url(), first.conversation.name)
        answer.point(f"{_days(messages)}, {name}: {gist}", used_message(first))
    if query.spans and len(every) > len(said):
        _say_how_many_more(prompt, query, len(every) - len(said), answer)
    return True


def _say_how_many_more(prompt: Prompt, query: MentionQuery, more: int, answer: Answer) -> None:
    """With the search of those days, which the person may look through."""
    since, until = word_mentions.bounds(query.spans, prompt.question.said_at)
    days = {
        "since": localtime(since).date().isoformat(),
        "until": (localtime(until) - timedelta(microseconds=1)).date().isoformat(),
        "group": "1",
    }
    search = f"{reverse('conversations:search')}?{urlencode(days)}"
    answer.paragraph(f"And {more} more: [all that you said in that time]({search}).")


def _weightiest(every: dict[UUID, list[Message]]) -> dict[UUID, list[Message]]:
    """Those in which the weightiest things were said, spread over the days, the latest first."""
    left = {pk: _weight(messages) for pk, messages in every.items()}
    taken: Counter[date] = Counter()
    chosen: set[UUID] = set()
    while left and len(chosen) < _MOST_TOLD:
        best = max(left, key=lambda pk: left[pk] * _SAME_DAY ** taken[_day_of(every[pk])])
        taken[_day_of(every[best])] += 1
        chosen.add(best)
        del left[best]
    return {pk: messages for pk, messages in every.items() if pk in chosen}


def _weight(messages: Sequence[Message]) -> float:
    """Of its three weightiest messages."""
    said = (Reading(message.content[:_READ_OF_EACH]) for message in messages[-_MOST_READ:])
    weights = map(greatest_significance, said)
    return sum(sorted(weights)[-3:]) + 0.1


def _day_of(messages: Sequence[Message]) -> date:
    return localtime(messages[0].said_at).date()


def _is_telling(message: Message) -> bool:
    """Whether it tells something: not what only asks or orders the assistant."""
    if message.author:
        return True
    text = message.content
    return not (asks_to_forget(text) or has_no_statement(text))


def _by_talk(prompt: Prompt, answer: Answer, query: MentionQuery) -> dict[UUID, list[Message]]:
    """What the person said in that time, the latest conversation first."""
    here = prompt.conversation.pk
    since, until = word_mentions.bounds(query.spans, prompt.question.said_at)
    arguments: dict[str, object] = {"limit": _MOST_TALKS}
    if query.spans:
        arguments |= {"since": since.isoformat(), "until": until.isoformat()}
    found = call(prompt, answer, "get_user_conversations", arguments)
    assert isinstance(found, Talks)
    # Without a time, what was said before this conversation is meant.
    ids = [one.id for one in found.conversations if query.spans or one.id != here]
    rows = visibility.messages(tool_context_of(prompt)).filter(
        conversation_id__in=ids[:_MOST_TALKS] if query.spans else ids[:_MOST_TOLD],
        role=Message.Role.USER,
        said_at__gte=since,
        said_at__lt=until,
    )
    newest = rows.exclude(pk=prompt.question.pk).order_by("-said_at", "-number")
    made_of: dict[UUID, list[Message]] = {}
    for message in newest[:_MOST_LOOKED_AT]:
        if _is_telling(message):
            made_of.setdefault(message.conversation_id, []).insert(0, message)
    return made_of


def _kept_summaries(
    prompt: Prompt, said: dict[UUID, list[Message]], query: MentionQuery
) -> dict[UUID, str]:
    """The notes that sum a conversation up, of those that lie in that time with all they have."""
    since, until = word_mentions.bounds(query.spans, prompt.question.said_at)
    conversations = [messages[0].conversation for messages in said.values()]
    within = [
        conversation.pk
        for conversation in conversations
        if since <= conversation.started_at and conversation.last_at < until
    ]
    notes = Memory.objects.for_user(prompt.question.user_id).filter(
        category=Memory.Category.SUMMARY,
        status=Memory.Status.ACTIVE,
        source_conversation_id__in=within,
    )
    kept = notes.values_list("source_conversation_id", "original", "content")
    return {pk: literal(original or told) for pk, original, told in kept if pk is not None}


def _gist(messages: Sequence[Message]) -> str:
    """The weightiest sentences; where none weighs anything, the longest messages."""
    sentences = key_sentences.extract(list(messages)[-_MOST_READ:])
    if sentences:
        return literal("; ".join(one.rstrip(".") for one in sentences[:_MOST_SENTENCES]))
    longest = sorted(messages, key=lambda message: -len(message.content))[:_MOST_SENTENCES]
    return " ".join(quoted(message.content) for message in messages if message in longest)


def _days(messages: Sequence[Message]) -> str:
    """'8 May 2023', '8 May 2023 to 9 May 2023': the days of these messages alone."""
    days: list[date] = sorted({localtime(message.said_at).date() for message in messages})
    return (
        day_in_full(days[0])
        if len(days) == 1
        else f"{day_in_full(days[0])} to {day_in_full(days[-1])}"
    )
