"""The parameters of memory: thresholds, weights, limits and periods.

They are settings (`settings.MEMORY`, …). Only the prompt's limits have environment variables.
"""

from typing import Any

MEMORY: dict[str, Any] = {
    # Trust: `t += agreement·(1 - t)`, `t -= drift·distance`; above the threshold it may be
    # promoted.
    "agreement_step": 0.1,
    "drift_step": 0.2,
    "promotion_trust": 0.85,
    "manual_trust": 1.0,
    # Initial trust by origin, unless the pattern of a typed sentence sets it.
    "trust_by_origin": {
        "typed": 0.90,
        "pasted": 0.50,
        "tool": 0.50,
        "assistant": 0.50,
        "imported": 0.80,
        "model": 0.60,
    },
    "trust_implied": 0.70,
    "trust_fallback": 0.40,
    "trust_reflection": 0.50,
    # Belief `w = α·trust + (1 - α)·confidence`; half-lives of recency in days, None for no decay.
    "alpha": 0.7,
    "half_life_days": {
        "profile": None,
        "style": None,
        "preference": 365.0,
        "fact": 180.0,
        "topic": 60.0,
        "summary": 60.0,
        "passage": 365.0,
    },
    "recency_floor": 0.5,
    # Minimum confidence and trust of a candidate.
    "confidence_floor": 0.5,
    "trust_floor": 0.35,
    "remarks_a_message": 3,
    # Seconds after a turn until a language model reads it, together with later messages.
    "reflection_delay": 2.0,
    # Automatic settling: `0.6·trust + 0.2·confidence + 0.2·recency`; closer scores wait for the
    # user.
    "settle_weights": {"trust": 0.6, "confidence": 0.2, "recency": 0.2},
    "settle_half_life_days": 180.0,
    "settle_margin": 0.1,
    # Days for which a resolution can be undone.
    "undo_days": 30,
    # A fact removed within this many days counts as wrongly learned.
    "regret_days": 7,
    # Minimum decisions and users for training a profile classifier.
    "classifier_least": {"decisions": 200, "of_either_kind": 30, "people": 5},
    # Limits of facts and memories in a prompt: items, characters and tokens including headings,
    # and the latest summaries.
    "injected_memories": 15,
    "injected_characters": 1200,
    "injected_tokens": 500,
    "injected_summaries": 3,
    # Memories due within this many days, and how many of them.
    "coming_up_days": 10,
    "coming_up": 4,
    # Limits of quoted messages in a prompt: messages, tokens, characters of each message, and
    # characters of the best matches.
    "quotes": 20,
    "quote_tokens": 700,
    "quote_characters": 300,
    "best_quote_characters": 500,
    # A user's active memories: maximum number, and after how many days without use they decay.
    "capacity": 200,
    "decay_days": 30,
    "stale_days": 180,
    # Days after creation in which a memory is not proposed for cleanup.
    "fresh_days": 7,
    # Slower memory operations are logged; in milliseconds.
    "slow_ms": 100.0,
    # Days for which traces of operations, and the change feed, are stored.
    "traces_days": 14,
    "changes_days": 7,
    # Seconds of inactivity before a conversation is read for topics and lessons.
    "rest_delay": 300.0,
}
# Lessons shared among users of one persona.
COHORT: dict[str, Any] = {
    # Supporting users and organisations that make a lesson visible.
    "people": 3,
    "organisations": 2,
    # How many lessons one user may newly support in a day.
    "supports_a_day": 20,
    # Characters of a persona's shared block, and of all blocks of a user in a prompt.
    "block_characters": 8000,
    "prompt_characters": 2000,
    # The weight of a lesson by its relation to the user's persona.
    "weights": {"persona": 1.0, "role": 0.8, "industry": 0.7, "global": 0.5, "borrowed": 0.4},
    # The half-life of a lesson since its last confirmation; after more days it is not used.
    "half_life_days": 90.0,
    "fades_after_days": 365,
    # Lessons of a persona with at least this cosine similarity are the same.
    "same_lesson": 0.93,
    # The minimum score for suggesting a persona, which the user then has to accept.
    "ask_from": 0.5,
}
MESSAGE_MAX_LENGTH = 20_000
# How many messages are summarised at once; an answer uses the summary and the messages
# after it.
COMPACT_EVERY = 25
# Messages after the summary in a prompt: there are more only if summarising is delayed.
HISTORY_MESSAGES = 2 * COMPACT_EVERY - 1
