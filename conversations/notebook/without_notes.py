"""Where the notes cannot be read: what was said in this very conversation, and that it is all."""

from conversations.notebook import noted
from conversations.notebook.answer_builder import Answer, quote_from_here
from conversations.prompt import Prompt
from memory.language import content_stem_ids

NOTES_UNREAD = (
    "I could not read my notes just now, so I can go by this conversation alone. Your message is "
    "kept; ask me again in a moment."
)
_MOST = 3


def from_the_talk_alone(prompt: Prompt, answer: Answer) -> None:
    """Say so, and quote what the person said here that has the words of a question."""
    noted.acknowledge(prompt, answer)
    answer.say(NOTES_UNREAD)
    wanted = content_stem_ids(prompt.asked)
    if not wanted or not prompt.question.reading.only_asks:
        return
    quote_from_here(
        prompt, answer, "You said here:", lambda part: wanted <= content_stem_ids(part), _MOST
    )
