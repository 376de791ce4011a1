"""Conversations: which there are, how many, what they were about, and one of them in short."""

from collections.abc import Iterable
from uuid import UUID

from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import Answer, day_in_full, used_message
from conversations.notebook.steps import call, recorded_step, tool_context_of
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import MentionQuery
from conversations.summaries import compaction, digest, extractive_summary, key_sentences
from conversations.titles import name_and_stamp
from conversations.tools import visibility
from conversations.tools.talks import Talks, kept_summary
from memory.language import QueryIntent
from memory.models import Memory

_MOST = 10
_MOST_READ = 300


def count(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """How many conversations there are, this one counted too."""
    query = word_mentions.parse_mention_query(intent.sentence, prompt.question.said_at)
    found = _listed(prompt, answer, query, limit=1)
    many = f"{found.total} conversation{'' if found.total == 1 else 's'}"
    answer.say(f"{many}{query.when}, this one counted." if found.total else _none(query))
    return True


def list_them(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """The conversations, all or those about something, the latest first."""
    if intent.about:
        return _list_about(prompt, intent, answer)
    query = word_mentions.parse_mention_query(intent.sentence, prompt.question.said_at)
    found = _listed(prompt, answer, query, limit=_MOST + 1)
    here = prompt.conversation.pk
    others = [talk for talk in found.conversations if talk.id != here]
    if not others:
        answer.say(_none(query))
        return True
    in_all = found.total - (len(found.conversations) - len(others))
    others = others[:_MOST]
    latest = f"the latest {len(others)} of {in_all}" if in_all > len(others) else f"{in_all}"
    answer.say(f"Your conversations{query.when}, {latest}:")
    for talk in others:
        name = link(talk.link, name_and_stamp(talk.title)[0])
        answer.point(f"{name}, {day_in_full(talk.last_at)}, {talk.messages} messages")
    return True


def sum_up(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """One conversation in short: this one, the last one, or the one about something."""
    conversation = _find_conversation(prompt, intent, answer)
    if conversation is None:
        about = f" about {literal(intent.about)}" if intent.about else ""
        answer.say(f"I find no conversation{about} to sum up.")
        return True
    here = conversation.pk == prompt.conversation.pk
    with recorded_step(
        answer, "get_conversation_summary", conversation=str(conversation.pk)
    ) as step:
        told, lines, used = _summary(prompt, conversation)
        step.count = len(lines) or len(list(told.points()))
    name = "This conversation" if here else link(conversation.get_absolute_url(), conversation.name)
    if not lines and not told:
        answer.say(f"{name}: I find little in it to sum up, {conversation.last_number} messages.")
        return True
    answer.say(f"{name}, {day_in_full(conversation.last_at)}, in short:")
    if told:
        _list_summary(answer, conversation, told)
    else:
        for line in lines:
            answer.point(literal(line))
    answer.rest_on(*(used_message(message) for message in used))
    return True


def _list_summary(answer: Answer, conversation: Conversation, told: digest.Digest) -> None:
    """A summary by its headings, each line with a link to its message."""
    if told.about:
        answer.paragraph(f"**{digest.ABOUT}**: {literal(', '.join(told.about))}")
    for heading, points in told.sections():
        answer.paragraph(f"**{heading}**")
        for point in points:
            page = f"{conversation.get_absolute_url()}?at={point.number}#m{point.number}"
            day = f"[{day_in_full(point.day)}]({page})" if point.number else day_in_full(point.day)
            who = "" if point.by == digest.YOU else f", {literal(point.by)}"
            answer.point(f"{day}{who}: {literal(point.text)}")


# --- Looking up ----------------------------------------------------------------------------------


def _listed(prompt: Prompt, answer: Answer, query: MentionQuery, limit: int) -> Talks:
    arguments: dict[str, object] = {"limit": limit}
    if query.spans:
        since, until = word_mentions.bounds(query.spans, prompt.question.said_at)
        arguments |= {"since": since.isoformat(), "until": until.isoformat()}
    found = call(prompt, answer, "get_user_conversations", arguments)
    assert isinstance(found, Talks)
    return found


def _list_about(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    query = word_mentions.parse_mention_query(intent.about, prompt.question.said_at)
    with recorded_step(answer, "search_conversations", query=query.words) as step:
        messages = word_mentions.mentions(prompt.question, query, mine=False).said
        here = prompt.conversation.pk
        talks = [t for t in word_mentions.by_conversation(messages) if t[0].conversation_id != here]
        step.count = len(talks)
    talks.sort(key=lambda talk: (len(talk), talk[0].said_at), reverse=True)
    if not talks:
        answer.say(f"I find no conversation with “{literal(query.words)}”{query.when}.")
        return True
    answer.say(f"With “{literal(query.words)}”{query.when}, the most of it first:")
    for talk in talks[:_MOST]:
        message = talk[0]
        often = "once" if len(talk) == 1 else f"in {len(talk)} messages"
        name = link(message.conversation.get_absolute_url(), message.conversation.name)
        answer.point(f"{name}, {day_in_full(message.said_at)}, {often}", used_message(message))
    return True


def _find_conversation(prompt: Prompt, intent: QueryIntent, answer: Answer) -> Conversation | None:
    rows = Conversation.objects.for_user(prompt.question.user_id)
    if intent.about:
        query = word_mentions.parse_mention_query(intent.about, prompt.question.said_at)
        messages = word_mentions.mentions(prompt.question, query, mine=False).said
        talks = word_mentions.by_conversation(
            message for message in messages if message.conversation_id != prompt.conversation.pk
        )
        best = max(talks, key=len, default=None)
        return rows.filter(pk=best[0].conversation_id).first() if best else None
    if "last" in intent.which or "previous" in intent.which or "latest" in intent.which:
        return last_talk(prompt)
    return prompt.conversation


def last_talk(prompt: Prompt) -> Conversation | None:
    """The conversation before this one; a private one is not spoken of elsewhere."""
    rows = Conversation.objects.for_user(prompt.question.user_id)
    others = rows.exclude(pk=prompt.conversation.pk).exclude(privacy=Conversation.Privacy.PRIVATE)
    return others.filter(last_number__gt=0).order_by("-last_at").first()


def _summary(
    prompt: Prompt, conversation: Conversation
) -> tuple[digest.Digest, list[str], list[Message]]:
    """The summary that is kept with what came after it; else the sentences that matter most, and
    what they were said in.
    """
    if told := _long_summary(prompt, conversation):
        return told, [], []
    kept, _ = kept_summary(tool_context_of(prompt), conversation)
    if kept:
        return (digest.parse(kept), [line for line in kept.splitlines() if line.strip()], [])
    messages = _messages_of(prompt, [conversation.pk])
    lines = key_sentences.extract(messages)
    used = [message for message in messages if any(line in message.content for line in lines)]
    return digest.Digest(), lines, used


def _long_summary(prompt: Prompt, conversation: Conversation) -> digest.Digest:
    """Of a long talk, as it is kept, without what may not be told here, and what was said since.

    Empty where none is kept. A line that names no message is told elsewhere only of a talk in which
    nothing is withheld.
    """
    kept = digest.parse(conversation.compact_summary)
    if not kept:
        return kept
    may_be_told = visibility.messages(tool_context_of(prompt)).filter(conversation=conversation)
    may_be_told = may_be_told.exclude(memory__status=Memory.Status.REMOVED)
    if conversation.pk != prompt.conversation.pk:
        numbers = set(may_be_told.values_list("number", flat=True))
        rows = Message.objects.for_user(prompt.question.user_id).filter(
            conversation=conversation,
            role=Message.Role.USER,
            number__lte=conversation.compacted_up_to,
        )
        messages = rows.exclude(state=Message.State.REMOVED).values_list("number", flat=True)
        kept = kept if set(messages) <= numbers else kept.of_messages(numbers)
    later = may_be_told.filter(number__gt=conversation.compacted_up_to)
    later = later.exclude(pk=prompt.question.pk).exclude(state__in=Message.IN_PROGRESS)
    newest = list(later.order_by("-number")[:_MOST_READ])
    return kept.and_then(
        extractive_summary.extract(
            "", [compaction.as_spoken_message(message) for message in newest[::-1]]
        )
    )


def _messages_of(prompt: Prompt, ids: Iterable[UUID]) -> list[Message]:
    """What the person said in these conversations, as far as it may be told here."""
    rows = visibility.messages(tool_context_of(prompt)).filter(
        conversation_id__in=list(ids), role=Message.Role.USER
    )
    newest = rows.exclude(pk=prompt.question.pk).order_by("-said_at", "-number")
    return list(reversed(newest[:_MOST_READ]))


def link(address: str, name: str) -> str:
    """A conversation by its name, leading there or to one of its messages."""
    return f"[{literal(name or 'a conversation')}]({address})"


def _none(query: MentionQuery) -> str:
    return f"I find no conversation{query.when} besides this one."
