"""Orders to forget: what is named is found and asked about first; a yes or no carries it out."""

import re
from collections.abc import Iterable
from urllib.parse import urlencode

from django.urls import reverse

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import Answer, ask_first, tool_context_of, used_fact
from conversations.prompt import Prompt
from conversations.tools import consent, visibility
from conversations.tools.deletion.delete_turn import TakenOut
from conversations.tools.deletion.forgetting import ForgetResult, can_go
from conversations.tools.steps import Step
from conversations.tools.tool import ToolRefused
from memory.language import (
    FactCandidate,
    content_words,
    extract_facts,
    read_yes_or_no,
    split_sentences,
    stem_id,
)
from memory.models import Memory, Override, ProfileFact
from memory.slots import SLOTS, asked_about, opposites, same_value

# What one card asks about, and the answer names.
_MOST = 20
# Among so many that ended last is looked for what is over.
_MOST_OVER = 200
# So many letters of a word are the same in all its forms.
_FIRST_LETTERS = 4

_ORDER = re.compile(
    r"\b(?:forget|unlearn|erase|delete|remove|stop (?:remembering|noting)"
    r"|(?:don'?t|do not|never) (?:remember|note|keep|store|record)) +(?P<what>.+)",
    re.IGNORECASE,
)
_TALK = re.compile(
    r".*\b(?:this|our|the|my|that)(?: \w+)? (?:conversation|chat|talk|thread|discussion)s?"
    r"(?: (?:about|on|with) (?P<about>.+))?",
    re.IGNORECASE,
)
_ALL_ABOUT = re.compile(
    r"(?:everything|anything|all|what|notes)\b.* (?:about|on|of) (?P<about>.+)", re.IGNORECASE
)
# "Don't remember this: what follows": of that nothing was noted in the first place.
_THIS = re.compile(r"(?:this|that|it|these|those)\s*(?:[:,\u2013-].*)?", re.IGNORECASE)
_EARLIER = re.compile(
    r"\b(?:earlier|previous|former|past|old|used to) | (?:before|earlier|previously)$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"^(?:(?:all|of|about|my|our|your|the|that|this) )+", re.IGNORECASE)
# What an order says besides what is to be forgotten.
_SAYS_LITTLE = frozenset(
    "again favourite fact good have has know known like likes memory memories name note noted notes"
    " notebook please profile record remember said saved thing told wrong".split()
)

BETWEEN_US = "That stays between us: I won’t note it or bring it up anywhere else."
NOT_NOTED = (
    "I didn’t note that{here}. To remove a fact, open [your profile]({profile}) and press Forget "
    "this. Under [Privacy]({privacy}) you can choose what I never note."
)
NOTED_ALL_THE_SAME = (
    "Press Undo below to remove it. Under [Privacy]({privacy}) you can choose what I never note."
)


def refuse_or_forget(prompt: Prompt, answer: Answer) -> None:
    """Answer a wish to forget or not to note: ask about what is named, else say what becomes of
    what was just said.
    """
    if forget_what_is_named(prompt, answer):
        return
    reading, question = prompt.question.reading, prompt.question
    mine = Message.objects.for_user(question.user_id).filter(pk=question.pk, confidential=True)
    if reading.asks_for_silence and not reading.only_asks and mine.exists():
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
    """Find what is meant and ask first; False where nothing is named that could be looked for."""
    what = _named_in(prompt.question.content)
    if not what:
        return False
    if match := _TALK.fullmatch(what):
        page = reverse("conversations:delete", args=[prompt.conversation.pk])
        other = f", or {_search(match['about'])} for the one you mean" if match["about"] else ""
        answer.say(f"You can [delete this conversation]({page}){other}.")
        return True
    everything = _ALL_ABOUT.fullmatch(what)
    about = everything["about"] if everything else what
    rows = _rows_meant(prompt, about, all_about=everything is not None)
    going = [row for row in rows if isinstance(row, Memory) or can_go(row)]
    if going:
        _ask(prompt, answer, going)
    elif not rows:
        _look_further(prompt, answer, about)
    for row in rows:
        if row not in going and isinstance(row, ProfileFact):
            _say_how_it_is_erased(answer, row)
    if everything and rows:
        answer.say(
            f"Our messages stay; {_search(about)} shows which mention it. If you say yes, messages "
            "that state a forgotten fact can be found only in their own conversation."
        )
    return True


def _search(about: str) -> str:
    wanted = urlencode({"q": _POSSESSIVE.sub("", about)})
    return f"[search]({reverse('conversations:search')}?{wanted})"


# --- Finding it ----------------------------------------------------------------------------------


def _named_in(text: str) -> str:
    """Return what an order names, in its owner's words; '' for "this", and for oneself."""
    for sentence in split_sentences(" ".join(text.replace("’", "'").split())):
        match = _ORDER.search(sentence.rstrip(" .!?…"))
        if match is not None:
            what = re.sub(r",? please$", "", match["what"])
            is_oneself = re.fullmatch(r"(?:.* (?:about|of|on) )?(?:me|myself|us)", what)
            return "" if _THIS.fullmatch(what) or is_oneself else what
    return ""


def _rows_meant(prompt: Prompt, what: str, *, all_about: bool) -> list[ProfileFact | Memory]:
    """Return the facts and notes that are meant: what holds before what is over, unless that is
    named as such; with `all_about` all that speaks of it.
    """
    current = [fact for slot in SLOTS for fact in prompt.recall.facts.get(slot, ())]
    over = ProfileFact.objects.for_user(prompt.question.user_id).defer("embedding")
    past = list(over.filter(status=ProfileFact.Status.PAST).order_by("-valid_to")[:_MOST_OVER])
    if all_about:
        rows = [
            *_facts_named(current, what),
            *_with_words([*current, *past, *_notes(prompt)], what),
        ]
        return list({row.pk: row for row in rows}.values())
    is_earlier = _EARLIER.search(what) is not None
    first, second = (past, current) if is_earlier else (current, past)
    bare = _EARLIER.sub("", what) if is_earlier else what
    return (
        _facts_named(first, what)
        or _with_words([*first, *_notes(prompt)], bare)
        or _facts_named(second, what)
        or _with_words(second, bare)
    )


def _facts_named(facts: Iterable[ProfileFact], what: str) -> list[ProfileFact | Memory]:
    """Return the facts that the words state, else those of the kind that they name."""
    candidates, kinds = extract_facts(what), _kinds(_EARLIER.sub("", what))
    said = [fact for fact in facts if _is_said_by(fact, candidates)]
    return list(said or [fact for fact in facts if fact.slot in kinds])


def _is_said_by(fact: ProfileFact, candidates: Iterable[FactCandidate]) -> bool:
    return any(
        same_value(fact.slot, fact.value, candidate.value)
        and fact.slot not in opposites(candidate.slot)
        for candidate in candidates
    )


def _has_its_value(what: str, row: ProfileFact | Override) -> bool:
    """Return whether the words hold all words of a value."""
    words = _stems(row.value)
    return bool(words) and words <= _stems(what)


def _kinds(what: str) -> tuple[str, ...]:
    """Return the slots that 'my job', 'the birthday' or 'where I live' names; of a slot that holds
    several things only where it is named itself: 'my pets', not 'my cat'.
    """
    bare = _POSSESSIVE.sub("", what)
    asked = asked_about(f"Do you know {what}?") or asked_about(f"Do you know my {bare}?")
    return tuple(
        slot
        for slot in asked
        if not SLOTS[slot].many or bare.lower() in (SLOTS[slot].label.lower(), SLOTS[slot].noun)
    )


def _notes(prompt: Prompt) -> list[Memory]:
    shown = visibility.notes(tool_context_of(prompt)).shown()
    notes = shown.exclude(category=Memory.Category.SUMMARY).defer("embedding", "terms")
    return list(notes.order_by("-said_at"))


def _with_words(rows: Iterable[ProfileFact | Memory], what: str) -> list[ProfileFact | Memory]:
    wanted = _stems(what)
    return [row for row in rows if wanted and wanted <= _stems(_text_of(row))]


def _messages_meant(prompt: Prompt, what: str) -> list[Message]:
    """Return the person's messages that speak of it, the latest first: also those that are quoted
    in their own conversation only, but none of another private conversation.
    """
    words = [word for word in content_words(what) if word not in _SAYS_LITTLE]
    wanted = _stems(what)
    if not wanted:
        return []
    rows = visibility.own_messages(tool_context_of(prompt)).exclude(pk=prompt.question.pk)
    for word in words:
        rows = rows.filter(content__icontains=word[:_FIRST_LETTERS])
    latest = rows.order_by("-said_at", "-number")[:_MOST_OVER]
    return [row for row in latest if wanted <= _stems(row.content) and not _is_order(row)]


def _is_order(message: Message) -> bool:
    return bool(_named_in(message.content))


def _text_of(row: ProfileFact | Memory) -> str:
    if isinstance(row, Memory):
        return f"{row.content} {row.original}"
    return f"{row.kind.label} {row.sentence} {row.in_words}"


def _stems(text: str) -> frozenset[int]:
    return frozenset(stem_id(word) for word in content_words(text) if word not in _SAYS_LITTLE)


# --- Saying it -----------------------------------------------------------------------------------


def _ask(prompt: Prompt, answer: Answer, rows: list[ProfileFact | Memory]) -> None:
    first, *others = rows[:_MOST]
    arguments = {"fact_id": str(first.pk)}
    more = {"further": [str(row.pk) for row in others]} if others else {}
    result = ask_first(prompt, answer, "forget_fact", {**arguments, **more})
    assert isinstance(result, ForgetResult)
    how = f"Press Yes or No, or say so. You can [bring it back]({result.link}) later."
    if not others:
        answer.say(f"Shall I forget that? {how}")
        return
    answer.say(f"Shall I forget these {formatting.number(len(others) + 1)}? {how}")
    for text in [result.text, *(row.text for row in result.further)]:
        answer.point(literal(text))
    left = len(rows) - len(others) - 1
    more_left = f"There {'is' if left == 1 else 'are'} {left} more. Ask me again after these."
    answer.paragraph(more_left if left else "Saying yes forgets them all.")


def _ask_about_a_message(prompt: Prompt, answer: Answer, messages: list[Message]) -> None:
    ask_first(prompt, answer, "forget_message", {"message_id": str(messages[0].pk)})
    answer.say(
        "I have no fact about that, but you said it in a message. Shall I delete that message, my "
        "reply and what I learned from it alone? Press Yes or No, or say so. It can’t be undone."
    )
    if len(messages) > 1:
        more = formatting.number(len(messages) - 1)
        answer.paragraph(f"Other messages that mention it: {more}. Ask me again after this one.")


def _say_how_it_is_erased(answer: Answer, fact: ProfileFact) -> None:
    erase, timeline = reverse("ledger:erase", args=[fact.pk]), reverse("ledger:timeline")
    answer.paragraph(
        f"{literal(fact.in_words)}: that has ended and is on [your timeline]({timeline}). I use it "
        f"only when you ask about earlier times. You can [erase it for good]({erase})."
    )
    answer.rest_on(used_fact(fact))


def _look_further(prompt: Prompt, answer: Answer, what: str) -> None:
    """Say where it is if it is not noted: in an open question, in this conversation, in a message
    (which is asked about), or nowhere.
    """
    profile = f"[your profile]({reverse('memory:profile')})"
    rivals = [fact for side in prompt.recall.challengers.values() for fact in side]
    here = [override for values in prompt.recall.overrides.values() for override in values]
    if any(_has_its_value(what, rival) for rival in rivals):
        answer.say(
            "That is one side of an open conflict. Choose the other under "
            f"[Conflicts]({reverse('ledger:conflicts')}), and I’ll keep only that one."
        )
    elif any(_has_its_value(what, override) for override in here):
        answer.say(f"I use that only in this conversation. You can remove it on {profile}.")
    elif messages := _messages_meant(prompt, what):
        _ask_about_a_message(prompt, answer, messages)
    else:
        answer.say(
            f"I don’t remember anything like that. What I remember is on {profile} and under "
            f"[Memories]({reverse('memory:memories')}). You can also {_search(what)} our messages."
        )


# --- The last message, and the answer to a card --------------------------------------------------


def forget_last_message(prompt: Prompt, answer: Answer) -> None:
    """Ask before what was said last goes, with what was learned from it alone."""
    try:
        result = ask_first(prompt, answer, "forget_message", {})
    except ToolRefused:
        answer.say(
            "There’s nothing before this in our conversation to forget. You can delete a question "
            "from its menu."
        )
        return
    assert isinstance(result, TakenOut)
    # Here it would stay when the message itself is gone.
    what = "what I learned from it alone, and my answer" if result.learned else "my answer to it"
    answer.say(
        f"Shall I delete your last message, with {what}? Press Yes or No, or say so. It can’t be "
        "undone."
    )


_AFTERWARDS = {
    "done": "Done: {found}.",
    "declined": "I left it as it was.",
    "failed": "That didn’t work. {found}",
}


def carry_out_yes_or_no(prompt: Prompt, answer: Answer) -> bool:
    """Do, or leave, the one thing that the answer before asks about, where the message is nothing
    but a yes or a no; False where it is not.
    """
    yes = read_yes_or_no(prompt.question.content)
    if yes is None:
        return False
    messages = Message.objects.beside(prompt.question).filter(number=prompt.question.number - 1)
    before = messages.exclude(state=Message.State.REMOVED).first()
    asked = [
        (place, Step.from_kept(kept))
        for place, kept in enumerate(before.steps if before else [])
        if kept["state"] == "asked"
    ]
    if before is None or len(asked) != 1:
        return False
    ((position, step),) = asked
    try:
        after = consent.decide(before, position, step.mark, yes=yes)
    except consent.NoLongerAsked as refused:
        answer.say(str(refused))
        return True
    answer.say(_AFTERWARDS[after.state].format(found=literal(after.found)))
    return True
