"""Retrieval of messages: ranked passages that may be quoted in an answer."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from conversations.models import Conversation, Message
from memory.core.statements import (
    SendStatement,
    array_literal,
    fetch_rows,
    model_instance,
    statement_pipeline,
)
from memory.language.message_provenance import (
    QuotablePart,
    TextStanding,
    collect_quotable_parts,
    load_standing_spans,
)
from memory.language.queries.query_intent import (
    MAX_INTENT_LENGTH,
    is_all_marked_questions,
    read_yes_or_no,
)
from memory.language.reading import Reading
from memory.language.safety.instructions import judge_instruction_by_rule
from memory.language.text.compression import drop_clauses
from memory.language.text.dedup import content_stem_ids
from memory.notes.note_extraction import SHORT_LINE, WHOLE_NOTE
from memory.retrieval.passage_index import SaidMessage
from memory.retrieval.passage_search import (
    Hit,
    PassageKey,
    PassageRow,
    RankedPassages,
    rank_passages_later,
)
from memory.retrieval.relevance import Question, asks_for, read_question, relevance_of
from memory.slots import SLOTS

# More passages are retrieved than quoted, because some may not be quoted here and many are earlier
# answers to the same question. They are read in batches of the second number.
_SPARE, _AT_ONCE = 40, 20
# How many extra passages a batch has for those that are skipped.
_EXTRA_HITS = 8
# A longer text is reduced to so many parts of so many characters around the question's words, as
# the cost of an answer grows with the length of the messages.
_WHOLE, _PARTS, _PART = 2_000, 3, 500
_ENDS = (". ", "! ", "? ", "\n")
# How many places of one word are searched.
_LOOKED_AT = 50
# First letters that all forms of a word share.
_PREFIX_LETTERS = 5
# A passage that shares neither words nor a date with the question does not answer the question,
# however similar in meaning.
_SHARED_WORDS = ("words", "cover", "date")


@dataclass(frozen=True)
class Passage:
    """A message relevant to a question, or its quotable part; `hit` has the scores by factor."""

    user_id: UUID
    title: str
    hit: Hit
    corrects_id: UUID | None = None

    @cached_property
    def message(self) -> Message:
        """The message, built from the retrieved columns; other fields are loaded on access."""
        hit = self.hit
        role = Message.Role.USER if hit.by_user else Message.Role.ASSISTANT
        known = {
            "id": hit.message_id,
            "user_id": self.user_id,
            "conversation_id": hit.conversation_id,
            "number": hit.number,
            "role": role.value,
            "content": hit.text,
            "said_at": hit.said_at,
            "author": hit.speaker,
            "corrects_id": self.corrects_id,
        }
        message = model_instance(Message, known.keys(), list(known.values()))
        message.quoted_as = hit.standing
        message.conversation = model_instance(
            Conversation,
            ("id", "user_id", "title"),
            (hit.conversation_id, self.user_id, self.title),
        )
        return message


def as_said_message(message: Message) -> SaidMessage:
    """Return a message as the retrieval index stores it; of an unfinished answer its beginning."""
    return SaidMessage(
        user_id=message.user_id,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        number=message.number,
        text=message.content[: settings.MESSAGE_MAX_LENGTH],
        said_at=message.said_at,
        by_user=message.role == Message.Role.USER,
        speaker=message.author,
    )


class RecallMode(Enum):
    """Which messages to retrieve.

    WORDS: messages that share words with the question. MEANING: also those similar in meaning only.
    ELSEWHERE: messages with shared words that are confidential in other conversations, but not
    those of private conversations.
    """

    WORDS = "words"
    MEANING = "meaning"
    ELSEWHERE = "elsewhere"


def passages(
    question: Message, count: int = 3, wanted: RecallMode = RecallMode.WORDS
) -> list[Passage]:
    """Return the user's messages relevant to a question, best first.

    Confidential messages are found only from their own conversation. Left out are the assistant's
    messages, questions, and orders. Pasted text and unchecked claims are passages of their own.
    """
    with statement_pipeline() as send:
        ranked = passages_later(question, question.reading.text, send, wanted)
    return ranked(count)


def passages_later(
    question: Message, read: str, send: SendStatement, wanted: RecallMode = RecallMode.WORDS
) -> Callable[[int], list[Passage]]:
    """Return a function of `count` that returns the passages; its queries are sent in a pipeline
    (`statements.statement_pipeline`). `read` is the text of the question.
    """
    at, but = question.said_at, question.pk
    private = question.conversation.privacy == Conversation.Privacy.PRIVATE
    ranked = rank_passages_later(
        question.user_id, read, send, asked_at=at, but=but, in_private=private
    )
    get_question = cache(lambda: read_question(read, at))
    return lambda count: list(
        islice(_fitting(question, get_question, ranked(), count, wanted), count)
    )


def _fitting(
    question: Message,
    get_question: Callable[[], Question],
    ranked: RankedPassages,
    count: int,
    wanted: RecallMode,
) -> Iterator[Passage]:
    """Yield the passages that may be used in an answer, best first; may be more than `count`."""
    shared = ranked.any_of(_SHARED_WORDS)
    likely = [
        row
        for row in ranked.best[: count + _SPARE]
        if (shared[row] or wanted is RecallMode.MEANING) and ranked.by_somebody(row)
    ]
    at_once = max(_AT_ONCE, count + _EXTRA_HITS)
    for index in range(0, len(likely), at_once):
        some = likely[index : index + at_once]
        quotable = _quotable(question, ranked.keys(some), wanted)
        texts = {key: row.said for key, row in quotable.items()}
        for hit in ranked.hits(some, texts):
            row = quotable[hit.conversation_id, hit.number]
            # Whether a text only asks is slow to compute, so it is computed for as few as needed.
            if not _gives_orders(hit, row):
                changed = replace(hit, outdated=row.outdated) if row.outdated else hit
                for part in _parts(question, get_question, changed, row):
                    if not tells_nothing(part):
                        yield Passage(question.user_id, row.title, part, row.corrects_id)


def _parts(
    question: Message, get_question: Callable[[], Question], hit: Hit, quotable: "_Quotable"
) -> Iterator[Hit]:
    """Yield the quotable parts of a message, one per standing (own, pasted, claim); of several
    parts only the relevant ones.
    """
    if quotable.edited:
        yield replace(hit, text=quotable.edited, standing=TextStanding.EDITED)
        return
    if quotable.forgotten:
        # If the user forgot values of the message, its other clauses are quoted if relevant.
        values = [(value, (start, end)) for start, end, value in json.loads(quotable.forgotten)]
        if not all(_stands_at(hit.text, value, span) for value, span in values):
            return
        text = _near(drop_clauses(hit.text, [span for _, span in values]), get_question)
        if not json.loads(quotable.stretches)[0] and relevance_of(text, get_question()) > 0:
            yield replace(hit, text=text)
        return
    stretches = load_standing_spans(hit.text, quotable.stretches)
    if not stretches:
        yield replace(hit, text=_near(hit.text, get_question)) if len(hit.text) > _WHOLE else hit
        return
    elsewhere = hit.conversation_id != question.conversation_id
    parts = [
        replace(part, text=_near(part.text, get_question))
        for part in collect_quotable_parts(hit.text, stretches, elsewhere=elsewhere)
    ]
    fitting = [part for part in parts if _speaks_of(part, get_question())]
    dated = any(factor.name == "date" and factor.strength > 0 for factor in hit.factors)
    own = [part for part in parts if dated or part.standing == TextStanding.OWN]
    for part in fitting or own:
        yield replace(hit, text=part.text, standing=part.standing)


def _stands_at(text: str, value: str, span: tuple[int, int]) -> bool:
    """Return whether the text at `span` contains all words of a value."""
    there = text[slice(*span)]
    return bool(there) and content_stem_ids(value) <= content_stem_ids(there)


def _near(text: str, get_question: Callable[[], Question]) -> str:
    """Return the sentences of a long text around the words of a question, one per line; its
    beginning if none occurs.
    """
    if len(text) <= _WHOLE:
        return text
    lower, hits_by_part = text.lower(), Counter[int]()
    for word in {word[:_PREFIX_LETTERS] for word in get_question().words}:
        at = (match.start() for match in islice(re.finditer(re.escape(word), lower), _LOOKED_AT))
        hits_by_part.update({position // _PART for position in at})
    best = sorted(index for index, _ in hits_by_part.most_common(_PARTS)) or range(_PARTS)
    return "\n".join(_whole_sentences(text, index * _PART, (index + 1) * _PART) for index in best)


def _whole_sentences(text: str, start: int, end: int) -> str:
    """Return a part of a text extended to whole sentences, unless these are longer."""
    before = max(text.rfind(mark, max(0, start - _PART), start) for mark in _ENDS)
    after = [at for mark in _ENDS if (at := text.find(mark, end, end + _PART)) >= 0]
    return text[before + 1 or start : min(after, default=end) + 1].strip()


def _speaks_of(part: QuotablePart, question: Question) -> bool:
    if part.standing == TextStanding.OWN:
        return relevance_of(part.text, question) > 0
    return asks_for(question, part.text)


class _Quotable(NamedTuple):
    title: str
    confidential: bool
    stretches: str
    corrects_id: UUID | None
    # The user's edited version of the memory made from this message.
    edited: str | None
    # The values in the message that the user forgot, and their positions, as JSON; None for none.
    forgotten: str | None
    # What a later memory or fact says instead of the one made from this message.
    outdated: str
    said: PassageRow


_SINGLE_VALUED = tuple(key for key, slot in SLOTS.items() if not slot.many)
_QUOTABLE = """
select c.title, m.confidential, m.read, m.corrects_id, n.edited, gone.spans,
       later.said, fact.slot, fact.value, fact.former,
       p.message_id, p.conversation_id, p.number, p.speaker, p.by_user, p.said_at,
       -- Here its owner reads what they wrote; a passage has no secret in it.
       case when m.confidential then m.content else p.text end
