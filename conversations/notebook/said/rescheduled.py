"""Which of several sayings about one appointment holds: what was put off is told by the last."""

import re

from django.utils.timezone import localtime

from conversations.models import Message
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import asking_of
from conversations.prompt import Prompt
from conversations.tools import visibility
from memory.language.dates import sentence_dates
from memory.language.dates.sentence_dates import Told

# A message, the sentence of it that answers, and the days that this names, if any.
Saying = tuple[Message, str, Told | None]

_CALLED_OFF = re.compile(
    r"\b(?:cancell?ed|called off|not (?:taking place|happening)|(?:won't|will not) (?:take place"
    r"|happen))\b",
    re.IGNORECASE,
)

# "It has been moved", said soon after, speaks of what was told before.
_OF_IT = re.compile(
    r"(?:(?:sorry|oh|no|ok|well|actually|so)\W+)*(?:it|this|that|they|he|she)\b", re.IGNORECASE
)
_SOON = 6
# In the middle of a sentence, and no day.
_NAME = re.compile(
    r"(?<=[a-z,] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:January|February|March|April"
    r"|May|June|July|August|September|October|November|December)\b|I\b)[A-Z]\w+"
)


def latest(prompt: Prompt, answer: Saying, others: list[Saying]) -> Saying:
    """What holds of an appointment: the newest saying that moves or ends it, else the answer.

    `others` speak of the same as the answer does.
    """
    first = answer[0]
    found = [*others, *_said_soon_after(prompt, first)]
    moving = [
        one
        for one in found
        if calls_off(one[1]) or (one[2] is not None and sentence_dates.moves(one[1]))
    ]
    later = [one for one in moving if _order(one[0]) > _order(first)]
    return max(later, key=lambda one: _order(one[0]), default=answer)


def names_another(sentence: str, answer: str) -> bool:
    """Whether a sentence has a name that the answer does not have."""
    return bool({*_NAME.findall(sentence)} - {*re.findall(r"\w+", answer)})


def dated_soon_after(prompt: Prompt, first: Message) -> Saying | None:
    """What tells the day of something that was told of without it: "They come on the 21st"."""
    soon = _said_soon_after(prompt, first) if not first.author else []
    return next((one for one in soon if one[2] is not None), None)


def calls_off(sentence: str) -> bool:
    """Whether a sentence says that something is not to be."""
    return _CALLED_OFF.search(sentence.replace("’", "'")) is not None


def _said_soon_after(prompt: Prompt, first: Message) -> list[Saying]:
    rows = visibility.messages(asking_of(prompt)).filter(
        conversation=first.conversation_id,
        role=Message.Role.USER,
        author=first.author,
        number__gt=first.number,
        number__lte=first.number + _SOON,
    )
    parts = [
        (message, part)
        for message in rows.exclude(pk=prompt.question.pk)
        for part in sentences(message.content)
        if not part.endswith("?") and _OF_IT.match(part)
    ]
    parts.sort(key=lambda found: found[0].number)
    return [
        (message, part, sentence_dates.told(part, localtime(message.said_at)))
        for message, part in parts
    ]


def _order(message: Message) -> tuple[object, int]:
    return message.said_at, message.number
