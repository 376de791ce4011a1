"""Orders to forget: items are looked up, shown and asked about; a yes or no decides."""

import re
from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from accounts.support import formatting
from conversations.learning import open_questions
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook import forget_targets, reminders
from conversations.notebook.answer_builder import Answer, ask_first, used_fact
from conversations.prompt import Prompt
from conversations.tools import consent
from conversations.tools.deletion.delete_turn import TakenOut
from conversations.tools.deletion.forgetting import ForgetResult, can_go
from conversations.tools.steps import Step
from conversations.tools.tool import ToolRefused
from memory.language.queries.query_intent import read_yes_or_no
from memory.models import Memory, ProfileFact

# How many items one card asks about and the answer lists.
_MOST = 20

_TALK = re.compile(
    r".*\b(?:this|our|the|my|that)(?: \w+)? (?:conversation|chat|talk|thread|discussion)s?"
    r"(?: (?:about|on|with) (?P<about>.+))?",
    re.IGNORECASE,
)
_ALL_ABOUT = re.compile(
    r"(?:everything|anything|all|what|notes)\b.* (?:about|on|of) (?P<about>.+)", re.IGNORECASE
)

BETWEEN_US = "That stays between us: I won’t note it or bring it up anywhere else."
NOT_NOTED = (
    "I didn’t note that{here}. To remove a fact, open [your profile]({profile}) and press "
    "“Forget this”. Under [Privacy]({privacy}) you can choose what I never note."
)
NOTED_ALL_THE_SAME = (
    "To remove what I noted, press Undo below. Under [Privacy]({privacy}) you can choose what I "
    "never note."
)


def refuse_or_forget(prompt: Prompt, answer: Answer) -> None:
    """Answer a request to forget or not to note: ask about the named items, or explain what happens
    with the message.
    """
    if forget_what_is_named(prompt, answer):
        return
    reading, question = prompt.question.reading, prompt.question
    rows = Message.objects.for_user(question.user_id).filter(pk=question.pk, confidential=True)
    if reading.asks_for_silence and not reading.only_asks and rows.exists():
        answer.say(BETWEEN_US)
        return
    if prompt.outcomes:
        answer.say(NOTED_ALL_THE_SAME.format(privacy=reverse("privacy:page")))
        return
    here = " and won’t bring it up anywhere else" if reading.tells_beside_a_wish else ""
    answer.say(
        NOT_NOTED.format(
            here=here, profile=reverse("memory:profile"), privacy=reverse("privacy:page")
        )
    )


def forget_what_is_named(prompt: Prompt, answer: Answer) -> bool:
    """Find the items to forget and ask first; return False if the message names none."""
    what = forget_targets.named_in(prompt.question.content)
    if not what:
        return False
    if match := _TALK.fullmatch(what):
        page = reverse("conversations:delete", args=[prompt.conversation.pk])
        other = f", or {_search(match['about'])} for the one you mean" if match["about"] else ""
        answer.say(f"You can [delete this conversation]({page}){other}.")
        return True
    everything = _ALL_ABOUT.fullmatch(what)
    about = everything["about"] if everything else what
    rows = forget_targets.rows_meant(prompt, about, all_about=everything is not None)
    going = [row for row in rows if isinstance(row, Memory) or can_go(row)]
    if going:
        _ask(prompt, answer, going, forget_targets.earlier_of_the_kind(prompt, going, about))
    elif not rows:
        _look_further(prompt, answer, about)
    for row in rows:
        if row not in going and isinstance(row, ProfileFact):
            _say_how_it_is_erased(answer, row)
    if everything and rows:
        answer.say(
            f"Our messages are kept, and you can {_search(about)} them. If you say yes, those with "
            "a forgotten fact will show up only in their own conversation."
        )
    return True


def _search(about: str) -> str:
    wanted = urlencode({"q": forget_targets.POSSESSIVE.sub("", about)})
    return f"[search]({reverse('conversations:search')}?{wanted})"


# --- Wording -------------------------------------------------------------------------------------


def _ask(
    prompt: Prompt,
    answer: Answer,
    rows: list[ProfileFact | Memory],
    earlier: Sequence[ProfileFact | Memory] = (),
) -> None:
    """Ask whether to forget these items and the earlier values of their kind."""
    rows = [*rows, *earlier]
    first, *others = rows[:_MOST]
    arguments = {"fact_id": str(first.pk)}
    more = {"further": [str(row.pk) for row in others]} if others else {}
    result = ask_first(prompt, answer, "forget_fact", {**arguments, **more})
    assert isinstance(result, ForgetResult)
    how = f"Press Yes or No, or say so. You can [bring it back]({result.link}) later."
    if not others:
        answer.say(f"Should I forget this? {how}")
        return
    answer.say(f"Should I forget these {formatting.number(len(others) + 1)}? {how}")
    for text in [result.text, *(row.text for row in result.further)]:
        answer.point(literal(text))
    left = len(rows) - len(others) - 1
    more_left = f"There {'is' if left == 1 else 'are'} {left} more. Ask me again afterwards."
    answer.paragraph(more_left if left else "If you say yes, I’ll forget all of them.")


