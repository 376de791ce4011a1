"""What takes something back at a word: a yes or no to a card, the last thing out, between us."""

from conversations import privacy
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer
from conversations.notebook.steps import ask_first
from conversations.prompt import Prompt
from conversations.tools import consent
from conversations.tools.deletion.delete_turn import TakenOut
from conversations.tools.steps import Step
from conversations.tools.tool import ToolRefused
from memory.language import QueryIntent, read_yes_or_no


def keep_quiet(prompt: Prompt, answer: Answer) -> None:
    """Who asks that something be kept between us hears that it is, and what was noted before."""
    mine = Message.objects.for_user(prompt.question.user_id).filter(pk=prompt.question.pk)
    if not mine.filter(confidential=True).exists():
        # Not read yet: what becomes of it is not known.
        return
    answer.say("It stays between us: I note nothing of that and quote it in no other conversation.")
    before = privacy.said_before(prompt.question)
    if before is not None and privacy.noted_of([before]):
        answer.say("What I noted of what you said before it can be undone above.")


# --- Yes and no ----------------------------------------------------------------------------------


def carry_out_yes_or_no(prompt: Prompt, answer: Answer) -> bool:
    """Do, or leave, the one thing that the answer before asks about, where the message is nothing
    but a yes or a no; False where it is not.
    """
    yes = read_yes_or_no(prompt.question.content)
    if yes is None:
        return False
    messages = Message.objects.beside(prompt.question).filter(number=prompt.question.number - 1)
    before = messages.exclude(state=Message.State.REMOVED).first()
    open_ones = [
        (place, Step.from_kept(kept))
        for place, kept in enumerate(before.steps if before else [])
        if kept["state"] == "asked"
    ]
    if before is None or len(open_ones) != 1:
        return False
    ((position, step),) = open_ones
    try:
        after = consent.decide(before, position, step.mark, yes=yes)
    except consent.NoLongerAsked as refused:
        answer.say(str(refused))
        return True
    answer.say(_AFTERWARDS[after.state].format(found=literal(after.found)))
    return True


_AFTERWARDS = {
    "done": "Done: {found}.",
    "declined": "I left it as it was.",
    "failed": "That did not work. {found}",
}


# --- Forgetting ----------------------------------------------------------------------------------


def forget(prompt: Prompt, _: QueryIntent, answer: Answer) -> bool:
    """Ask before anything goes: show what was said last, and what was learned from it alone."""
    try:
        result = ask_first(prompt, answer, "forget_message", {})
    except ToolRefused:
        answer.say(
            "You told me nothing before this in our conversation that is still here. A question "
            "or an order of yours can be taken out where it stands."
        )
        return True
    assert isinstance(result, TakenOut)
    # Here it would stay when the message itself is gone.
    what = "what I learned from it alone, and my answer" if result.learned else "my answer to it"
    answer.say(
        f"Shall I take out what you said last, with {what}? The card below names it. Press Yes or "
        "No there, or say so; it cannot be brought back."
    )
    return True
