"""Finding what was said: a person's own messages, ranked by the rarity of the words they share.

A first form: candidates by any shared word, a fine score over a bounded number of them.
"""

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import F, Q

from conversations.models import Message

# What a question is made of, besides what it asks about.
_STOP = frozenset(
    """
    a about after all also am an and any are as at be been before being both but by can
    could did do does doing for from get got had has have having he her here hers him his
    how i if in into is it its just let me more most my no nor not of off on once only or
    other our out over own said same say she should so some such tell than that the their
    them then there these they this those through to too under until up us very was we were
    what when where which while who whom whose why will with would you your yours don't
    again ever really remember know talk talked tell told last
    """.split()
)
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")

# How many rows the database hands over for the fine score, and BM25's usual constants.
CANDIDATES = 200
_K1, _B = 1.2, 0.75
# A turn is understood from the one before it; its words count for a part (measured on dialogues).
_PREVIOUS = 0.6


@dataclass(frozen=True)
class Passage:
    """A message that bears on a question; `score` orders passages of one search only."""

    message: Message
    score: float


def terms(text: str) -> list[str]:
    """The words of a text that carry its subject, in lower case, possessives cut."""
    found = (word.removesuffix("'s") for word in _WORD.findall(text.lower().replace("’", "'")))
    return [word for word in found if word not in _STOP and len(word) > 1]


def passages(
    user_id: UUID,
    question: str,
    *,
    here: UUID | None = None,
    but: UUID | None = None,
    count: int = 3,
) -> list[Passage]:
    """The messages of this person that share the question's rarest words, best first.

    What is confidential is found only from `here`, its own conversation. `but` is a message to
    leave out, usually the question itself. Two reads, both by owner.
    """
    wanted = list(dict.fromkeys(terms(question)))
    if not wanted:
        return []
    found = _candidates(user_id, wanted, here, but)
    before = _turns_before(user_id, found)
    texts = {m.pk: Counter(_stems(m.content)) for m in (*before.values(), *found)}
    weights = _rarity([_stem(word) for word in wanted], [texts[message.pk] for message in found])
    average = sum(sum(texts[m.pk].values()) for m in found) / max(1, len(found))
    ranked = []
    for message in found:
        context = before.get((message.conversation_id, message.number))
        counts: dict[str, float] = defaultdict(float, texts[message.pk])
        if context is not None:
            for word, n in texts[context.pk].items():
                counts[word] += _PREVIOUS * n
        score = _bm25(counts, weights, average) + _speaker_bonus(message, question)
        ranked.append(Passage(message, score))
    ranked.sort(key=lambda p: (-p.score, p.message.said_at))
    return ranked[:count]


def _candidates(
    user_id: UUID, wanted: list[str], here: UUID | None, but: UUID | None
) -> list[Message]:
    query = SearchQuery(wanted[0], config="english", search_type="plain")
    for word in wanted[1:]:
        query |= SearchQuery(word, config="english", search_type="plain")
    rows = (
        Message.objects.for_user(user_id)
        .filter(words=query)
        .filter(Q(role=Message.Role.USER) | ~Q(author=""))
        .filter(Q(confidential=False) | Q(conversation_id=here))
        # A message not yet read for what is confidential is not quoted either.
        .filter(~Q(role=Message.Role.USER) | Q(learned_at__isnull=False) | Q(conversation_id=here))
        # What was asked here before tells nothing new; a played-back dialogue's questions do.
        .exclude(author="", content__endswith="?")
        .annotate(rank=SearchRank(F("words"), query))
        .select_related("conversation")
        .defer("words")
        .order_by("-rank")
    )
    if but is not None:
        rows = rows.exclude(pk=but)
    return list(rows[:CANDIDATES])


def _turns_before(user_id: UUID, found: list[Message]) -> dict[tuple[UUID, int], Message]:
    """For each found message the one before it, keyed by (conversation, number of the found)."""
    if not found:
        return {}
    places = Q()
    for message in found:
        places |= Q(conversation_id=message.conversation_id, number=message.number - 1)
    rows = Message.objects.for_user(user_id).filter(places).defer("words")
    return {(row.conversation_id, row.number + 1): row for row in rows}


def _bm25(counts: dict[str, float], weights: dict[str, float], average: float) -> float:
    length = sum(counts.values())
    norm = _K1 * (1 - _B + _B * length / max(average, 1.0))
    return sum(
        weight * counts[word] * (_K1 + 1) / (counts[word] + norm)
        for word, weight in weights.items()
        if counts.get(word)
    )


def _rarity(wanted: list[str], documents: list[Counter[str]]) -> dict[str, float]:
    """idf over the candidates: a word in every one of them tells nothing."""
    total = len(documents)
    rarity = {}
    for word in wanted:
        holding = sum(1 for document in documents if document[word])
        rarity[word] = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
    return rarity


def _speaker_bonus(message: Message, question: str) -> float:
    """A played-back dialogue names its speakers; a question about one means what that one said."""
    return 1.0 if message.author and message.author.lower() in question.lower() else 0.0


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in terms(text)]


def _stem(word: str) -> str:
    """A light stem, enough to bring 'groups', 'painted' and 'painting' together."""
    for ending in ("ings", "ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
    return word.removesuffix("e") if len(word) > 4 else word