from unnest(%(conversations)s::text::uuid[], %(numbers)s::text::int[])
     as wanted(conversation, number)
cross join lateral (
    select * from memory_passage
    where user_id = %(user)s and conversation_id = wanted.conversation
      and number = wanted.number offset 0) p
cross join lateral (
    select confidential, content, corrects_id, jsonb_build_array(stretches, pasted)::text as read
    from conversations_message
    where id = p.message_id and user_id = %(user)s offset 0) m
cross join lateral (
    select title, privacy from conversations_conversation
    where id = p.conversation_id and user_id = %(user)s offset 0) c
left join lateral (
    select coalesce(nullif(original, ''), content) as edited from memory_memory
    where user_id = %(user)s and source_message_id = p.message_id
      and source = 'manual' and status = 'active' and char_length(m.content) <= %(short)s
      and char_length(coalesce(nullif(original, ''), content)) >= %(whole)s * char_length(m.content)
    order by created_at desc limit 1) n on true
left join lateral (
    select jsonb_agg(jsonb_build_array(t.start, t."end", f.value))::text as spans
    from memory_mention t join memory_profilefact f on f.id = t.fact_id
    where t.user_id = %(user)s and t.message_id = p.message_id
      and f.status = 'removed') gone on true
left join lateral (
    select coalesce(nullif(new.original, ''), new.content) as said
    from memory_memory old join memory_memory new on new.id = old.superseded_by_id
    where old.user_id = %(user)s and old.source_message_id = p.message_id
      and old.status = 'superseded' and new.status = 'active'
      and new.source_message_id is distinct from p.message_id
    order by new.said_at desc limit 1) later on true
