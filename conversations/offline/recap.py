"""What was talked about: in a stretch of time, of which only the messages of that time count."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.utils.timezone import localtime

from conversations import asking, mentions, summaries
from conversations.asking import Wish
from conversations.markdown import literal
from conversations.mentions import About
from conversations.models import Message
from conversations.offline.made import Answer, on, quoted, used_message
from conversations.offline.steps import asking_of, call
from conversations.offline.talks import link
from conversations.prompt import Prompt
from conversations.tools import sight
from conversations.tools.talks import Talks
from memory.models import Memory

# So many are told in a few words each, out of so many messages.
_MOST_TOLD = 5
_MOST_TALKS = 50
_MOST_READ = 60
_MOST_SENTENCES = 2


def recap(prompt: Prompt, wish: Wish, made: Answer) -> bool:
    """What was talked about in a time, or last, conversation by conversation."""
    wanted = mentions.about(wish.sentence, prompt.question.said_at)
    said = _by_talk(prompt, made, wanted)
    if not said:
        made.say(f"I find no conversation{_when(wanted)} besides this one.")
        return True
    several = "one conversation" if len(said) == 1 else "these conversations"
    made.say(f"We had {several}{_when(wanted)}:" if wanted.spans else "We last talked about this:")
    kept = _kept_summaries(prompt, said, wanted)
    for pk, messages in said.items():
        gist = kept.get(pk) or _gist(messages)
        first = messages[0]
        name = link(first.get_absolute_url(), first.conversation.name)
        made.point(f"{_days(messages)}, {name}: {gist}", used_message(first))
    return True


def _by_talk(prompt: Prompt, made: Answer, wanted: About) -> dict[UUID, list[Message]]:
    """What the person said in that time, the latest conversation first."""
    here = prompt.conversation.pk
    since, until = mentions.bounds(wanted.spans, prompt.question.said_at)
    arguments: dict[str, object] = {"limit": _MOST_TALKS}
    if wanted.spans:
        arguments |= {"since": since.isoformat(), "until": until.isoformat()}
    found = call(prompt, made, "get_user_conversations", arguments)
    assert isinstance(found, Talks)
    # Without a time, what was said before this conversation is meant.
    ids = [one.id for one in found.conversations if wanted.spans or one.id != here]
    rows = sight.messages(asking_of(prompt)).filter(
        conversation_id__in=ids[:_MOST_TALKS] if wanted.spans else ids[:_MOST_TOLD],
        role=Message.Role.USER,
        said_at__gte=since,
        said_at__lt=until,
    )
    newest = rows.exclude(pk=prompt.question.pk).order_by("-said_at", "-number")
    made_of: dict[UUID, list[Message]] = {}
    for one in newest[: _MOST_READ * _MOST_TOLD]:
        if one.author or not all(map(asking.asks, asking.sentences(one.content))):
            made_of.setdefault(one.conversation_id, []).insert(0, one)
    return dict(list(made_of.items())[:_MOST_TOLD])


def _kept_summaries(
    prompt: Prompt, said: dict[UUID, list[Message]], wanted: About
) -> dict[UUID, str]:
    """The notes that sum a conversation up, of those that lie in that time with all they have."""
    since, until = mentions.bounds(wanted.spans, prompt.question.said_at)
    talks = [messages[0].conversation for messages in said.values()]
    whole = [one.pk for one in talks if since <= one.started_at and one.last_at < until]
    notes = Memory.objects.for_user(prompt.question.user_id).filter(
        category=Memory.Category.SUMMARY,
        status=Memory.Status.ACTIVE,
        source_conversation_id__in=whole,
    )
    kept = notes.values_list("source_conversation_id", "content")
    return {pk: literal(content) for pk, content in kept if pk is not None}


def _gist(messages: Sequence[Message]) -> str:
    """The weightiest sentences; where none weighs anything, the longest messages."""
    sentences = summaries.extract(list(messages)[-_MOST_READ:])
    if sentences:
        return literal("; ".join(one.rstrip(".") for one in sentences[:_MOST_SENTENCES]))
    longest = sorted(messages, key=lambda one: -len(one.content))[:_MOST_SENTENCES]
    return " ".join(quoted(one.content) for one in messages if one in longest)


def _days(messages: Sequence[Message]) -> str:
    """'8 May 2023', '8 May 2023 to 9 May 2023': the days of these messages alone."""
    days: list[date] = sorted({localtime(one.said_at).date() for one in messages})
    return on(days[0]) if len(days) == 1 else f"{on(days[0])} to {on(days[-1])}"


def _when(wanted: About) -> str:
    return f" {wanted.spans[0].said}" if wanted.spans else ""
