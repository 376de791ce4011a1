"""The human line: a greeting, thanks, goodbye, sorrow and joy, in the language they came in."""

from django.urls import reverse

from accounts.support import formatting
from conversations.markdown import literal
from conversations.notebook import intents
from conversations.notebook.answer_builder import Answer, day_in_full, used_fact
from conversations.notebook.intents import GREETING, Intent
from conversations.notebook.talks import last_talk
from conversations.prompt import Prompt
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory.language import QueryIntent

READS_ENGLISH = (
    "I read facts in English so far; what you say in another language I keep, and find again when "
    "you ask."
)
# From here on a sentence is answered as such; where a mistake sounds odd, more has to speak for it.
KINDS = {
    GREETING: 0.8,
    "thanks": 0.6,
    "goodbye": 0.7,
    "nod": 0.8,
    "complaint": 0.8,
    "sorrow": 0.6,
    "joy": 0.75,
}
# So sure is enough where nothing is noted of it: else it would only be said to be kept.
_PERHAPS = {GREETING: 0.6, "thanks": 0.6, "goodbye": 0.6, "sorrow": 0.45, "joy": 0.6}
# What is less sure than so gets fewer words: a slow day is no bereavement.
_MILDER = {"sorrow": (0.85, "hardship"), "joy": (0.85, "good_news")}
# With one of these a name is said in full.
_TITLES = frozenset(
    """dr mr mister mrs ms miss sir madam lady lord prof professor captain father sister brother rev
    reverend judge aunt auntie uncle nana""".split()
)
# What is likelier a nod is a greeting or thanks from here on: "yo" at the beginning, "ok thx".
_MAY_GREET, _MAY_THANK = 0.15, 0.15
# Who greets, thanks or leaves says little else in the same sentence, in words and letters, unless
# it is as sure as this.
_FEW, _FEW_LETTERS, _SURELY = 14, 100, 0.9


def is_human_line(intent: Intent | None, sentence: str) -> bool:
    """Whether a sentence is surely of one of the kinds that `line_for` answers."""
    if intent is None or intent.name not in KINDS:
        return False
    is_short = len(sentence.split()) <= _FEW and len(sentence) <= _FEW_LETTERS
    return intent.score >= KINDS[intent.name] and (
        is_short or intent.score >= _SURELY or intent.name not in intents.COURTESIES
    )


def may_be_human_line(intent: Intent | None, sentence: str) -> bool:
    """The same, less surely: enough where a message has come to nothing else."""
    if intent is None or intents.is_foreign(sentence):
        return False
    return intent.score >= _PERHAPS.get(intent.name, 1.0)


def kind_of_nod(sentence: str, *, begins: bool) -> str:
    """What a nod is taken for: thanks where it may be that, and a greeting where it `begins` a
    conversation and there is nothing to nod to.
    """
    if intents.probability_of(["thanks"], sentence) >= _MAY_THANK:
        return "thanks"
    may_greet = intents.probability_of([GREETING], sentence) >= _MAY_GREET
    return GREETING if begins and may_greet else "nod"


def line_for(prompt: Prompt, sentence: str, kind: str, answer: Answer) -> None:
    """Answer one sentence of this kind, see `KINDS`."""
    language = intents.language_of(sentence, kind)
    kind = _as_mild_as_it_is(sentence, kind)
    name = "" if kind == "nod" else _by_name(prompt, answer)
    answer.say(intents.load("replies.toml")[kind][language].format(name=name))
    if kind == GREETING and prompt.question.number == 1:
        if language != "en":
            answer.say(READS_ENGLISH)
        elif not name and not prompt.outcomes:
            answer.say("What should I call you?")
        _say_what_is_open(prompt, answer)
        _say_what_was_last(prompt, answer)


def _as_mild_as_it_is(sentence: str, kind: str) -> str:
    sure, milder = _MILDER.get(kind, (0.0, kind))
    return kind if intents.probability_of([kind], sentence) >= sure else milder


def what_is_open(prompt: Prompt, _: QueryIntent, answer: Answer) -> bool:
    """What waits for the person: questions to settle, notes that wait for a yes."""
    if not _say_what_is_open(prompt, answer):
        answer.say("Nothing is open: no question to settle, and no note that waits for your yes.")
    _say_what_was_last(prompt, answer)
    return True


def _say_what_was_last(prompt: Prompt, answer: Answer) -> None:
    last = last_talk(prompt)
    if last is not None:
        title = literal(last.name or "a conversation")
        answer.say(
            f"We last talked on {day_in_full(last.last_at)}: [{title}]({last.get_absolute_url()})."
        )


def _say_what_is_open(prompt: Prompt, answer: Answer) -> bool:
    user_id = prompt.question.user_id
    disputes = Contradiction.objects.filter(user_id=user_id).open().count()
    waiting = proposals.waiting(user_id).count()
    if disputes:
        answer.say(
            f"There {'is' if disputes == 1 else 'are'} {formatting.number(disputes)} of my notes "
            f"that I would like you to settle, under [Conflicts]({reverse('ledger:conflicts')})."
        )
    if waiting:
        answer.say(
            f"{formatting.number(waiting).capitalize()} "
            f"{'note waits' if waiting == 1 else 'notes wait'} for your yes "
            f"on [your profile]({reverse('memory:profile')}#waiting)."
        )
    return bool(disputes or waiting)


def _by_name(prompt: Prompt, answer: Answer) -> str:
    for override in prompt.recall.overrides.get("preferred_name", []):
        return f", {literal(override.value)}"
    for slot in ("preferred_name", "name"):
        facts = prompt.recall.facts.get(slot)
        if facts and not prompt.recall.is_disputed(slot):
            answer.rest_on(used_fact(facts[0]))
            name = facts[0].value if slot == "preferred_name" else as_addressed(facts[0].value)
            return f", {literal(name)}"
    return ""


def as_addressed(name: str) -> str:
    """How somebody is spoken to: "Noreen" of Noreen Gilmartin; with a title by the whole name."""
    first = name.split(maxsplit=1)[0]
    return name if first.endswith((",", ".")) or first.lower() in _TITLES else first
