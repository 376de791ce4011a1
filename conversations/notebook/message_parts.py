"""Splitting a message into sentences, each with a kind such as question, task or courtesy."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace

from conversations.notebook.standard_answers import is_nod, product_topic
from conversations.prompt import Prompt
from conversations.search import message_recall
from memory.language.reader.network import ReadSentence
from memory.language.reading import ASKING, Reading
from memory.slots import asked_about

OF_ONESELF, OF_THE_PRODUCT, TASK, COURTESY, SMALL_TALK, CORRECTION, TO_REMEMBER, TO_FORGET = (
    "qatpmcrf"
)
"""Kinds of sentences (`training/README.md` has all)."""
# Least probability for a task to be about the product; questions need more.
_OF_A_TASK = 0.2
# The topic of requests to be reminded in `product_help.toml`.
REMINDERS = "reminders"
# Sentence kinds for statements, orders and expressions: with a question mark they ask.
_TELLING = frozenset("scr")
# Least probability for the kind of a sentence to be sure; and for a question to be about the
# product, whatever its kind.
_SURE, _SURELY_OF_THE_PRODUCT = 0.9, 0.85
# How many questions of a message are answered.
_MOST = 5
# How many sentences are read at the beginning and at the end of a message; between, only questions.
_AT_EACH_END = 6
# So many short lines of at most so many words are a list.
_LINES, _WORDS_A_LINE = 3, 5


@dataclass(frozen=True)
class Part:
    """A sentence of a message with its kind and, for a question about the product, the topic."""

    text: str
    kind: str
    is_sure: bool = True
    topic: str = ""

    @property
    def asks(self) -> bool:
        """Whether the sentence asks for an answer."""
        return self.kind in ASKING


def read(reading: Reading) -> list[Part]:
    """Return the sentences of a message in order, without text of others."""
    if reading.holds_a_secret or _is_list(reading.text):
        # A question would be repeated in the answer, but a password must not be repeated.
        return [Part(reading.text, "s")]
    if reading.foreign:
        reading = Reading(_own_words(reading))
    sentences = reading.read.sentences
    if len(sentences) > 2 * _AT_EACH_END:
        between = sentences[_AT_EACH_END:-_AT_EACH_END]
        asking = [sentence for sentence in between if sentence.kind in ASKING][:_MOST]
        sentences = (*sentences[:_AT_EACH_END], *asking, *sentences[-_AT_EACH_END:])
    return [_part(reading.text, sentence) for sentence in sentences]


def _part(message: str, sentence: ReadSentence) -> Part:
    text = message[sentence.start : sentence.end].strip()
    kind, is_sure, topic = sentence.kind, sentence.kind_probability >= _SURE, ""
    if kind in ASKING:
        # "Remind me to …" is a task; other tasks are never about the product.
        topic, share = product_topic(text, _OF_A_TASK) if kind == TASK else product_topic(text)
        surely = share >= _SURELY_OF_THE_PRODUCT or (kind == TASK and topic == REMINDERS)
        if kind != OF_THE_PRODUCT and not surely:
            topic = ""
        kind = OF_THE_PRODUCT if topic else kind
    elif kind == TO_REMEMBER:
        topic = REMINDERS if product_topic(text)[0] == REMINDERS else ""
    elif kind == SMALL_TALK and is_nod(text):
        kind = COURTESY
    elif (kind in _TELLING and text.endswith("?")) or (kind == TO_FORGET and Reading(text).intent):
        kind = OF_ONESELF
    return Part(text, kind, is_sure, topic)


def asking_parts(parts: list[Part]) -> list[Part]:
    """Return the first five questions."""
    return [part for part in parts if part.asks][:_MOST]


def prompt_for(prompt: Prompt, part: Part, parts: Sequence[Part]) -> Prompt:
    """Return the prompt as if this part were the whole message."""
    if len(parts) == 1:
        return prompt
    question = copy.copy(prompt.question)
    question.content = part.text
    passages = message_recall.passages(question, count=len(prompt.passages) or 12)
    asked_slots = asked_about(part.text)
    return replace(prompt, question=question, asked_slots=asked_slots, passages=passages)


def _own_words(reading: Reading) -> str:
    """Return a message without the parts that somebody else wrote."""
    text = reading.text
    for span in reversed(reading.foreign):
        text = f"{text[: span.start]}\n{text[span.end :]}"
    return text


def _is_list(text: str) -> bool:
    """Return whether a text is a list of short lines ("eggs / flour"), no question or statement."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= _LINES and all(len(line.split()) <= _WORDS_A_LINE for line in lines)
