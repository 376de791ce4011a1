"""The notebook: the responder without a language model, which answers from stored data only.

Statements are confirmed briefly. A question gets the exact fact, else the sentence that surely
answers it, else "not known". That a request needs a model is explained once.
"""

from django.urls import reverse

from accounts.support import formatting
from conversations.learning import note_consent
from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook import (
    changing,
    corrections,
    forgetting,
    message_parts,
    noted,
    questions,
    reminders,
    standard_answers,
)
from conversations.notebook.answer_builder import Answer, quoted
from conversations.notebook.message_parts import COURTESY, Part
from conversations.prompt import Prompt
from memory.core.persistence_gate import PersistenceReason
from memory.language.queries.query_intent import IntentKind
from memory.language.reading import only_asks
from memory.language.text.dedup import content_stem_ids

__all__ = ["KEPT", "KEPT_HERE", "NOTED", "QUIET", "Answer", "compose_answer", "store_correction"]

NOTED = "Got it."
KEPT = "Saved with this conversation. You can ask me about it."
KEPT_HERE = "I’ll remember this only in this conversation."
# Answers that say only that a message is stored.
QUIET = frozenset({NOTED, KEPT, KEPT_HERE})
FORGETTING_ALL = (
    "I haven’t deleted anything yet. [Forget everything]({page}) first shows you what will be "
    "deleted and what will be kept, then asks you to confirm."
)
NOT_ROLLED_OUT = (
    "I can’t answer from earlier conversations in your account yet. What I noted is under "
    "[Memories]({memories})."
)
MEMORY_IS_OFF = (
    f"{PersistenceReason.MEMORY_OFF.sentence} I also won’t use what I noted before until you "
    "turn memory back on under [Memories]({memories})."
)
NOTES_UNREAD = (
    "I can’t reach my memory right now, so I only have this conversation. Your message is safe; "
    "ask me again in a moment."
)


def compose_answer(prompt: Prompt) -> Answer:
    """Return the notebook's answer, in the user's transaction (`acting_as`)."""
    answer = Answer()
    if not _handle_orders_first(prompt, answer):
        _answer_in_parts(prompt, answer)
        questions.show_lessons(prompt, answer)
    return answer


def store_correction(prompt: Prompt) -> None:
    """Store which earlier message the user's message corrects, when a model answers, in the user's
    transaction (`acting_as`). The model itself proposes the change.
    """
    if prompt.memory_on and prompt.notes_read:
        parts = message_parts.read(prompt.question.reading)
        alike = corrections.find_alike(prompt, parts)
        corrections.store_correction(prompt, corrections.find(prompt, parts, alike))


def _handle_orders_first(prompt: Prompt, answer: Answer) -> bool:
    """Answer orders, a yes or no to a card, and requests that cannot be fulfilled now; return False
    for any other message.
    """
    reading = prompt.question.reading
    kind = reading.intent.kind if reading.intent is not None else None
    if kind is IntentKind.FORGET_ALL:
        answer.say(FORGETTING_ALL.format(page=reverse("conversations:forget_everything")))
    elif not prompt.memory_on:
        off = MEMORY_IS_OFF if prompt.rolled_out else NOT_ROLLED_OUT
        answer.say(off.format(memories=reverse("memory:memories")))
    elif forgetting.carry_out_yes_or_no(prompt, answer) or changing.change_on_a_yes(prompt, answer):
        return True
    elif reply := "" if prompt.outcomes else note_consent.reply(prompt.question):
        answer.say(reply)
    elif kind is IntentKind.NEVER_MIND:
        answer.say("All right.")
    elif kind is IntentKind.FORGET:
        forgetting.forget_last_message(prompt, answer)
    elif not prompt.notes_read:
        _answer_from_conversation(prompt, answer)
    elif reminders.call_off(prompt, answer):
        return True
    elif reading.asks_to_forget:
        forgetting.refuse_or_forget(prompt, answer)
    return bool(answer.pieces)


