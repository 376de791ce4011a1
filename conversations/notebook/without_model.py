"""What the notebook cannot do and can only point to: tasks for a language model, and help."""

import re

from django.urls import reverse

from conversations import llm
from conversations.notebook import intents
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt

_TAKES_A_MODEL = "That takes a language model"
_NOT_CONNECTED = (
    _TAKES_A_MODEL + ", and none is connected here. Whoever runs this copy connects one with "
    "`OPENAI_BASE_URL` and `CHAT_MODEL`; `make model` starts a small one."
)
_DID_NOT_ANSWER = _TAKES_A_MODEL + ", which did not answer."
# An address of a page in an answer: {memory:profile}.
_PAGE = re.compile(r"\{([\w:-]+)\}")


def takes_a_model(prompt: Prompt, answer: Answer) -> None:
    """Say that it takes a model: in full once a conversation, then in a word."""
    if llm.configured():
        answer.say(_DID_NOT_ANSWER)
        return
    known = any(_TAKES_A_MODEL in turn.text for turn in prompt.history)
    answer.say(f"{_TAKES_A_MODEL}." if known else _NOT_CONNECTED)


def help_with(name: str, answer: Answer) -> None:
    """Answer a question about the product, with links to its pages."""
    answer.say(_PAGE.sub(lambda page: reverse(page[1]), intents.answers()[name]))
