"""Answers without a look-up: to courtesies and feelings, questions about the product, and requests
that need a language model.
"""

import re
import tomllib
from pathlib import Path

from django.urls import reverse

from accounts.models import User
from accounts.support import formatting
from accounts.support.process_cache import once_per_process
from conversations import llm
from conversations.learning.message_outcomes import WHAT_NAME
from conversations.markdown import literal
from conversations.models import Conversation
from conversations.notebook.answer_builder import Answer, day_in_full, used_fact
from conversations.prompt import Prompt
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory.language.classifiers.sentence_labels import label_probabilities
from memory.language.queries.query_intent import QueryIntent

GREETING, NOD = "greeting", "nod"
COURTESIES = {
    GREETING: "Hello{name}.",
    "thanks": "You’re welcome{name}.",
    "goodbye": "See you next time{name}.",
    NOD: "All right.",
}
FEELINGS = {
    "sorrow": "I’m sorry to hear that{name}.",
    "joy": "That’s good to hear{name}.",
    "complaint": (
        "I’m sorry{name}. Without a language model, I don’t understand much, but I can note facts "
        "and find what you’ve said."
    ),
}
# Least probability of a feeling, and of the topic of a question.
_SURELY_FELT, _SURELY_OF_A_TOPIC = 0.7, 0.3
_TAKES_A_MODEL = "I need a language model for that"
_NOT_CONNECTED = (
    _TAKES_A_MODEL + ", and none is connected here. I can note what you tell me and answer from it."
)
_HOW_TO_CONNECT = " You can connect one from your account menu."
_DID_NOT_ANSWER = "I need the language model for that, and it didn’t answer just now."
# A placeholder for a page's URL in an answer: {memory:profile}.
_PAGE = re.compile(r"\{([\w:-]+)\}")


# --- Courtesies and feelings ---------------------------------------------------------------------


def courtesy_of(text: str) -> str:
    """Return the most probable courtesy (greeting, thanks, …) of a text, one of `COURTESIES`."""
    probabilities = label_probabilities("intent", text)
    return max(COURTESIES, key=lambda name: probabilities[name])


def is_nod(text: str) -> bool:
    """Return whether a text is most probably a nod: "lol"."""
    probabilities = label_probabilities("intent", text)
    return max(probabilities, key=lambda name: probabilities[name]) == NOD


def feeling_of(text: str) -> str:
    """Return the feeling that a text surely expresses, one of `FEELINGS`; '' for none."""
    probabilities = label_probabilities("intent", text)
    likeliest = max(FEELINGS, key=lambda name: probabilities[name])
    return likeliest if probabilities[likeliest] >= _SURELY_FELT else ""


def reply_to(prompt: Prompt, name: str, answer: Answer) -> None:
    """Reply to a courtesy or a feeling; a first greeting also gets the open questions."""
    by_name = "" if name == NOD else _by_name(prompt, answer)
    answer.say((COURTESIES | FEELINGS)[name].format(name=by_name))
    if name == GREETING and prompt.question.number == 1:
        if not by_name and not prompt.outcomes and not prompt.question.user.name:
            answer.say(WHAT_NAME)
        _say_what_is_open(prompt, answer)
        _say_what_was_last(prompt, answer)


def _by_name(prompt: Prompt, answer: Answer) -> str:
    for override in prompt.recall.overrides.get("preferred_name", []):
        return f", {literal(override.value)}"
    for slot in ("preferred_name", "name"):
        facts = prompt.recall.facts.get(slot)
        if facts and not prompt.recall.is_disputed(slot):
            answer.rest_on(used_fact(facts[0]))
            return f", {literal(as_addressed(facts[0].value))}"
    return ""


def as_addressed(name: str) -> str:
    """Return a form of address: "Noreen" for Noreen Gilmartin; the whole name if it begins with an
    abbreviation.
    """
    first = name.split(maxsplit=1)[0]
    return name if first.endswith((",", ".")) else first


# --- Open questions ------------------------------------------------------------------------------


def what_is_open(prompt: Prompt, _: QueryIntent, answer: Answer) -> bool:
    """Say what waits for the user: open conflicts, memories to approve; return False if there is
    nothing.
    """
    if not _say_what_is_open(prompt, answer):
        answer.say("You’re all caught up: no conflicts to settle, and nothing to confirm.")
    _say_what_was_last(prompt, answer)
    return True


def _say_what_is_open(prompt: Prompt, answer: Answer) -> bool:
    user_id = prompt.question.user_id
    disputes = Contradiction.objects.filter(user_id=user_id).open().count()
    waiting = proposals.waiting(user_id).count()
    if disputes:
        answer.say(
            f"{formatting.number(disputes).capitalize()} "
            f"{'conflict is' if disputes == 1 else 'conflicts are'} waiting for you under "
            f"[Conflicts]({reverse('ledger:conflicts')})."
        )
    if waiting:
        answer.say(
            f"{formatting.number(waiting).capitalize()} "
            f"{'fact is' if waiting == 1 else 'facts are'} waiting for you to confirm on [your "
            f"profile]({reverse('memory:profile')}#waiting)."
        )
    return bool(disputes or waiting)


def _say_what_was_last(prompt: Prompt, answer: Answer) -> None:
    """Name the previous conversation, unless it is private."""
    user_id = prompt.question.user_id
    rows = Conversation.objects.for_user(user_id).exclude(pk=prompt.conversation.pk)
    others = rows.exclude(privacy=Conversation.Privacy.PRIVATE).filter(last_number__gt=0)
    if last := others.order_by("-last_at").first():
        day = formatting.day(last.last_at, prompt.question.said_at)
        then = day if day in ("today", "yesterday") else f"on {day_in_full(last.last_at)}"
        title = f"“{literal(last.name)}”" if last.name else "a conversation"
        answer.say(f"We last talked {then}: [{title}]({last.get_absolute_url()}).")


# --- The product, and requests that need a model -------------------------------------------------


@once_per_process
def product_answers() -> dict[str, str]:
    """Return the answers to questions about the product by topic, with placeholders for URLs."""
    text = Path(__file__).with_name("product_help.toml").read_text(encoding="utf-8")
    return {name: str(entry["answer"]) for name, entry in tomllib.loads(text).items()}


def product_topic(sentence: str, least: float = _SURELY_OF_A_TOPIC) -> tuple[str, float]:
    """Return the topic of a question about the product ('' if below the probability `least`) and
    its probability.
    """
    probabilities = label_probabilities("intent", sentence)
    topic = max(product_answers(), key=lambda name: probabilities[name])
    share = probabilities[topic]
    return (topic, share) if share >= least else ("", share)


def help_on(topic: str) -> str:
    """Return the answer to a question about the product, with links to its pages."""
    return _PAGE.sub(lambda page: reverse(page[1]), product_answers()[topic])


def takes_a_model(prompt: Prompt, answer: Answer) -> None:
    """Say that the request needs a language model: in full once per conversation, then briefly."""
    if llm.configured():
        answer.say(_DID_NOT_ANSWER)
        return
    if any(_TAKES_A_MODEL in turn.text for turn in prompt.history):
        answer.say(f"{_TAKES_A_MODEL}.")
        return
    is_staff = User.objects.filter(pk=prompt.question.user_id, is_staff=True).exists()
    answer.say(_NOT_CONNECTED + (_HOW_TO_CONNECT if is_staff else ""))