left join lateral (
    select old.slot, new.value, old.value as former
    from memory_mention t
    join memory_profilefact old
      on old.id = t.fact_id and old.status in ('past', 'set_aside')
    left join memory_profilefact new
      on new.user_id = %(user)s and new.slot = old.slot and new.status = 'current'
        and old.slot = any(%(single)s::text[])
    where t.user_id = %(user)s and t.message_id = p.message_id
      -- What tells both values, or the end itself, is not outdated.
      and t.said_at < old.valid_to
      and not exists (
          select from memory_mention where fact_id = new.id and message_id = p.message_id)
    order by old.valid_to desc limit 1) fact on true
where (m.confidential and p.conversation_id <> %(here)s) = %(elsewhere)s
  -- A conversation that its owner marked private is not even named elsewhere.
  and not (%(elsewhere)s and c.privacy = 'private')
  -- What its owner took back is no answer, where they said it either: as
  -- memory.notes.retracted_messages has it, in one statement. A note goes with its fact: of
  -- that message the other clauses are left.
  and (gone.spans is not null or not exists (
    select from memory_memory
    where user_id = %(user)s and source_message_id = p.message_id
      and status = 'removed' and char_length(m.content) <= %(short)s
      and char_length(coalesce(nullif(original, ''), content))
          >= %(whole)s * char_length(m.content)))
