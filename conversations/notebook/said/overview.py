"""All that was said of somebody or something: by its words, and by the names it was given."""

from collections.abc import Iterable
from dataclasses import replace

from conversations.models import Message
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.said.coreference import names_by_role
from conversations.notebook.steps import recorded_step
from conversations.prompt import Prompt
from conversations.search import word_mentions
from conversations.search.word_mentions import MentionQuery, MentionResult
from memory.language import QueryIntent

# How many messages are quoted.
_QUOTES = 6


def what_was_said(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """The latest messages that speak of it, in their order."""
    query, result = mentioned(prompt, intent, answer)
    if not result.said:
        return False
    answer.say(f"This is what {'you' if intent.mine else 'we'} said{query.when}:")
    quote(result.said, answer)
    say_what_is_withheld(result, answer)
    return True


def quote(messages: list[Message], answer: Answer) -> None:
    """The latest of these messages (the latest first), in the order in which they were said."""
    for message in reversed(messages[:_QUOTES]):
        answer.point(line(message), used_message(message))
    more = len(messages) - _QUOTES
    if more > 0:
        answer.paragraph(
            f"There {'is one more' if more == 1 else f'are {more} more'}, from before."
        )


def mentioned(
    prompt: Prompt, intent: QueryIntent, answer: Answer
) -> tuple[MentionQuery, MentionResult]:
    """What has all the words that are asked about, else any of them, and what has the names of whom
    they call by a role.
    """
    query = word_mentions.parse_mention_query(intent.about, prompt.question.said_at)

    def find(*words: str) -> MentionResult:
        return word_mentions.mentions(
            prompt.question, replace(query, telling=words), mine=intent.mine
        )

    with recorded_step(answer, "search_conversations", query=query.words, mine=intent.mine) as step:
        result = find(*query.telling)
        if not result.count():
            result = _together([find(word) for word in query.telling])
        named = names_by_role(query.telling, (message.content for message in result.said))
        names = {name for several in named.values() for name in several}
        result = _together([result, *(find(name) for name in sorted(names))])
        step.count = len(result.said)
    return query, result


def _together(several: Iterable[MentionResult]) -> MentionResult:
    """What was found several times, each message once, the latest first."""
    found = list(several)
    said = {message.pk: message for each in found for message in each.said}
    withheld = {
        (talk, at)
        for each in found
        for talk, at in zip(each.withheld, each.withheld_at, strict=True)
    }
    return MentionResult(
        sorted(said.values(), key=lambda message: (message.said_at, message.number), reverse=True),
        [talk for talk, _ in withheld],
        [at for _, at in withheld],
    )


def say_what_is_withheld(result: MentionResult, answer: Answer) -> None:
    """What stays in its own conversation is counted here and told there."""
    if result.withheld:
        count = len(result.withheld)
        many = "One message" if count == 1 else f"{count} messages"
        answer.paragraph(
            f"{many} with it {'was' if count == 1 else 'were'} said in confidence, in another "
            "conversation, and not shown here."
        )
