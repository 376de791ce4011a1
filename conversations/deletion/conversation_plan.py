"""What a deletion of conversations removes: counts for the preview and the receipt, and the
verification of a finished deletion.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef

from accounts.models import User
from conversations.deletion import learned_only_there, quoted_answers
from conversations.models import Conversation, ConversationTopic, Message, MessageQuerySet, Topic
from ledger import erasure
from ledger.models import Erasure
from ledger.verification import judging, kinds, receipts
from ledger.verification.search import search
from memory.deletion.evidence import MADE_SUMMARY
from memory.deletion.sought import ErasurePart, ErasureTarget, distinctive_sentences
from memory.models import LessonSupport, Memory, Override, Passage

Take = Callable[[UUID], bool]
# How many sentences identify entries and blocks that repeat deleted text; and how many sentences
# and keys the verification searches for.
_SENTENCES, _SAMPLE = 1_000, 24
_PIECE_LENGTH = 500
# Other rows that may repeat a deleted sentence word for word and are deleted too.
_REPEATING = ("entries_hot", "entries_warm", "entries_cold", "blocks", "copies", "legacy")

_STAYS: Mapping[str, int | None] = {"elsewhere": None, "history": None, "backups": None}


@dataclass(frozen=True)
class Plan:
    """What a deletion removes: counts by kind, other rows that repeat its sentences, and the
    erasure target (the texts to search for afterwards).
    """

    counts: dict[str, int]
    parts: Sequence[ErasurePart]
    marks: ErasureTarget
    # What stays, by kind; the count, or None where it is unknown.
    stays: Mapping[str, int | None]


def plan(
    user: User,
    going: Sequence[Conversation],
    messages: MessageQuerySet,
    take: Take,
    take_answers: Take,
) -> Plan:
    """Return what deleting the conversations `going` would remove; nothing is changed. `take` and
    `take_answers` choose the learned items, and the answers quoting the messages, to delete.
    """
    sentences = _sentences(messages)
    learned = learned_only_there.only_from(user.pk, messages)
    repeating = erasure.find_erasure_parts(user.pk, ErasureTarget(sentences=sentences))
    parts = [part for part in repeating if part.kind in _REPEATING]
    keys = messages.order_by("number").values_list("pk", flat=True)[:_SAMPLE]
    counts = kinds.added(
        _rows_of(user, going, messages),
        erasure.counts_of_all(user.pk, *learned.going(take)),
        {"answers": _answers(user, messages, take_answers)},
        *({part.kind: part.count} for part in parts),
    )
    named = [*(conversation.pk for conversation in going[:_SAMPLE]), *keys]
    marks = ErasureTarget(sentences=sentences[:_SAMPLE], keys=frozenset(map(str, named)))
    kept = sum(not take(item.id) for item in learned.items)
    stays = {**_STAYS, "kept": kept} if kept else _STAYS
    return Plan(counts, parts, marks, stays)


def added_marks(before: ErasureTarget, later: ErasureTarget) -> ErasureTarget:
    """Return a target with a sample of the sentences and keys of both."""
    sentences = distinctive_sentences([*before.sentences, *later.sentences], _SAMPLE)
    keys = sorted(before.keys | later.keys)[: 2 * _SAMPLE]
    return ErasureTarget(sentences=sentences, keys=frozenset(keys))


def receipt(user: User, subject: UUID, counts: Mapping[str, int], marks: ErasureTarget) -> Erasure:
    """Verify a finished deletion and store the receipt of the deletion."""
    result = search(user.pk, marks, judging.of_a_conversation(user.pk))
    return receipts.write(user.pk, receipts.Kind.CONVERSATION, subject, counts, result)


def _rows_of(
    user: User, going: Sequence[Conversation], messages: MessageQuerySet
) -> dict[str, int]:
    """Count the rows that belong to the conversations themselves, by kind."""
    keys = [conversation.pk for conversation in going]
    elsewhere = ConversationTopic.objects.filter(topic=OuterRef("pk"))
    elsewhere = elsewhere.exclude(conversation__in=keys)
    topics = Topic.objects.filter(user=user, conversations__conversation__in=keys)
    summaries = Memory.objects.for_user(user.pk).filter(source_conversation__in=keys)
    return {
        "conversations": len(going),
        "messages": messages.exclude(state=Message.State.REMOVED).count(),
        "passages": Passage.objects.filter(user=user, message__in=messages).count(),
        "summaries": summaries.filter(MADE_SUMMARY).count(),
        "long_summaries": sum(bool(conversation.compact_summary) for conversation in going),
        "here_only": Override.objects.filter(user=user, conversation__in=keys).count(),
        "topics": topics.exclude(Exists(elsewhere)).distinct().count(),
        "lessons": LessonSupport.objects.filter(user=user, conversation__in=keys).count(),
    }


def _answers(user: User, messages: MessageQuerySet, take: Take) -> int:
    quoting = quoted_answers.answers_that_quote(user.pk, messages, whole=True)
    return sum(take(answer.pk) for answer in quoting)


def _sentences(messages: MessageQuerySet) -> tuple[str, ...]:
    """Return the longest sentences of the messages, a bounded number."""
    best: tuple[str, ...] = ()
    piece: list[str] = []
    for content in messages.values_list("content", flat=True).iterator(_PIECE_LENGTH):
        piece.append(content)
        if len(piece) == _PIECE_LENGTH:
            best, piece = distinctive_sentences([*best, *piece], _SENTENCES), []
    return distinctive_sentences([*best, *piece], _SENTENCES)
