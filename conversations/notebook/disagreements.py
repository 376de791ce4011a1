"""What was just said and what was said before cannot both hold: both are shown, to choose."""

from collections.abc import Iterator
from itertools import chain, islice

from django.urls import reverse

from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, line, on
from conversations.notebook.said.sentences import sentences
from conversations.prompt import Prompt
from memory.language import DatedSentence, TextStanding, asserts_eating, contradicts
from memory.models import ProfileFact

ASKED = (
    "That does not go together with what you said before, as I read it. Which holds? Nothing "
    "changes until you change it:"
)
_MOST = 2
_NOT_THEIR_OWN = frozenset({TextStanding.PASTED, TextStanding.CLAIM})


def show(prompt: Prompt, made: Answer) -> None:
    """Ask which of two holds, where a note, the diet or an earlier message says otherwise than what
    was just said.
    """
    question = prompt.question
    said = [
        DatedSentence(question.content[start:end], question.said_at)
        for start, end, mark in question.reading.sentences
        if mark != "?"
    ]
    earlier = chain(_diet(prompt, said), _notes(prompt), _messages(prompt))
    against = (told for before, told in earlier if any(contradicts(one, before) for one in said))
    for place, told in enumerate(islice(against, _MOST)):
        if not place:
            made.say(ASKED)
        made.point(told)


def _diet(prompt: Prompt, said: list[DatedSentence]) -> Iterator[tuple[DatedSentence, str]]:
    """What the person eats or leaves, with the line that shows it; read only where they eat."""
    if not any(asserts_eating(one.text) for one in said):
        return
    facts = ProfileFact.objects.for_user(prompt.question.user_id).current().filter(slot="diet")
    for fact in facts:
        text = fact.kind.note.format(value=fact.value)
        page = reverse("memory:edit", args=[fact.pk])
        yield DatedSentence(fact.value, fact.valid_from), _line(text, page)


def _notes(prompt: Prompt) -> Iterator[tuple[DatedSentence, str]]:
    """The nearest notes of other messages, with the line that shows each."""
    for note in prompt.remembered:
        if note.message_id != prompt.question.pk:
            text = note.original or note.content
            page = reverse("memory:memory_edit", args=[note.id])
            yield (
                DatedSentence(text, note.said_at),
                f"{_line(text, page)}, noted on {on(note.said_at)}",
            )


def _messages(prompt: Prompt) -> Iterator[tuple[DatedSentence, str]]:
    """What the person said in the nearest messages, with a link."""
    for passage in prompt.passages:
        message = passage.message
        if message.role != Message.Role.USER or message.author:
            continue
        if message.pk != prompt.question.pk and message.quoted_as not in _NOT_THEIR_OWN:
            for sentence in sentences(message.content):
                if not sentence.endswith("?"):
                    yield DatedSentence(sentence, message.said_at), line(message, sentence)


def _line(text: str, page: str) -> str:
    return f"“{literal(text)}” · [edit or remove]({page})"
