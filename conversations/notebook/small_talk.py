"""Greeting, thanks, what is open, and taking the last thing out."""

import re

from django.urls import reverse

from accounts import words
from conversations import privacy
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook import unsettled
from conversations.notebook.answer_builder import Answer, on, used_fact
from conversations.notebook.said.talks import last_talk
from conversations.notebook.steps import ask_first
from conversations.prompt import Prompt
from conversations.tools import consent
from conversations.tools.delete_turn import TakenOut
from conversations.tools.steps import Step
from conversations.tools.tool import ToolRefused
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory.language.queries.query_intent import QueryIntent

_GREETING = re.compile(
    r"^\s*(hi|hiya|hello|hey|yo|good (morning|afternoon|evening|day)|morning)\b[^?]{0,40}$",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"^\s*(?:(?:ok|okay|great|perfect|lovely|cool|many|no)[ ,]+)?"
    r"(thanks|thank you|cheers|ta|great|ok|okay|perfect)\b[^?]{0,40}$",
    re.IGNORECASE,
)
# Of these the whole of a short text must be one: "Bye" ends a talk, "Bye bye savings" does not.
_SHORT = 40
_TO = r"(?:[ ,]+(?:all|then|for now|now|everyone|mate|dear|my dear|throughline|again|and|thanks))*"
_GOOD_NIGHT = re.compile(
    rf"(?:good ?night|night(?: ?night)?|nite|sleep well){_TO}[\s.!,x]*", re.IGNORECASE
)
_FAREWELL = re.compile(
    r"(?:(?:ok(?:ay)?|right|well|thanks|thank you)[ ,]+)?"
    r"(?:good ?bye|(?:bye[ -]?)+|cya|see (?:you|ya)(?: (?:later|soon|tomorrow|then))?|so long"
    r"|(?:talk|speak) (?:to you )?(?:later|soon|tomorrow)|take care|laters?|ttyl|cheerio"
    rf"|i(?:'m| am) off(?: to bed)?){_TO}[\s.!,x]*",
    re.IGNORECASE,
)
_NODS = re.compile(
    r"(?:(?:k|kk|lol|lmao|ha(?:ha)+|he(?:he)+|cool|nice|fine|right|all right|alright|sure|got it"
    r"|i see|hm+|ah|oh|wow|good|sounds good|fair enough|no worries|no problem)[\s.!,]*){1,3}",
    re.IGNORECASE,
)


def small_talk(prompt: Prompt, made: Answer) -> None:
    """Answer a greeting, thanks, or something in which there was nothing to note."""
    text = prompt.read_as.replace("’", "'").strip()
    short = text if len(text) <= _SHORT else ""
    if _GOOD_NIGHT.fullmatch(short):
        made.say(f"Good night{_by_name(prompt, made)}.")
    elif _FAREWELL.fullmatch(short):
        made.say(f"Until next time{_by_name(prompt, made)}.")
    elif _GREETING.match(text):
        _greet(prompt, made)
    elif _NODS.fullmatch(short):
        made.say("All right.")
    elif _THANKS.match(text):
        made.say("You are welcome.")
    elif not unsettled.still_open(prompt, made):
        made.say("I found nothing in that to note about you; the message itself is kept here.")
        made.say("I answer from your notes and from what was said before. Ask me about either.")


def keep_quiet(prompt: Prompt, made: Answer) -> None:
    """Who asks that something be kept between us hears that it is, and what was noted before."""
    mine = Message.objects.for_user(prompt.question.user_id).filter(pk=prompt.question.pk)
    if not mine.filter(confidential=True).exists():
        # Not read yet: what becomes of it is not known.
        small_talk(prompt, made)
        return
    made.say("It stays between us: I note nothing of that and quote it in no other conversation.")
    before = privacy.said_before(prompt.question)
    if before is not None and privacy.noted_of([before]):
        made.say("What I noted of what you said before it can be undone above.")


def _by_name(prompt: Prompt, made: Answer) -> str:
    name = _name(prompt, made)
    return f", {name}" if name else ""