def _answer_from_conversation(prompt: Prompt, answer: Answer) -> None:
    """Say that memories could not be read, and quote a message of this conversation that has the
    question's words.
    """
    noted.acknowledge(prompt, answer)
    answer.say(NOTES_UNREAD)
    wanted = content_stem_ids(prompt.asked)
    if not wanted or not prompt.question.reading.only_asks:
        return
    own_texts = [turn.own_text for turn in prompt.history if turn.role == Message.Role.USER]
    texts = [text for text in own_texts if wanted <= content_stem_ids(text) and not only_asks(text)]
    if texts:
        answer.say("You said here:")
        answer.point(quoted(texts[-1]))


def _answer_in_parts(prompt: Prompt, answer: Answer) -> None:
    """Answer part by part: a courtesy, what the chips do not say, and each question."""
    reading = prompt.question.reading
    parts = message_parts.read(reading)
    # Neither a name given just now nor a repeated fact is a correction.
    nothing_new = bool(noted.name_just_told(prompt)) or noted.is_only_confirmed(prompt)
    # A long text is mostly material, so it is not compared with earlier messages.
    passed_over = reading.is_long or nothing_new
    alike = [] if passed_over else corrections.find_alike(prompt, parts)
    correction = None if passed_over else corrections.find(prompt, parts, alike)
    corrections.store_correction(prompt, correction)
    if correction is None:
        _say_human_line(prompt, parts, answer)
    _answer_each(prompt, message_parts.asking_parts(parts), answer)
    if correction is not None:
        corrections.show(prompt, correction, answer)
    reminders.answer_order(prompt, parts, answer)
    # Questions to the user come last.
    noted.acknowledge(prompt, answer)
    if not answer.pieces and not noted.say_still_open(prompt, answer):
        answer.say(NOTED if prompt.outcomes else _answer_kept(prompt.question))


def _answer_kept(question: Message) -> str:
    private = question.conversation.privacy == Conversation.Privacy.PRIVATE
    return KEPT_HERE if private or question.confidential else KEPT


def _answer_each(prompt: Prompt, parts: list[Part], answer: Answer) -> None:
    """Answer several questions, each below its text; equal answers are given once."""
    answers: dict[str, tuple[Answer, list[str]]] = {}
    for part in parts:
        reply = Answer()
        questions.answer_question(message_parts.prompt_for(prompt, part, parts), part, reply)
        _, texts = answers.setdefault("".join(reply.pieces), (reply, []))
        texts.append(f"“{literal(part.text.strip())}”")
    for reply, texts in answers.values():
        if len(parts) > 1 and reply.pieces:
            reply.pieces.insert(0, f"{formatting.listed(texts)}: ")
        answer.join(reply)


def _say_human_line(prompt: Prompt, parts: list[Part], answer: Answer) -> None:
    """Reply to a name, a feeling or a courtesy; to a nod ("ok") only if nothing else was said."""
    if name := noted.name_just_told(prompt):
        answer.say(f"Good to meet you, {name}.")
        return
    stated = [part for part in parts if not part.asks]
    if not stated or prompt.question.reading.is_long:
        return
    if feeling := standard_answers.feeling_of(" ".join(part.text for part in stated)):
        standard_answers.reply_to(prompt, feeling, answer)
        return
    if prompt.outcomes and len(stated) == 1:
        # A message that told a fact ("Bristol") is no courtesy, even if it sounds like one.
        return
    for part in stated:
        courtesy = standard_answers.courtesy_of(part.text) if part.kind == COURTESY else ""
        is_nod = courtesy == standard_answers.NOD
        # A nod may be meant as a reply to an open question.
        if is_nod and (len(parts) > 1 or noted.say_still_open(prompt, answer)):
            continue
        if courtesy:
            standard_answers.reply_to(prompt, courtesy, answer)
            return
