"""All that was said of somebody or something: by its words, and by the names it was given."""

from collections.abc import Iterable
from dataclasses import replace

from conversations.models import Message
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.said.coreference import names_by_role
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import About, Mentioned
from memory.language import QueryIntent

# How many messages are quoted.
_QUOTES = 6


def what_was_said(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """The latest messages that speak of it, in their order."""
    wanted, found = mentioned(prompt, wish, made)
    if not found.said:
        return False
    made.say(f"This is what {'you' if wish.mine else 'we'} said{wanted.when}:")
    quote(found.said, made)
    say_what_is_withheld(found, made)
    return True


def quote(said: list[Message], made: Answer) -> None:
    """The latest of these messages (the latest first), in the order in which they were said."""
    for one in reversed(said[:_QUOTES]):
        made.point(line(one), used_message(one))
    more = len(said) - _QUOTES
    if more > 0:
        made.paragraph(f"There {'is one more' if more == 1 else f'are {more} more'}, from before.")


def mentioned(prompt: Prompt, wish: QueryIntent, made: Answer) -> tuple[About, Mentioned]:
    """What has all the words that are asked about, else any of them, and what has the names of whom
    they call by a role.
    """
    wanted = word_mentions.about(wish.about, prompt.question.said_at)

    def find(*words: str) -> Mentioned:
        return word_mentions.mentions(
            prompt.question, replace(wanted, telling=words), mine=wish.mine
        )

    with looking(made, "search_conversations", query=wanted.words, mine=wish.mine) as step:
        found = find(*wanted.telling)
        if not found.count():
            found = _together([find(word) for word in wanted.telling])
        named = names_by_role(wanted.telling, (one.content for one in found.said))
        names = {name for several in named.values() for name in several}
        found = _together([found, *(find(name) for name in sorted(names))])
        step.count = len(found.said)
    return wanted, found


def _together(several: Iterable[Mentioned]) -> Mentioned:
    """What was found several times, each message once, the latest first."""
    found = list(several)
    said = {one.pk: one for each in found for one in each.said}
    withheld = {
        (talk, at)
        for each in found
        for talk, at in zip(each.withheld, each.withheld_at, strict=True)
    }
    return Mentioned(
        sorted(said.values(), key=lambda one: (one.said_at, one.number), reverse=True),
        [talk for talk, _ in withheld],
        [at for _, at in withheld],
    )


def say_what_is_withheld(found: Mentioned, made: Answer) -> None:
    """What stays in its own conversation is counted here and told there."""
    if found.withheld:
        count = len(found.withheld)
        many = "One message" if count == 1 else f"{count} messages"
        made.paragraph(
            f"{many} with it {'was' if count == 1 else 'were'} said in confidence, in another "
            "conversation, and not shown here."
        )