def _ask_about_a_message(prompt: Prompt, answer: Answer, messages: list[Message]) -> None:
    ask_first(prompt, answer, "forget_message", {"message_id": str(messages[0].pk)})
    answer.say(
        "I don’t have a fact about that, but you mentioned it in a message. Should I delete that "
        "message, my reply and what I learned only from it? Press Yes or No, or say so. This "
        "can’t be undone."
    )
    if len(messages) > 1:
        more = formatting.number(len(messages) - 1)
        answer.paragraph(f"Other messages that mention it: {more}. Ask me about them afterwards.")


def _say_how_it_is_erased(answer: Answer, fact: ProfileFact) -> None:
    erase, timeline = reverse("ledger:erase", args=[fact.pk]), reverse("ledger:timeline")
    answer.paragraph(
        f"“{literal(fact.in_words)}” is in the past and on [your timeline]({timeline}). I use it "
        f"only when you ask about earlier times, and you can [erase it for good]({erase})."
    )
    answer.rest_on(used_fact(fact))


def _look_further(prompt: Prompt, answer: Answer, what: str) -> None:
    """Say where something is that is no stored item: in an open conflict, an override, a plan, a
    message (asks whether to delete it), or nowhere.
    """
    profile = f"[your profile]({reverse('memory:profile')})"
    rivals = [fact for side in prompt.recall.challengers.values() for fact in side]
    here = [override for values in prompt.recall.overrides.values() for override in values]
    messages = forget_targets.messages_meant(prompt, what)
    if any(forget_targets.has_its_value(what, rival) for rival in rivals):
        answer.say(
            "That is one of two values in an open conflict. Choose the other one under "
            f"[Conflicts]({reverse('ledger:conflicts')}), and I’ll use only that."
        )
    elif any(forget_targets.has_its_value(what, override) for override in here):
        answer.say(f"I use that only in this conversation. You can remove it on {profile}.")
    elif plans := reminders.plans_named(prompt, what, messages[:1]):
        reminders.say_where_it_can_be_marked(answer, plans)
    elif messages:
        _ask_about_a_message(prompt, answer, messages)
    elif nearest := forget_targets.nearest_rows(prompt, what):
        answer.say("I’m not sure I have anything like that. These come closest:")
        for row in nearest:
            text = row.content if isinstance(row, Memory) else f"{row.kind.label}: {row.value}"
            answer.point(f"[{literal(text)}]({row.get_absolute_url()})")
        answer.paragraph(
            f"Open one to forget it, or tell me exactly which one. You can also {_search(what)} "
            "our messages."
        )
    else:
        answer.say(
            f"I don’t remember anything like that. What I remember is on {profile} and under "
            f"[Memories]({reverse('memory:memories')}). You can also {_search(what)} our messages."
        )


# --- The last message, and replies to a card -----------------------------------------------------


def forget_last_message(prompt: Prompt, answer: Answer) -> None:
    """Ask whether to delete the user's last message and what was learned only from it."""
    try:
        result = ask_first(prompt, answer, "forget_message", {})
    except ToolRefused:
        answer.say(
            "You haven’t told me anything else in this conversation. To delete a message, open its "
            "menu."
        )
        return
    assert isinstance(result, TakenOut)
    # In this conversation the learned items stay visible after the message is deleted.
    what = "what I learned only from it, and my answer" if result.learned else "my answer to it"
    answer.say(
        f"Should I delete your last message, with {what}? Press Yes or No, or say so. This can’t "
        "be undone."
    )


_AFTERWARDS = {
    "done": "Done: {found}.",
    "declined": "OK, I haven’t changed anything.",
    "failed": "That didn’t work. {found}",
}


def carry_out_yes_or_no(prompt: Prompt, answer: Answer) -> bool:
    """Carry out or cancel the step that waits for approval, if the message is a yes or no; return
    False otherwise.
    """
    yes = read_yes_or_no(prompt.question.content)
    before = open_questions.answer_meant(prompt.question) if yes is not None else None
    waiting = [
        (place, Step.from_kept(kept))
        for place, kept in enumerate(before.steps if before else [])
        if kept["state"] == "asked"
    ]
    if before is None or yes is None or len(waiting) != 1:
        return False
    ((position, step),) = waiting
    try:
        after = consent.decide(before, position, step.mark, yes=yes)
    except consent.NoLongerAsked as refused:
        answer.say(str(refused))
        return True
    answer.say(_AFTERWARDS[after.state].format(found=literal(after.found)))
    return True
