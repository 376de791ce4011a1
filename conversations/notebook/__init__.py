"""The responder without a language model: it answers from the notebook, and says when it cannot.

A statement gets its chips and no more words than it needs. A question gets the exact fact, else the
sentences that come nearest, else that nothing is found. What takes a language model is said once.
"""

from django.urls import reverse

from accounts.support import formatting
from conversations.learning import sensitive_consent
from conversations.markdown import literal
from conversations.notebook import (
    corrections,
    disagreements,
    intents,
    message_parts,
    noted,
    people,
    questions,
    shared_lessons,
    unsettled,
    without_notes,
)
from conversations.notebook.answer_builder import Answer
from conversations.notebook.message_parts import Part
from conversations.notebook.orders import changing, forgetting, undoing
from conversations.prompt import Prompt
from memory.core import PersistenceReason
from memory.language import IntentKind

__all__ = ["KEPT", "NOTED", "QUIET", "Answer", "beside_model_answer", "compose_answer"]

NOTED = "Got it."
KEPT = "Kept with this conversation; you can ask me about it."
# Answers that only say that a message is kept.
QUIET = frozenset({NOTED, KEPT})
FORGETTING = (
    "I did not note that{here}. To remove something I have noted, open [your profile]({profile}) "
    "and press Forget this; what I must never note you choose under [Privacy]({privacy})."
)
FORGETTING_ALL = (
    "I can forget everything at once, and never do it by a word in a conversation. "
    "[Forget everything]({page}) says what goes and what stays, and asks you to type it; until "
    "then nothing has changed."
)
NOT_ROLLED_OUT = (
    "I do not answer from earlier conversations for your account yet: that is being turned on step "
    "by step. What I noted is in your [memories]({memories}). Without a language model I can say "
    "nothing more about this."
)
MEMORY_IS_OFF = (
    f"{PersistenceReason.MEMORY_OFF.sentence} I use nothing that I noted before either. "
    "Without a language model there is little else I can do. You can turn memory on again under "
    "[Memories]({memories})."
)


def compose_answer(prompt: Prompt) -> Answer:
    """Answer from what is stored, in the person's open block."""
    answer = Answer()
    if not _handle_orders_first(prompt, answer):
        _answer_in_parts(prompt, answer)
        shared_lessons.show(prompt, answer)
    return answer


def beside_model_answer(prompt: Prompt) -> Answer:
    """What stands beside a model's answer: the claims that a correction may be about, and what was
    said before that does not go together with the message. In the person's open block.
    """
    answer = Answer()
    if prompt.memory_on and prompt.notes_read:
        parts = message_parts.read(prompt.question.reading)
        messages = disagreements.find_alike(prompt, parts)
        puts_right = corrections.find(prompt, parts, messages)
        corrections.store_correction(prompt, puts_right)
        if puts_right is not None:
            corrections.show_claims(prompt, puts_right, answer)
        elif not any(outcome.contradiction for outcome in prompt.outcomes):
            disagreements.show(prompt, parts, messages, answer)
    return answer


def _handle_orders_first(prompt: Prompt, answer: Answer) -> bool:
    """Orders, a yes or no to a card, and what cannot be answered now; False for all else."""
    reading = prompt.question.reading
    intent = reading.intent
    if intent is not None and intent.kind is IntentKind.FORGET_ALL:
        answer.say(FORGETTING_ALL.format(page=reverse("conversations:forget_everything")))
    elif not prompt.memory_on:
        off = MEMORY_IS_OFF if prompt.rolled_out else NOT_ROLLED_OUT
        answer.say(off.format(memories=reverse("memory:memories")))
    elif undoing.carry_out_yes_or_no(prompt, answer) or changing.change_on_a_yes(prompt, answer):
        return True
    elif reply := "" if prompt.outcomes else sensitive_consent.reply(prompt.question):
        answer.say(reply)
    elif intent is not None and intent.kind is IntentKind.NEVER_MIND:
        answer.say("All right.")
    elif intent is not None and intent.kind is IntentKind.FORGET:
        undoing.forget(prompt, intent, answer)
    elif not prompt.notes_read:
        without_notes.from_the_talk_alone(prompt, answer)
    elif reading.asks_to_forget:
        _forget(prompt, answer)
    return bool(answer.pieces)


