"""Questions about two values that wait for their owner: that they do, and the way to each."""

import re
from collections.abc import Sequence

from django.db.models import Q
from django.urls import reverse

from conversations.learning import open_questions
from conversations.markdown import literal
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from ledger.models import Contradiction
from ledger.web import present
from memory.language import content_words
from memory.models import ProfileFact

_LATER = re.compile(
    r"\b(?:later|another (?:time|day)|not (?:now|today|yet|sure)|tomorrow|no (?:idea|clue)|dunno"
    r"|(?:don'?t|do not) know|rather not|skip (?:it|that|this)|let me think|ask me)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
# As somebody speaks who chooses, in words that settle nothing.
_CHOOSES = re.compile(
    r"\b(?:both|either|neither|none|ones?|first|second|1st|2nd|former|latter|right|wrong|correct"
    r"|true)\b",
    re.IGNORECASE,
)


def where_to_choose(sides: Sequence[ProfileFact]) -> str:
    """Where the question about these values is settled: 'here or [on its own page](…)'.

    An answer with that link is listened to for a reply (`open_questions`); several questions at
    once are settled on their own pages only.
    """
    pks = [fact.pk for fact in sides]
    asked = Contradiction.objects.for_user(sides[0].user_id).open()
    found = list(asked.filter(Q(old_fact__in=pks) | Q(new_fact__in=pks)))
    if len(found) == 1:
        return f"here or [on its own page]({found[0].get_absolute_url()})"
    return _under_conflicts()


def sounds_like_a_choice(text: str) -> bool:
    """Whether somebody speaks so who chooses between two things."""
    return bool(_CHOOSES.search(text))


def say_still_open(prompt: Prompt, answer: Answer) -> bool:
    """Say of a message that answers no question that stands here that it is still open; False where
    none does.
    """
    # Where two values are open, one of them is a challenger; without any there is nothing to read.
    entries, _ = open_questions.before(prompt.question) if prompt.recall.challengers else ([], [])
    if not entries:
        return False
    values = "; ".join(_both(entry) for entry in entries)
    said = prompt.question.content.replace("’", "'")
    if _LATER.search(said):
        answer.say(f"All right, it stays open: {values}. You can settle it {_under_conflicts()}.")
        return True
    if len(entries) == 1 and _BOTH.search(said) and _in_turn(entries[0], values, answer):
        return True
    if sounds_like_a_choice(said) or any(_names_value(said, entry) for entry in entries):
        answer.say(
            "I cannot read that as an answer to my question, which is still open: "
            f"{values}? Say which of them, or settle it {_under_conflicts()}."
        )
    else:
        answer.say("I found nothing in that to note about you; the message itself is kept here.")
        answer.say(f"My question is still open: {values}? It waits {_under_conflicts()}.")
    return True


def _in_turn(entry: Contradiction, values: str, answer: Answer) -> bool:
    """How both can stand; False where they are one thing, liked on one side and not on the other.

    Nobody is taken at a mere "both": it says neither which came first nor when.
    """
    view = present.view(entry)
    if view.opposed:
        return False
    old, new = literal(view.old.value), literal(view.new.value)
    answer.say(
        f"I cannot read that as an answer to my question, which is still open: {values}? A line "
        f"holds one value at a time. If they were true one after the other, say: first {old}, "
        f"then {new}. If both are true at once, write one line for both "
        f"[on its page]({entry.get_absolute_url()})."
    )
    return True


def _names_value(said: str, entry: Contradiction) -> bool:
    """Whether it has a telling word of either value."""
    sides = f"{entry.old_fact.value} {entry.new_fact.value}"
    return bool(set(content_words(sides)) & set(content_words(said)))


def _both(entry: Contradiction) -> str:
    view = present.view(entry)
    return f"{literal(view.old.value)} or {literal(view.new.value)}"


def _under_conflicts() -> str:
    return f"under [Conflicts]({reverse('ledger:conflicts')})"
