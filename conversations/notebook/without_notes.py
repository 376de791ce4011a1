"""Where the notes cannot be read: what was said in this very conversation, and that it is all."""

from conversations.models import Message
from conversations.notebook import noted
from conversations.notebook.answer_builder import Answer, quoted
from conversations.notebook.said.sentences import sentences
from conversations.prompt import Prompt
from memory.language.queries import speech_acts
from memory.language.text import dedup

NOTES_UNREAD = (
    "I could not read my notes just now, so I can go by this conversation alone. Your message is "
    "kept; ask me again in a moment."
)
_MOST = 3


def from_the_talk_alone(prompt: Prompt, made: Answer) -> None:
    """Say so, and quote what the person said here that has the words of a question."""
    noted.acknowledge(prompt, made)
    made.say(NOTES_UNREAD)
    wanted = dedup.stems(prompt.read_as)
    if not wanted or not prompt.question.reading.only_asks:
        return
    said = [
        part
        for turn in prompt.history
        if turn.role == Message.Role.USER
        for part in sentences(turn.text)
        if wanted <= dedup.stems(part) and not speech_acts.only_asks(part)
    ]
    if said:
        made.say("You said here:")
    for part in dict.fromkeys(said[-_MOST:]):
        made.point(quoted(part))
