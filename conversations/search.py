"""Finding what was said: recall's passages, and which of them may be quoted where."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from conversations import stating
from conversations.asking import LONGEST
from conversations.courtesy import read_as
from conversations.models import Conversation, Message
from memory import instructions, provenance, relevance, retrieval, statements
from memory.passages import Said
from memory.retrieval import Hit

# Recall is asked for more than is quoted, because some of what it finds stays where it is, and much
# of what bears on a question is an answer that was given to it before.
_SPARE = 40
# A hit that shares none of the question's words, nor its time, is no answer to it, however alike in
# meaning.
_SHARED_WORDS = {"words", "cover", "date"}


@dataclass(frozen=True)
class Passage:
    """A message that bears on a question, or what of it may be quoted and stands alike; `hit` says
    why, factor by factor.
    """

    message: Message
    hit: Hit


def said(message: Message) -> Said:
    """A message in the shape that recall takes in."""
    return Said(
        user_id=message.user_id,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        number=message.number,
        text=message.content,
        said_at=message.said_at,
        by_user=message.role == Message.Role.USER,
        speaker=message.author,
    )


def passages(question: Message, count: int = 3) -> list[Passage]:
    """The messages of this person that bear on their question, best first.

    What is confidential is found only from its own conversation. Left out are the assistant's own
    words, what was only asked here before, neither of which tells anything new, and orders. What
    was pasted is a passage of its own, and so is what is only claimed.
    """
    found = retrieval.search(
        question.user_id,
        read_as(question.content),
        k=count + _SPARE,
        asked_at=question.said_at,
        but=question.pk,
    )
    hits = [hit for hit in found if _by_a_person(hit) and shares_words(hit)]
    quotable = _quotable(question, hits)
    asked = cache(lambda: relevance.read(read_as(question.content), question.said_at))
    # Whether a text only asks takes long to tell: it is looked at no further than needed.
    fit = (
        Passage(_message(question.user_id, part, quotable[hit.message_id].title), part)
        for hit in hits
        if hit.message_id in quotable and not _gives_orders(hit, quotable[hit.message_id])
        for part in _parts(question, asked, hit, quotable[hit.message_id])
        if not _only_asks(part)
    )
    return list(islice(fit, count))


def _parts(
    question: Message,
    asked: Callable[[], relevance.Question],
    hit: Hit,
    quotable: "_Quotable",
) -> Iterator[Hit]:
    """What may be quoted of a message, one hit for what stands alike. Of a message of several such
    parts only those count that speak of what is asked themselves, where any does.
    """
    stretches = provenance.kept(hit.text, quotable.stretches)
    if not stretches:
        yield hit
        return
    elsewhere = hit.conversation_id != question.conversation_id
    found = provenance.parts(hit.text, stretches, elsewhere=elsewhere)
    fitting = [part for part in found if relevance.fits(part.text, asked()) > 0]
    for part in fitting or found:
        yield replace(hit, text=part.text, standing=part.standing)


class _Quotable(NamedTuple):
    title: str
    confidential: bool
    stretches: str


_QUOTABLE = """
select m.id, c.title, m.confidential, jsonb_build_array(m.stretches, m.pasted)::text
from conversations_message m join conversations_conversation c on c.id = m.conversation_id
where m.user_id = %(user)s and m.id = any(%(ids)s::text::uuid[])
  and (not m.confidential or m.conversation_id = %(here)s)
"""


def _quotable(question: Message, hits: Sequence[Hit]) -> dict[UUID, _Quotable]:
    """Those of the messages that may be quoted here, how their conversations are called, and
    whether it is only here.
    """
    if not hits:
        return {}
    ids = statements.listed(hit.message_id for hit in hits)
    values = {"user": question.user_id, "ids": ids, "here": question.conversation_id}
    return {key: _Quotable(*row) for key, *row in statements.rows(_QUOTABLE, values)}


def _message(user_id: UUID, hit: Hit, title: str) -> Message:
    """The message, from what is known of it by now; the rest is read if it is asked for."""
    role = Message.Role.USER if hit.by_user else Message.Role.ASSISTANT
    known = {
        "id": hit.message_id,
        "user_id": user_id,
        "conversation_id": hit.conversation_id,
        "number": hit.number,
        "role": role.value,
        "content": hit.text,
        "said_at": hit.said_at,
        "author": hit.speaker,
    }
    message = statements.instance(Message, known.keys(), list(known.values()))
    message.quoted_as = hit.standing
    message.conversation = statements.instance(
        Conversation, ("id", "user_id", "title"), (hit.conversation_id, user_id, title)
    )
    return message


def _gives_orders(hit: Hit, quotable: _Quotable) -> bool:
    """Whether it was kept here because it sets rules or dictates: then it is no answer here either.

    Every message of that kind is confidential, so that no other needs to be read for it.
    """
    return quotable.confidential and instructions.by_rule(hit.text).grave


def _by_a_person(hit: Hit) -> bool:
    return hit.by_user or bool(hit.speaker)


def _only_asks(hit: Hit) -> bool:
    """Whether its author only asked; in a dialogue that was played back two people ask each other,
    and an answer may stand in a question.
    """
    if hit.speaker:
        return False
    text = hit.text
    return text.rstrip().endswith("?") or (len(text) <= LONGEST and stating.is_all_questions(text))


def shares_words(hit: Hit) -> bool:
    """Whether it has any of the question's words or is of its time, or they are spoken of right
    beside it.
    """
    return any(factor.name in _SHARED_WORDS and factor.strength > 0 for factor in hit.factors)
