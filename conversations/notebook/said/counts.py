"""How often something came up, when last and when first."""

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, day_in_full, line, source, used_message
from conversations.notebook.said.overview import say_what_is_withheld
from conversations.notebook.said.sentences import has_words, sentences
from conversations.notebook.steps import recorded_step, tool_context_of
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import MentionQuery, MentionResult
from conversations.tools import visibility
from memory.language import IntentKind, QueryIntent

# How many quotes answer 'did I ever mention'.
_QUOTES = 4
_MOST_TALKS = 6
_TIMES = {0: "Never", 1: "Once", 2: "Twice"}


def how_often(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Count the messages, or the conversations, that have the words."""
    query, result = _mentions(prompt, intent, answer, exactly=True)
    if not query.telling:
        return _too_common(intent, answer)
    messages, what = result.said, f"“{literal(query.words)}”"
    if not result.count():
        none = "no message of yours" if intent.mine else "no message"
        answer.say(f"Never, as far as I have kept it: I find {what} in {none}{query.when}.")
    elif intent.talks:
        answer.say(f"In {_count(result.count_of_talks(), 'conversation')}{query.when}:")
        for message, *_ in word_mentions.by_conversation(messages)[:_MOST_TALKS]:
            answer.point(f"{_title(message)}, {source(message)}", used_message(message))
    else:
        times = _TIMES.get(result.count(), f"{result.count()} times")
        answer.say(f"{times}{query.when}, in {_count(result.count_of_talks(), 'conversation')}.")
        _first_and_latest(messages, query, answer)
    whose = "your own messages" if intent.mine else "the messages"
    answer.paragraph(f"I counted {whose} that have {what}, in singular or plural, in any tense.")
    _say_what_only_asked(result, answer)
    say_what_is_withheld(result, answer)
    return True


def _first_and_latest(messages: list[Message], query: MentionQuery, answer: Answer) -> None:
    if len(messages) > 1:
        answer.say(f"The first was on {source(messages[-1])}. The latest:")
    if messages:
        answer.point(
            line(messages[0], sentence_with(messages[0].content, query)), used_message(messages[0])
        )
        answer.rest_on(*(used_message(message) for message in messages[1:_MOST_TALKS]))


def last_or_first(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """The newest mention, or the oldest, with its day and a link."""
    query, result = _mentions(prompt, intent, answer, exactly=True)
    if not query.telling:
        return _too_common(intent, answer)
    what = f"“{literal(query.words)}”"
    message = result.said[0 if intent.kind is IntentKind.LAST else -1] if result.said else None
    if message is None and not result.withheld:
        of = "of yours" if intent.mine else "that I kept"
        answer.say(f"I find nothing: {what} is in no message {of}{query.when}.")
    elif message is None:
        answer.say(f"I do not know that here: {what} is only in what was said in confidence.")
    else:
        _say_the_day(message, intent, result, answer)
        answer.point(line(message, sentence_with(message.content, query)), used_message(message))
    _say_what_only_asked(result, answer)
    say_what_is_withheld(result, answer)
    return True


def _say_the_day(
    message: Message, intent: QueryIntent, result: MentionResult, answer: Answer
) -> None:
    """Its day, unless what may not be shown here was said after it, or before the first."""
    last = intent.kind is IntentKind.LAST
    if any(at > message.said_at if last else at < message.said_at for at in result.withheld_at):
        which = "last" if last else "first"
        answer.say(
            f"I do not know that here: the {which} time was in confidence. Of the others the "
            f"{which} was on {day_in_full(message.said_at)}:"
        )
    else:
        answer.say(f"On {day_in_full(message.said_at)}:")


def ever(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """Yes, with the place; where the very words are nowhere, what comes near may answer."""
    query, result = _mentions(prompt, intent, answer, exactly=True)
    if not result.said:
        return False
    times = result.count()
    often = f" {formatting.number(times)} times, the latest" if times > 1 else ""
    answer.say(f"Yes,{often} on {day_in_full(result.said[0].said_at)}{query.when}:")
    for message in result.said[:_QUOTES]:
        answer.point(line(message, sentence_with(message.content, query)), used_message(message))
    say_what_is_withheld(result, answer)
    return True


def _too_common(intent: QueryIntent, answer: Answer) -> bool:
    answer.say(f"I cannot answer that: “{literal(intent.about)}” is too common a word to look for.")
    return True


def _say_what_only_asked(result: MentionResult, answer: Answer) -> None:
    """A question to the assistant is no talk about a thing."""
    if result.asked:
        one = result.asked == 1
        many = "One message" if one else f"{formatting.number(result.asked).capitalize()} messages"
        answer.paragraph(f"{many} that only {'asks' if one else 'ask'} me about it I left out.")


def first_told(prompt: Prompt, _: QueryIntent, answer: Answer) -> bool:
    """The very first message of this person that may be told here."""
    rows = visibility.messages(tool_context_of(prompt)).filter(role=Message.Role.USER)
    first = rows.exclude(pk=prompt.question.pk).order_by("said_at", "number").first()
    if first is None:
        answer.say("Nothing before this: these are the first words of yours that I have.")
        return True
    answer.say(f"The first words of yours that I have are from {day_in_full(first.said_at)}:")
    answer.point(line(first), used_message(first))
    return True


def sentence_with(text: str, query: MentionQuery) -> str:
    """The sentence of a text that has the words; the text when several share them."""
    return next((one for one in sentences(text) if has_words(one, query.telling)), text)


def _mentions(
    prompt: Prompt, intent: QueryIntent, answer: Answer, *, exactly: bool = False
) -> tuple[MentionQuery, MentionResult]:
    query = word_mentions.parse_mention_query(intent.about, prompt.question.said_at)
    with recorded_step(answer, "search_conversations", query=query.words, mine=intent.mine) as step:
        result = word_mentions.mentions(prompt.question, query, mine=intent.mine, exactly=exactly)
        step.count = len(result.said)
    return query, result


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _title(message: Message) -> str:
    return literal(message.conversation.name or "a conversation")
