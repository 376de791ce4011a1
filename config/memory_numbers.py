"""The numbers by which memory works: what is trusted, kept, asked about, and put in a prompt.

They are settings (`settings.MEMORY`, …); no environment changes them but the room in a prompt.
"""

from typing import Any

MEMORY: dict[str, Any] = {
    # Trust: `t += agreement·(1 - t)`, `t -= drift·distance`; what is above may enter the profile.
    "agreement_step": 0.1,
    "drift_step": 0.2,
    "promotion_trust": 0.85,
    "manual_trust": 1.0,
    # Trust at birth, where the wording itself does not say (the patterns do for what is typed).
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
    # Belief `w = α·trust + (1 - α)·confidence`; recency halves every so many days, None never.
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
    # How sure a reading must be to be kept.
    "confidence_floor": 0.5,
    "trust_floor": 0.35,
    "remarks_a_message": 3,
    # How many seconds after a turn a connected language model reads it: later messages go with it.
    "reflection_delay": 2.0,
    # Settling by rule: `0.6·trust + 0.2·confidence + 0.2·recency`; closer than this is asked about.
    "settle_weights": {"trust": 0.6, "confidence": 0.2, "recency": 0.2},
    "settle_half_life_days": 180.0,
    "settle_margin": 0.1,
    # For how many days a settled contradiction can be opened again.
    "undo_days": 30,
    # What was taken out so many days after it was noted should not have been noted.
    "regret_days": 7,
    # Fewer decisions than this teach nothing about what belongs in a profile.
    "classifier_least": {"decisions": 200, "of_either_kind": 30, "people": 5},
    # What a prompt may hold of what is noted: so many facts and notes, so many characters and
    # tokens of them, fence and headings included, and so many of the latest summaries.
    "injected_memories": 15,
    "injected_characters": 1200,
    "injected_tokens": 500,
    "injected_summaries": 3,
    # Of what is due in so many days so many notes.
    "coming_up_days": 10,
    "coming_up": 4,
    # And of what was said before: so many messages, so many tokens of them, each whole up to so
    # many characters, and those that fit best up to more.
    "quotes": 20,
    "quote_tokens": 700,
    "quote_characters": 300,
    "best_quote_characters": 500,
    # A person's notes: how many in use, and after how many days without use they fade.
    "capacity": 200,
    "decay_days": 30,
    "stale_days": 180,
    # For so many days after it was made a note is not proposed to be tidied away.
    "fresh_days": 7,
    # An operation on memory that takes longer is told in the log, in milliseconds.
    "slow_ms": 100.0,
    # For how many days the traces of operations, and the log of changes, are kept.
    "traces_days": 14,
    "changes_days": 7,
    # How long a conversation rests before it is read for topics again and for lessons, in seconds.
    "rest_delay": 300.0,
}
# What people of one persona learn from each other.
COHORT: dict[str, Any] = {
    # A lesson is visible once so many people of so many organisations support it.
    "people": 3,
    "organisations": 2,
    # How many lessons one account may support anew in a day.
    "supports_a_day": 20,
    # The shared block of a persona, and what a prompt holds of all of somebody's blocks.
    "block_characters": 8000,
    "prompt_characters": 2000,
    # What a lesson counts beside one of the person's own persona, by where it comes from.
    "weights": {"persona": 1.0, "role": 0.8, "industry": 0.7, "global": 0.5, "borrowed": 0.4},
    # What was last confirmed so long ago counts half; after so many days it fades altogether.
    "half_life_days": 90.0,
    "fades_after_days": 365,
    # From this nearness in meaning on two lessons of one persona are one.
    "same_lesson": 0.93,
    # How sure a match has to be to be asked about: a persona is never taken without a yes.
    "ask_from": 0.5,
}
MESSAGE_MAX_LENGTH = 20_000
# Every so many messages of a conversation are summed up; the summary and the messages after it are
# what an answer reads of the talk so far.
COMPACT_EVERY = 25
# Messages after the summary that a prompt takes: more wait only while nobody sums them up.
HISTORY_MESSAGES = 2 * COMPACT_EVERY - 1