"""


def read_outdated(question: Message, messages: Sequence[Message]) -> dict[UUID, str]:
    """Return by message id the current statement that replaces a message; '' if it still holds."""
    keys = [(message.conversation_id, message.number) for message in messages]
    quotable = _quotable(question, keys, RecallMode.WORDS)
    return {
        message.pk: quotable[key].outdated
        for message, key in zip(messages, keys, strict=True)
        if key in quotable
    }


def _quotable(
    question: Message, keys: Sequence[PassageKey], wanted: RecallMode
) -> dict[PassageKey, _Quotable]:
    """Return the messages that may be quoted here (with ELSEWHERE: that may not), with conversation
    titles.
    """
    values = {
        "user": question.user_id,
        "here": question.conversation_id,
        "elsewhere": wanted is RecallMode.ELSEWHERE,
        "short": SHORT_LINE,
        "whole": WHOLE_NOTE,
        "conversations": array_literal(conversation for conversation, _ in keys),
        "numbers": array_literal(number for _, number in keys),
        "single": array_literal(_SINGLE_VALUED),
    }
    rows = fetch_rows(_QUOTABLE, values)
    return {
        row[11:13]: _Quotable(*row[:6], _outdated(*row[6:10]), row[10:])  # type: ignore[call-arg]
        for row in rows
    }


def _outdated(note: str | None, slot: str | None, value: str | None, former: str | None) -> str:
    """Return the current statement that replaces a message; '' if the message still holds."""
    if slot is None or slot not in SLOTS:
        return f"replaced by: {note}" if note else ""
    if value is None:
        return f"no longer: {SLOTS[slot].note.format(value=former)}"
    return f"replaced by: {SLOTS[slot].note.format(value=value)}"


def _gives_orders(hit: Hit, quotable: _Quotable) -> bool:
    """Return whether a message is confidential because it gives orders to the assistant; such a
    message is no answer. Messages with orders are always confidential, so others need not be read.
    """
    return quotable.confidential and judge_instruction_by_rule(hit.text).grave


def tells_nothing(hit: Hit) -> bool:
    """Return whether the author only asked, gave an order, or said yes or no; False for replayed
    dialogues.
    """
    if hit.speaker:
        return False
    text = hit.text
    if read_yes_or_no(text) is not None or Reading(text).only_forgets:
        return True
    return text.rstrip().endswith("?") or (
        len(text) <= MAX_INTENT_LENGTH and is_all_marked_questions(text)
    )


def shares_words(hit: Hit) -> bool:
    """Return whether a passage shares words or a date with the question, or is next to one that
    does.
    """
    return any(factor.name in _SHARED_WORDS and factor.strength > 0 for factor in hit.factors)
