"""Somebody who talks with the product, by its own functions."""

from accounts.models import User
from conversations.messages import fit
from conversations.models import Conversation
from conversations.turns import turn
from conversations.turns.turn import Exchange


def say(
    user: User, text: str, conversation: Conversation | None = None, *, pasted: tuple[str, ...] = ()
) -> Exchange:
    """Say something, in a new conversation where none is named, until the answer is finished."""
    exchange = turn.begin(user, conversation, fit(text), pasted=pasted)
    *_, last = turn.fill(user.pk, exchange.answer.pk)
    return Exchange(exchange.question, last.answer)  # type: ignore[union-attr]
