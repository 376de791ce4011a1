"""Choosing earlier messages to quote in a prompt: the most relevant of several conversations."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.conf import settings

from memory.context.prompt_items import PromptItem, quote_item
from memory.language.text import token_count
from memory.retrieval.relevance import Question, ScoredQuote

# Quotes per conversation before others have their turn; fewer if spread over many times.
MOST_OF_A_TALK, MOST_OF_A_TALK_BY_TIME = 6, 3
# The first quotes are likely to be the answer, so these may be longer.
_BEST = 5
# The least relevance of a quote, relative to the best one.
_FITS_FROM = 0.35
# Tokens beside the words of quotes: the heading, each day and each list mark.
_HEADING, _DAY, _MARK = 24, 8, 3


def choose_quotes(
    quotes: Sequence[ScoredQuote],
    question: Question,
    *,
    by_time: bool = False,
    share: float = 1.0,
) -> list[PromptItem]:
    """Return the quotes that fit, best first, within this share of the settings' budget.

    `by_time` spreads them over many times.
    """
    numbers = settings.MEMORY
    most, room = int(numbers["quotes"]), int(numbers["quote_tokens"] * share) - _HEADING
    whole, whole_of_the_best = numbers["quote_characters"], numbers["best_quote_characters"]
    chosen: list[PromptItem] = []
    days: set[date | None] = set()
    for quote in _in_order(quotes, by_time=by_time):
        if len(chosen) >= most or room <= _MARK:
            break
        longest = int(whole_of_the_best if len(chosen) < _BEST else whole)
        item = quote_item(quote, question, longest)
        cost = token_count.count_tokens(f"{item.by}: {item.line}") + _MARK
        cost += _DAY if item.on not in days else 0
        if cost <= room:
            chosen.append(item)
            days.add(item.on)
            room -= cost
    return chosen


def _in_order(quotes: Sequence[ScoredQuote], *, by_time: bool) -> list[ScoredQuote]:
    """Return the quotes by relevance, those beyond the limit of their conversation last."""
    most = MOST_OF_A_TALK_BY_TIME if by_time else MOST_OF_A_TALK
    first: list[ScoredQuote] = []
    rest: list[ScoredQuote] = []
    of_talk: Counter[UUID] = Counter()
    worth = {quote.hit.message_id: _worth(quote, by_time=by_time) for quote in quotes}
    least = _FITS_FROM * max(worth.values(), default=0.0)
    for quote in sorted(quotes, key=lambda quote: -worth[quote.hit.message_id]):
        if worth[quote.hit.message_id] < least:
            break
        of_talk[quote.hit.conversation_id] += 1
        within = of_talk[quote.hit.conversation_id] <= most
        (first if within else rest).append(quote)
    return first + rest


def _worth(quote: ScoredQuote, *, by_time: bool) -> float:
    """Return the worth of a quote: similarity times belief; recency is part of similarity."""
    fits = quote.score.similarity
    if by_time and quote.hit.score > 0:
        recent = sum(factor.adds for factor in quote.reasons if factor.name == "recent")
        fits *= 1 - recent / quote.hit.score
    return fits * quote.score.belief