def _greet(prompt: Prompt, made: Answer) -> None:
    """By name, with what is open and what we last talked about, where there is any."""
    name = _name(prompt, made)
    made.say(f"Hello{', ' + name if name else ''}.")
    if not name:
        made.say("What should I call you?")
    if prompt.question.number > 1:
        # Somebody who greets in the middle of a conversation has not come back to it.
        return
    _say_what_is_open(prompt, made)
    last = last_talk(prompt)
    if last is not None:
        title = literal(last.name or "a conversation")
        made.say(f"We last talked on {on(last.last_at)}: [{title}]({last.get_absolute_url()}).")


def what_is_open(prompt: Prompt, _: QueryIntent, made: Answer) -> bool:
    """What waits for the person: questions to settle, notes that wait for a yes."""
    if not _say_what_is_open(prompt, made):
        made.say("Nothing is open: no question to settle, and no note that waits for your yes.")
    last = last_talk(prompt)
    if last is not None:
        title = literal(last.name or "a conversation")
        made.say(f"We last talked on {on(last.last_at)}: [{title}]({last.get_absolute_url()}).")
    return True


def _say_what_is_open(prompt: Prompt, made: Answer) -> bool:
    user_id = prompt.question.user_id
    disputes = Contradiction.objects.filter(user_id=user_id).open().count()
    waiting = proposals.waiting(user_id).count()
    if disputes:
        made.say(
            f"There {_are(disputes)} of my notes that I would like you to settle, under "
            f"[Conflicts]({reverse('ledger:conflicts')})."
        )
    if waiting:
        made.say(
            f"{words.number(waiting).capitalize()} {'note waits' if waiting == 1 else 'notes wait'}"
            f" for your yes on [your profile]({reverse('memory:profile')}#waiting)."
        )
    return bool(disputes or waiting)


def _are(count: int) -> str:
    return f"{'is' if count == 1 else 'are'} {words.number(count)}"


def _name(prompt: Prompt, made: Answer) -> str:
    for override in prompt.recall.overrides.get("preferred_name", []):
        return literal(override.value)
    for slot in ("preferred_name", "name"):
        facts = prompt.recall.facts.get(slot)
        if facts and not prompt.recall.is_disputed(slot):
            made.rest_on(used_fact(facts[0]))
            return literal(facts[0].value)
    return ""


# --- Yes and no ----------------------------------------------------------------------------------

_YES = re.compile(
    r"\s*(?:yes|yep|yeah|sure|do it|please do)[\s.!,]*(?:please)?[\s.!]*", re.IGNORECASE
)
_NO = re.compile(
    r"\s*(?:no|nope|no thanks?|no thank you|don'?t|leave it|keep it)[\s.!]*", re.IGNORECASE
)


def decided(prompt: Prompt, made: Answer) -> bool:
    """A whole yes or no to the one thing that the answer before this asks about."""
    yes, no = (shape.fullmatch(prompt.question.content) for shape in (_YES, _NO))
    if not (yes or no):
        return False
    asked = Message.objects.for_user(prompt.question.user_id).filter(
        conversation=prompt.conversation, number=prompt.question.number - 1
    )
    before = asked.exclude(state=Message.State.REMOVED).first()
    open_ones = [
        (place, Step.from_kept(kept))
        for place, kept in enumerate(before.steps if before else [])
        if kept["state"] == "asked"
    ]
    if before is None or len(open_ones) != 1:
        return False
    ((place, step),) = open_ones
    try:
        after = consent.decide(before, place, step.mark, yes=bool(yes))
    except consent.NoLongerAsked as refused:
        made.say(str(refused))
        return True
    made.say(_AFTERWARDS[after.state].format(found=literal(after.found)))
    return True


_AFTERWARDS = {
    "done": "Done: {found}.",
    "declined": "I left it as it was.",
    "failed": "That did not work. {found}",
}


# --- Forgetting ----------------------------------------------------------------------------------


def forget(prompt: Prompt, _: QueryIntent, made: Answer) -> bool:
    """Ask before anything goes: show what was said last, and what was learned from it alone."""
    try:
        going = ask_first(prompt, made, "forget_message", {})
    except ToolRefused:
        made.say(
            "You told me nothing before this in our conversation that is still here. A question "
            "or an order of yours can be taken out where it stands."
        )
        return True
    assert isinstance(going, TakenOut)
    # Here it would stay when the message itself is gone.
    what = "what I learned from it alone, and my answer" if going.learned else "my answer to it"
    made.say(
        f"Shall I take out what you said last, with {what}? The card below names it. Press Yes or "
        "No there, or say so; it cannot be brought back."
    )
    return True
