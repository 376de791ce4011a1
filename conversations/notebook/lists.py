"""Answers that list conversations or coming plans."""

from datetime import date

from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook import quotes
from conversations.notebook.answer_builder import (
    Answer,
    after,
    call,
    day_in_full,
    quoted,
    source,
    tool_context_of,
    used_message,
)
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.titles import name_and_stamp
from conversations.tools.lookup.talks import Talks
from conversations.tools.plans import planning
from conversations.tools.tool import ToolRefused
from conversations.tools.upcoming import AllUpcoming
from memory.context.prompt_items import PromptItem
from memory.language.dates.planned_days import find_planned_days
from memory.language.queries.query_intent import QueryIntent
from memory.models import Memory
from memory.slots import PRIVATE_SLOTS

_MOST = 10
# How many days of confidential plans are named.
_MOST_APART = 3


# --- Conversations -------------------------------------------------------------------------------


def list_talks(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """List the latest conversations, those of a period, or those about a subject; return False if
    there are none.
    """
    if intent.about:
        return quotes.said_about(prompt, intent, answer)
    query = word_mentions.parse_mention_query(intent.sentence, prompt.question.said_at)
    arguments: dict[str, object] = {"limit": _MOST + 1}
    if query.spans:
        since, until = word_mentions.bounds(query.spans, prompt.question.said_at)
        arguments |= {"since": since.isoformat(), "until": until.isoformat()}
    talks = call(prompt, answer, "get_user_conversations", arguments)
    assert isinstance(talks, Talks)
    others = [talk for talk in talks.conversations if talk.id != prompt.conversation.pk]
    if not others:
        answer.say(f"I didn’t find any other conversations{query.when}.")
        return True
    answer.say(f"Your conversations{query.when}, latest first:")
    for talk in others[:_MOST]:
        name = literal(name_and_stamp(talk.title)[0] or "a conversation")
        answer.point(
            f"[{name}]({talk.link}), {day_in_full(talk.last_at)}, {talk.messages} messages"
        )
    return True


# --- Plans ---------------------------------------------------------------------------------------


def list_upcoming(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """List the plans of the days asked about, or say that there are none; return whether it
    answered.
    """
    try:
        plans = call(prompt, answer, "get_upcoming_plans", {"when": intent.about})
    except ToolRefused:
        plans = call(prompt, answer, "get_upcoming_plans", {})
    assert isinstance(plans, AllUpcoming)
    today = localtime(prompt.question.said_at).date()
    _list_plans(prompt, plans, today, answer)
    if apart := _in_confidence(prompt, plans):
        days = formatting.listed([f"on {source(message)}" for message in apart])
        also = "also " if plans.found else ""
        answer.say(
            f"You {also}mentioned a private plan for then, {days}. I show it only in that "
            "conversation."
        )
    elif not plans.found:
        answer.say(f"I found nothing {_days_of(plans, today)}.")
    return True


def _list_plans(prompt: Prompt, plans: AllUpcoming, today: date, answer: Answer) -> None:
    messages = Message.objects.for_user(prompt.question.user_id).in_bulk(
        [m.id for m in plans.found]
    )
    if plans.found:
        coming = "Coming up " if plans.since < plans.until and plans.since <= today else ""
        answer.say(f"{capfirst(f'{coming}{_days_of(plans, today)}')}:")
    for plan in plans.found:
        day = _day(plan.first, today) if plan.first == plan.last else capfirst(plan.day)
        when = "" if plans.since == plans.until == plan.first == plan.last else f"{day}: "
        how = "written" if plan.is_note else "said"
        where = f"([{how} on {day_in_full(plan.said_at)}]({plan.link}))"
        text = f"{quoted(plan.text)}{after(plan.about)}"
        put_off = f", {plan.day.partition(', ')[2]}" if plan.snoozed else ""
        by_hand = PromptItem("memory", plan.id, "", plan.text, plan.text)
        item = by_hand if plan.is_note else used_message(messages[plan.id])
        answer.point(f"{when}{text}{put_off} {where}", item)


def _days_of(plans: AllUpcoming, today: date) -> str:
    """Return the days asked about: 'on Thursday 4 June', 'until Sunday 7 June'."""
    if plans.since == plans.until:
        return f"on {_day(plans.since, today)}"
    first = "" if plans.since <= today else f"from {_day(plans.since, today)} "
    return f"{first}until {_day(plans.until, today)}"


def _day(day: date, today: date) -> str:
    """Return 'Thursday 4 June', with the year if it is another than today's."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day:%A} {day.day} {day:%B}{year}"


def _in_confidence(prompt: Prompt, plans: AllUpcoming) -> list[Message]:
    """Return the confidential messages that name one of the days asked about."""
    context = tool_context_of(prompt)
    notes = Memory.objects.for_user(context.user_id).active()
    noted_anyway = notes.filter(slot__in=PRIVATE_SLOTS, source_message__isnull=False)
    rows = (
        Message.objects.for_user(context.user_id)
        .filter(confidential=True)
        .exclude(conversation=prompt.conversation)
        .exclude(conversation__privacy=Conversation.Privacy.PRIVATE)
        .exclude(state=Message.State.REMOVED)
        .exclude(pk__in=noted_anyway.values("source_message"))
    )
    named = [
        message
        for message in planning(rows, context)
        if any(
            planned.within(plans.since, plans.until)
            for planned in find_planned_days(message.content, localtime(message.said_at))
        )
    ]
    return named[:_MOST_APART]
