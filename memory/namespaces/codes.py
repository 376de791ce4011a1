"""Short codes with what they stand for: English words, that a model reads without a legend."""

from enum import StrEnum
from typing import Self


class WordedCode(StrEnum):
    """Codes that are told in a sentence by words of their own."""

    words: str

    def __new__(cls, code: str, words: str) -> Self:
        """A member is its code."""
        made = str.__new__(cls, code)
        made._value_, made.words = code, words
        return made


class Relation(WordedCode):
    """What somebody is to the person."""

    WORK = "work", "a work colleague"
    BOSS = "manager", "the person's manager"
    REPORT = "report", "somebody who reports to the person"
    CLIENT = "client", "a client"
    PARTNER = "partner", "the person's partner"
    FAMILY = "family", "a member of the family"
    FRIEND = "friend", "a friend"
    OTHER = "other", "somebody the person knows"


class Trait(WordedCode):
    """How working with somebody goes."""

    BOTTLENECK = "blocks", "often blocks progress"
    COORDINATE = "align", "needs coordination"
    SUPPORTIVE = "helps", "is ready to help"
    MENTOR = "coach", "gives advice that is followed"
    DECIDES = "leads", "has the last word in decisions"
    EXPERT = "expert", "knows the subject very well"
    UNRELIABLE = "late", "often delivers later than promised"
    DEMANDING = "strict", "expects a great deal"


class Level(StrEnum):
    """How far from the single step a conversation is held."""

    IDENTITY = "identity"
    STRATEGY = "strategy"
    PROJECT = "project"
    TASK = "task"


class SignalKind(WordedCode):
    """What a message gives away about how its writer is doing."""

    CONFUSED = "confused", "did not understand the answer"
    FRUSTRATED = "frustrated", "was frustrated"
    HURRIED = "hurried", "was in a hurry"
    UNCERTAIN = "uncertain", "was uncertain about what to do"
    STUCK = "stuck", "did not get any further"
    DRIFTING = "drifting", "was drifting away from the subject"
    DECIDED = "decided", "had come to a decision"
    PLEASED = "pleased", "was pleased with the answer"


class Route(WordedCode):
    """Who answers."""

    NOTEBOOK = "notebook", "the notebook without a language model"
    MODEL = "model", "the language model"
    TOOL = "tool", "a tool"
    ASK = "ask", "a question back to the person"
    STAFF = "staff", "a member of staff"


class Outcome(WordedCode):
    """How it went."""

    WORKED = "worked", "this worked"
    FAILED = "failed", "this did not work"
    MIXED = "mixed", "this worked in part"
    OPEN = "open", "how it went is not known yet"


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