def _forget(prompt: Prompt, answer: Answer) -> None:
    if forgetting.forget(prompt, answer):
        return
    reading = prompt.question.reading
    if reading.asks_for_silence and not reading.only_asks:
        undoing.keep_quiet(prompt, answer)
        return
    here = " and quote it in no other conversation" if reading.tells_beside_a_wish else ""
    answer.say(
        FORGETTING.format(
            here=here, profile=reverse("memory:profile"), privacy=reverse("privacy:page")
        )
    )


def _answer_in_parts(prompt: Prompt, answer: Answer) -> None:
    """A human line, what the chips do not say, and each question by itself."""
    parts = message_parts.read(prompt.question.reading)
    # A long text is material more than talk: it is not compared with all that was said before.
    is_long = prompt.question.reading.is_long
    messages = [] if is_long else disagreements.find_alike(prompt, parts)
    puts_right = None if is_long else corrections.find(prompt, parts, messages)
    corrections.store_correction(prompt, puts_right)
    if puts_right is None:
        _human_line(prompt, parts, answer)
    asked = message_parts.asking_parts(parts)
    _answer_each(prompt, asked, answer)
    if puts_right is not None:
        corrections.show(prompt, puts_right, answer)
    elif not is_long and not any(outcome.contradiction for outcome in prompt.outcomes):
        disagreements.show(prompt, parts, messages, answer)
    # What is asked of the person comes last.
    noted.acknowledge(prompt, answer)
    if answer.pieces or unsettled.say_still_open(prompt, answer):
        return
    if corrections.offer(prompt, messages, answer):
        return
    answer.say(NOTED if prompt.outcomes else _kept_without_note(prompt))


def _answer_each(prompt: Prompt, parts: list[Part], answer: Answer) -> None:
    """The answer to each of several questions under its words; what several have, once."""
    answers: dict[str, Answer] = {}
    words: dict[str, list[str]] = {}
    for part in parts:
        said = Answer()
        questions.answer_question(message_parts.prompt_for(prompt, part, parts), part, said)
        answers.setdefault("".join(said.pieces), said)
        words.setdefault("".join(said.pieces), []).append(f"“{literal(part.text.strip())}”")
    for text, said in answers.items():
        if len(parts) > 1 and said.pieces:
            said.pieces.insert(0, f"{formatting.listed(words[text])}: ")
        answer.join(said)


def _human_line(prompt: Prompt, parts: list[Part], answer: Answer) -> None:
    """The answer to the first greeting, thanks, sorrow or joy; a nod only where nothing else is."""
    if name := noted.name_just_told(prompt):
        answer.say(f"Good to meet you, {name}.")
        return
    for part in parts:
        intent = part.intent
        if part.asks or intent is None:
            continue
        perhaps = not prompt.outcomes and people.may_be_human_line(intent, part.text)
        if not (perhaps or people.is_human_line(intent, part.text)):
            continue
        if intent.name == "nod" and (len(parts) > 1 or _say_choice_unread(prompt, part, answer)):
            continue
        kind = intent.name
        if kind == "nod":
            kind = people.kind_of_nod(part.text, begins=not prompt.history)
        told = prompt.question.content if kind in intents.FEELINGS else part.text
        people.line_for(prompt, told, kind, answer)
        return


def _say_choice_unread(prompt: Prompt, part: Part, answer: Answer) -> bool:
    """Whether a nod is meant for an open question and settles nothing; that is said."""
    return unsettled.sounds_like_a_choice(part.text) and unsettled.say_still_open(prompt, answer)


def _kept_without_note(prompt: Prompt) -> str:
    """That nothing was noted, and that the message is there."""
    return f"{KEPT} {people.READS_ENGLISH}" if intents.is_foreign(prompt.question.content) else KEPT
