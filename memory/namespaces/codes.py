"""Short codes for what is said again and again, each with the sentence that it stands for.

A code is an English word or two, so that a language model reads it without a legend.
"""

from enum import StrEnum


class Relation(StrEnum):
    """What somebody is to the person."""

    WORK = "work"
    BOSS = "manager"
    REPORT = "report"
    CLIENT = "client"
    PARTNER = "partner"
    FAMILY = "family"
    FRIEND = "friend"
    OTHER = "other"


class Trait(StrEnum):
    """How working with somebody goes."""

    BOTTLENECK = "blocks"
    COORDINATE = "align"
    SUPPORTIVE = "helps"
    MENTOR = "coach"
    DECIDES = "leads"
    EXPERT = "expert"
    UNRELIABLE = "late"
    DEMANDING = "strict"


class Level(StrEnum):
    """How far from the single step a conversation is held."""

    IDENTITY = "identity"
    STRATEGY = "strategy"
    PROJECT = "project"
    TASK = "task"


class SignalKind(StrEnum):
    """What a message gives away about how its writer is doing."""

    CONFUSED = "confused"
    FRUSTRATED = "frustrated"
    HURRIED = "hurried"
    UNCERTAIN = "uncertain"
    STUCK = "stuck"
    DRIFTING = "drifting"
    DECIDED = "decided"
    PLEASED = "pleased"


class Route(StrEnum):
    """Who answers."""

    NOTEBOOK = "notebook"
    MODEL = "model"
    TOOL = "tool"
    ASK = "ask"
    STAFF = "staff"


class Outcome(StrEnum):
    """How it went."""

    WORKED = "worked"
    FAILED = "failed"
    MIXED = "mixed"
    OPEN = "open"


class State(StrEnum):
    """Where a line of work, or a gate, stands."""

    OPEN = "open"
    ACTIVE = "active"
    PAUSED = "paused"
    DONE = "done"
    REFUSED = "refused"


# What each pattern or strategy code stands for. Others may be used; they bring their own text.
PATTERN_CODES: dict[str, str] = {
    "timeboxing": "Uses timeboxing: sets a fixed amount of time for a task before beginning it",
    "exit_criteria": "Sets clear exit criteria, and says beforehand when something counts as done",
    "batching": "Does small tasks of one kind together instead of one after another as they come",
    "overcommits": "Takes on more work than fits into the time that there is",
    "avoids_conflict": "Puts off conversations that could become unpleasant",
    "details_first": "Looks at the details before the whole, and loses sight of the aim",
    "thinks_aloud": "Comes to a decision while talking about it rather than beforehand",
    "morning_focus": "Does demanding work best in the morning and is tired by the afternoon",
    "deadline_driven": "Begins only when the deadline is close, and then works very fast",
    "wants_options": "Wants to see several options side by side before deciding on one",
    "needs_decomp": "Complex problems need decomposition into parts that are solved one by one",
    "quick_answer": "Simple questions want a fast response without any explanation",
    "verify_high_stakes": "High-stakes answers need verification before they are given",
    "escalate_uncertain": "Escalate to a stronger model or to a person when uncertain",
    "deescalate_obvious": "De-escalate to the cheapest way of answering when it is obvious",
    "ask_first": "Ask one short question back before beginning to answer",
    "show_evidence": "Show the evidence beside the answer so that it can be checked",
}

RELATION_WORDS = {
    Relation.WORK: "a work colleague",
    Relation.BOSS: "the person's manager",
    Relation.REPORT: "somebody who reports to the person",
    Relation.CLIENT: "a client",
    Relation.PARTNER: "the person's partner",
    Relation.FAMILY: "a member of the family",
    Relation.FRIEND: "a friend",
    Relation.OTHER: "somebody the person knows",
}
TRAIT_WORDS = {
    Trait.BOTTLENECK: "often blocks progress",
    Trait.COORDINATE: "needs coordination",
    Trait.SUPPORTIVE: "is ready to help",
    Trait.MENTOR: "gives advice that is followed",
    Trait.DECIDES: "has the last word in decisions",
    Trait.EXPERT: "knows the subject very well",
    Trait.UNRELIABLE: "often delivers later than promised",
    Trait.DEMANDING: "expects a great deal",
}
SIGNAL_WORDS = {
    SignalKind.CONFUSED: "did not understand the answer",
    SignalKind.FRUSTRATED: "was frustrated",
    SignalKind.HURRIED: "was in a hurry",
    SignalKind.UNCERTAIN: "was uncertain about what to do",
    SignalKind.STUCK: "did not get any further",
    SignalKind.DRIFTING: "was drifting away from the subject",
    SignalKind.DECIDED: "had come to a decision",
    SignalKind.PLEASED: "was pleased with the answer",
}
ROUTE_WORDS = {
    Route.NOTEBOOK: "the notebook without a language model",
    Route.MODEL: "the language model",
    Route.TOOL: "a tool",
    Route.ASK: "a question back to the person",
    Route.STAFF: "a member of staff",
}
OUTCOME_WORDS = {
    Outcome.WORKED: "this worked",
    Outcome.FAILED: "this did not work",
    Outcome.MIXED: "this worked in part",
    Outcome.OPEN: "how it went is not known yet",
}
