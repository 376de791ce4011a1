"""Conversations: which there are, all or those about something."""

from conversations.markdown import literal
from conversations.models import Conversation
from conversations.notebook.answer_builder import Answer, day_in_full, used_message
from conversations.notebook.steps import call, recorded_step
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import MentionQuery
from conversations.titles import name_and_stamp
from conversations.tools.talks import Talks
from memory.language import QueryIntent

_MOST = 10


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


def last_talk(prompt: Prompt) -> Conversation | None:
    """The conversation before this one; a private one is not spoken of elsewhere."""
    rows = Conversation.objects.for_user(prompt.question.user_id)
    others = rows.exclude(pk=prompt.conversation.pk).exclude(privacy=Conversation.Privacy.PRIVATE)
    return others.filter(last_number__gt=0).order_by("-last_at").first()


def link(address: str, name: str) -> str:
    """A conversation by its name, leading there or to one of its messages."""
    return f"[{literal(name or 'a conversation')}]({address})"


def _none(query: MentionQuery) -> str:
    return f"I find no conversation{query.when} besides this one."
