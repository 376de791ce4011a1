"""A conversation's summary, kept as a note: one at a time, and its owner's word is the last."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils.timezone import now

from memory.core import allowances
from memory.core.persistence_gate import PersistenceRequest, RecordKind, decide_persistence
from memory.core.scope import Scope
from memory.language.origin import Origin
from memory.language.safety import guard
from memory.language.text import dedup, terms
from memory.models import CONTENT_LENGTH, Memory, ProfileFact
from memory.notes.note_gate import NotKept, why_not
from memory.notes.note_store import findable_columns

Status = Memory.Status


def keep_summary(
    scope: Scope,
    text: str,
    *,
    original: str = "",
    source: ProfileFact.Source = ProfileFact.Source.REFLECTION,
    origin: Origin = Origin.TYPED,
) -> Memory:
    """Keep one summary for the scope's conversation; a later one takes the place of its words.

    `original` holds the sentences it was made from, if it was. A summary is made from the
    conversation and can be made again, so no earlier one is kept.
    Raises NotKept for a text that may not be kept, and where the person wrote the summary anew,
    paused it or took it back: theirs is the last word.
    """
    # Shortened, much reads like an order: judged are the words as they were said.
    request = PersistenceRequest(
        RecordKind.SUMMARY, origin=origin, secret=guard.holds_a_secret(original or text)
    )
    allowed = scope.allowed or allowances.allowances_of(scope.user_id, scope.conversation_id)
    decision = decide_persistence(request, allowed)
    if not decision.kept:
        raise NotKept(decision.reason)
    if reason := why_not(original or text):
        raise NotKept(reason)
    if _decided_by_hand(scope):
        raise NotKept("Its owner has decided what this conversation's summary is.")
    content = text.strip()[:CONTENT_LENGTH]
    meaning = terms.meaning_vectors([content])[0]
    summary, _ = Memory.objects.update_or_create(
        user_id=scope.user_id,
        source_conversation_id=scope.conversation_id,
        category=Memory.Category.SUMMARY,
        status=Status.ACTIVE,
        defaults={
            "kind": Memory.Kind.EPISODIC,
            "mode": Memory.Mode.COMPRESSED,
            "content": content,
            "content_key": dedup.make_content_key(content)[:CONTENT_LENGTH],
            "original": original,
            "trust": settings.MEMORY["trust_reflection"],
            "confidence": 0.9,
            "source": source,
            "origin": origin,
            "said_at": scope.said_at,
            **findable_columns(content, meaning),
        },
    )
    return summary


def summary_is_by_model(user_id: UUID, conversation_id: UUID) -> bool:
    """Whether a conversation's summary in use was written by a language model."""
    notes = Memory.objects.for_user(user_id).active().filter(origin=Origin.MODEL)
    notes = notes.filter(source_conversation=conversation_id, category=Memory.Category.SUMMARY)
    return notes.exists()


def untold_sentences(user_id: UUID, sentences: Sequence[str]) -> list[str]:
    """Those of some sentences that no note says, whatever became of the note."""
    notes = Memory.objects.for_user(user_id).exclude(category=Memory.Category.SUMMARY)
    told = [original or content for content, original in notes.values_list("content", "original")]
    keys = [dedup.make_content_key(text) for text in told]
    return [
        sentence
        for sentence in sentences
        if not any(
            dedup.says_the_same(sentence, told[position])
            for position in dedup.likely(dedup.make_content_key(sentence), keys)
        )
    ]


def _decided_by_hand(scope: Scope) -> bool:
    summaries = Memory.objects.for_user(scope.user_id).filter(
        source_conversation_id=scope.conversation_id, category=Memory.Category.SUMMARY
    )
    return summaries.filter(
        Q(status__in=[Status.PAUSED, Status.REMOVED])
        | Q(status=Status.ACTIVE, source=Memory.Source.MANUAL)
    ).exists()


def drop_summary(user_id: UUID, conversation_id: UUID) -> None:
    """What it was made of may not be told any more; it can be made again of the rest."""
    drop_summaries_of(user_id, [conversation_id])


def drop_summaries_of(user_id: UUID, conversations: Collection[UUID]) -> set[UUID]:
    """The same for several; returns the conversations that had one."""
    notes = Memory.objects.for_user(user_id).active().exclude(source=Memory.Source.MANUAL)
    notes = notes.filter(source_conversation__in=conversations, category=Memory.Category.SUMMARY)
    talks = notes.values_list("source_conversation", flat=True)
    had_one = {key for key in talks if key is not None}
    notes.update(status=Status.RETIRED, ended_at=now())
    return had_one
