"""How often something came up, when last and when first."""

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, line, on, source, used_message
from conversations.notebook.said.overview import say_what_is_withheld
from conversations.notebook.said.sentences import has, sentences
from conversations.notebook.steps import asking_of, looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import About, Mentioned
from conversations.tools import visibility
from memory.language import IntentKind, QueryIntent

# How many quotes answer 'did I ever mention'.
_QUOTES = 4
_MOST_TALKS = 6
_TIMES = {0: "Never", 1: "Once", 2: "Twice"}


def how_often(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """Count the messages, or the conversations, that have the words."""
    wanted, found = _mentions(prompt, wish, made, exactly=True)
    if not wanted.telling:
        return _too_common(wish, made)
    said, what = found.said, f"“{literal(wanted.words)}”"
    if not found.count():
        none = "no message of yours" if wish.mine else "no message"
        made.say(f"Never, as far as I have kept it: I find {what} in {none}{wanted.when}.")
    elif wish.talks:
        made.say(f"In {_count(found.count_of_talks(), 'conversation')}{wanted.when}:")
        for talk in word_mentions.by_conversation(said)[:_MOST_TALKS]:
            made.point(f"{_title(talk[0])}, {source(talk[0])}", used_message(talk[0]))
    else:
        times = _TIMES.get(found.count(), f"{found.count()} times")
        made.say(f"{times}{wanted.when}, in {_count(found.count_of_talks(), 'conversation')}.")
        _first_and_latest(said, wanted, made)
    whose = "your own messages" if wish.mine else "the messages"
    made.paragraph(f"I counted {whose} that have {what}, in singular or plural, in any tense.")
    _say_what_only_asked(found, made)
    say_what_is_withheld(found, made)
    return True


def _first_and_latest(said: list[Message], wanted: About, made: Answer) -> None:
    if len(said) > 1:
        made.say(f"The first was on {source(said[-1])}. The latest:")
    if said:
        made.point(line(said[0], sentence_with(said[0].content, wanted)), used_message(said[0]))
        made.rest_on(*(used_message(one) for one in said[1:_MOST_TALKS]))


def last_or_first(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """The newest mention, or the oldest, with its day and a link."""
    wanted, found = _mentions(prompt, wish, made, exactly=True)
    if not wanted.telling:
        return _too_common(wish, made)
    what = f"“{literal(wanted.words)}”"
    one = found.said[0 if wish.kind is IntentKind.LAST else -1] if found.said else None
    if one is None and not found.withheld:
        of = "of yours" if wish.mine else "that I kept"
        made.say(f"I find nothing: {what} is in no message {of}{wanted.when}.")
    elif one is None:
        made.say(f"I do not know that here: {what} is only in what was said in confidence.")
    else:
        _say_the_day(one, wish, found, made)
        made.point(line(one, sentence_with(one.content, wanted)), used_message(one))
    _say_what_only_asked(found, made)
    say_what_is_withheld(found, made)
    return True


def _say_the_day(one: Message, wish: QueryIntent, found: Mentioned, made: Answer) -> None:
    """Its day, unless what may not be shown here was said after it, or before the first."""
    last = wish.kind is IntentKind.LAST
    if any(at > one.said_at if last else at < one.said_at for at in found.withheld_at):
        which = "last" if last else "first"
        made.say(
            f"I do not know that here: the {which} time was in confidence. Of the others the "
            f"{which} was on {on(one.said_at)}:"
        )
    else:
        made.say(f"On {on(one.said_at)}:")


def ever(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """Yes, with the place; where the very words are nowhere, what comes near may answer."""
    wanted, found = _mentions(prompt, wish, made, exactly=True)
    if not found.said:
        return False
    times = found.count()
    often = f" {formatting.number(times)} times, the latest" if times > 1 else ""
    made.say(f"Yes,{often} on {on(found.said[0].said_at)}{wanted.when}:")
    for one in found.said[:_QUOTES]:
        made.point(line(one, sentence_with(one.content, wanted)), used_message(one))
    say_what_is_withheld(found, made)
    return True


def _too_common(wish: QueryIntent, made: Answer) -> bool:
    made.say(f"I cannot answer that: “{literal(wish.about)}” is too common a word to look for.")
    return True


def _say_what_only_asked(found: Mentioned, made: Answer) -> None:
    """A question to the assistant is no talk about a thing."""
    if found.asked:
        one = found.asked == 1
        many = "One message" if one else f"{formatting.number(found.asked).capitalize()} messages"
        made.paragraph(f"{many} that only {'asks' if one else 'ask'} me about it I left out.")


def first_told(prompt: Prompt, _: QueryIntent, made: Answer) -> bool:
    """The very first message of this person that may be told here."""
    rows = visibility.messages(asking_of(prompt)).filter(role=Message.Role.USER)
    first = rows.exclude(pk=prompt.question.pk).order_by("said_at", "number").first()
    if first is None:
        made.say("Nothing before this: these are the first words of yours that I have.")
        return True
    made.say(f"The first words of yours that I have are from {on(first.said_at)}:")
    made.point(line(first), used_message(first))
    return True


def sentence_with(text: str, wanted: About) -> str:
    """The sentence of a text that has the words; the text when several share them."""
    return next((one for one in sentences(text) if has(one, wanted.telling)), text)


def _mentions(
    prompt: Prompt, wish: QueryIntent, made: Answer, *, exactly: bool = False
) -> tuple[About, Mentioned]:
    wanted = word_mentions.about(wish.about, prompt.question.said_at)
    with looking(made, "search_conversations", query=wanted.words, mine=wish.mine) as step:
        found = word_mentions.mentions(prompt.question, wanted, mine=wish.mine, exactly=exactly)
        step.count = len(found.said)
    return wanted, found


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _title(message: Message) -> str:
    return literal(message.conversation.name or "a conversation")
