"""Answers that quote deleted messages, and finding the quoted words in these answers."""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from conversations.models import Message, MessageQuerySet
from memory.core.statements import fetch_rows
from memory.language.text.dedup import content_stem_ids

# Answers that used a message (`Message.recalled`) or link to one. Imported answers quote nothing
# from here. Few answers match, so they are selected first.
_QUOTING_SQL = """
with quoting as materialized (
    select a.id, a.content, a.recalled
      from conversations_message a
      join conversations_conversation c on c.id = a.conversation_id and a.number > c.imported_up_to
     where a.user_id = %(user)s and a.role = 'assistant' and a.state <> 'removed'
       and (a.recalled @> '[{"what": "quote"}]' or strpos(a.content, '/talk/') > 0)
)
select id, content, exists (
         select from jsonb_array_elements(recalled) one
          where one->>'what' = 'quote' and one->>'id' = any(%(said)s)
       ) as drew_on_it
  from quoting
 where not id::text = any(%(said)s)
   and (recalled @> '[{"what": "quote"}]' or content like any(%(pages)s))
"""
_QUOTED = re.compile("“([^”]*)”")
_NO_WORDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\d:T.+-]+", re.IGNORECASE)
# Arguments whose texts are the tool's own.
_CHOICES = frozenset({"slot", "order", "role", "speaker"})


def answers_that_quote(
    user_id: UUID, messages: MessageQuerySet, *, whole: bool = False
) -> list[Message]:
    """Return the other answers that used or link to one of these messages, oldest first; three
    queries. `whole`: these are all messages of their conversations.
    """
    numbers: dict[str, set[int]] = {}
    message_ids = []
    for pk, number, conversation in messages.values_list("pk", "number", "conversation_id"):
        numbers.setdefault(f"/talk/{conversation}/", set()).add(number)
        message_ids.append(str(pk))
    if not message_ids:
        return []
    values = {"user": user_id, "said": message_ids, "pages": [f"%{page}%" for page in numbers]}
    answer_ids = [
        pk
        for pk, content, drew_on_it in fetch_rows(_QUOTING_SQL, values)
        if drew_on_it
        or any(
            whole or _links(content, page) & of_it
            for page, of_it in numbers.items()
            if page in content
        )
    ]
    rows = Message.objects.for_user(user_id).filter(pk__in=answer_ids)
    return list(rows.select_related("conversation").order_by("said_at", "pk"))


def _links(text: str, page: str) -> set[int]:
    """Return the numbers of the messages on a page (`page`) to which a text links."""
    return {int(number) for number in re.findall(rf"{page}\?at=(\d{{1,9}})", text)}


def step_quotes(step: dict[str, Any], question: str, deleted_texts: Iterable[str]) -> bool:
    """Return whether a step searched for words that only deleted messages contain."""
    looked_for = content_stem_ids(" ".join(_words_of(step)))
    return bool(
        (looked_for - content_stem_ids(question)) & content_stem_ids(" ".join(deleted_texts))
    )


def _words_of(step: dict[str, Any]) -> Sequence[str]:
    """Return the texts of a step: its arguments and the quotes in its results."""
    arguments = step.get("arguments") or {}
    return [
        *_texts([value for name, value in arguments.items() if name not in _CHOICES]),
        *_QUOTED.findall(str(step.get("found", ""))),
    ]


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) and not _NO_WORDS.fullmatch(value) else []
