"""What was just said and what was said before cannot both hold: both are shown, to choose."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from django.urls import reverse

from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, day_in_full, line
from conversations.notebook.message_parts import Part
from conversations.notebook.sentences import sentences
from conversations.prompt import Prompt
from conversations.search import message_recall
from conversations.search.message_recall import RecallMode
from memory.language import (
    encode_sentences,
    find_clashes,
    only_asks,
)

ASKED = (
    "I am not sure that this goes together with what you said before. If only one of them holds, "
    "put it right here; nothing changes until you do:"
)
# So many are shown; with so many of the nearest what is said is read together.
_MOST, _COMPARED = 2, 6
# So many messages are looked at for what is like it in meaning.
_LOOKED_AT = 24
# So many of their sentences are compared, those of the likest messages first.
_SENTENCES = 60
# What is less alike in meaning speaks of something else (of 58 contradictions that were written for
# this, nine in ten are more alike).
_ALIKE = 0.2
# Of a longer text the beginning is read. A bare remark states nothing that could be contradicted.
_MOST_LETTERS, _FEWEST_WORDS = 280, 4


@dataclass(frozen=True)
class EarlierLine:
    """What was said or noted before, and what makes the line that shows it."""

    said: str
    show: Callable[[], str]


def find_alike(prompt: Prompt, parts: Sequence[Part]) -> list[Message]:
    """The messages that are nearest in words or in meaning to what was just stated; none where the
    message only asks.
    """
    if prompt.question.reading.foreign or all(part.asks for part in parts):
        return []
    passages = message_recall.passages(prompt.question, _LOOKED_AT, RecallMode.MEANING)
    similar_messages = {
        passage.message.pk: passage.message for passage in (*prompt.passages, *passages)
    }
    return list(similar_messages.values())


def show(
    prompt: Prompt, parts: Sequence[Part], similar_messages: Sequence[Message], answer: Answer
) -> None:
    """Ask which of two holds, where a note or an earlier message says otherwise than what
    was just said; `similar_messages` are messages that are like it.
    """
    if prompt.question.reading.foreign:
        return
    stated = [part.text.strip() for part in parts if not part.asks]
    messages = islice(_messages(prompt, similar_messages), _SENTENCES)
    told = [*_notes(prompt), *messages]
    # What was said and noted is shown as its note, which can be changed at once.
    earlier = list({one.said.rstrip(" .!"): one for one in reversed(told)}.values())[::-1]
    clashing = (one.show() for one in _clashing(" ".join(stated), earlier))
    for position, shown in enumerate(islice(dict.fromkeys(clashing), _MOST)):
        if not position:
            answer.say(ASKED)
        answer.point(shown)


def _clashing(stated: str, earlier: Sequence[EarlierLine]) -> Iterator[EarlierLine]:
    """Those of the likest in meaning that cannot hold beside what is stated."""
    if len(stated.split()) < _FEWEST_WORDS:
        return
    told = {one.said[:_MOST_LETTERS]: one for one in earlier}
    texts = [text for text in told if len(text.split()) >= _FEWEST_WORDS]
    vectors = encode_sentences([stated, *texts])
    likeness = dict(zip(texts, vectors[1:] @ vectors[0], strict=True))
    alike = [text for text in texts if likeness[text] >= _ALIKE]
    nearest = sorted(alike, key=lambda text: -likeness[text])[:_COMPARED]
    alike_by = [float(likeness[text]) for text in nearest]
    for position in find_clashes(stated[:_MOST_LETTERS], nearest, alike_by):
        if not only_asks(nearest[position]):
            yield told[nearest[position]]


def _notes(prompt: Prompt) -> Iterator[EarlierLine]:
    """The nearest notes of other messages."""
    for note in prompt.remembered:
        if note.message_id != prompt.question.pk:
            text = note.original or note.content
            page = reverse("memory:memory_edit", args=[note.id])
            noted_on = f", noted on {day_in_full(note.said_at)}"
            show = partial(_line, text, page, noted_on)
            yield EarlierLine(text, show)


def _messages(prompt: Prompt, similar_messages: Sequence[Message]) -> Iterator[EarlierLine]:
    """What the person stated in these messages, sentence by sentence."""
    for message in similar_messages:
        if message.pk != prompt.question.pk and message.is_stated_by_owner:
            for sentence in sentences(message.content):
                if not sentence.endswith("?"):
                    yield EarlierLine(sentence, partial(line, message, sentence))


def _line(text: str, page: str, more: str = "") -> str:
    return f"“{literal(text)}” · [edit or remove]({page}){more}"
