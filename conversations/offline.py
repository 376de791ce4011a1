"""The responder without a language model: it answers from the notebook, and says when it cannot.

Every sentence is built from what is stored: what was just noted, what is known, what was said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.urls import reverse

from accounts import words
from conversations.markdown import literal
from conversations.models import Note
from conversations.prompt import Prompt
from conversations.search import Passage
from ledger import present as ledger_present
from memory import guard
from memory.injection import Item
from memory.models import ProfileFact
from memory.relevance import ScoredNote
from memory.slots import SLOTS

NOTHING = "I have no note about that. Tell me, and I will remember."
CANNOT = (
    "I cannot answer that. No language model is set up, so I know only your notes and what was "
    "said in our conversations."
)
MYSELF = (
    "I am Throughline. I take notes as we talk and show you each one; I answer from those notes "
    "and from what was said before, and I ask when two notes disagree. No language model is set "
    "up, so beyond that I cannot help yet."
)
FORGETTING = (
    "I did not note that. To remove something I have noted, open [your profile]({profile}) and "
    "press Forget this."
)
MEMORY_IS_OFF = (
    "Memory is off: I note nothing, and I use nothing that I noted before. Without a language "
    "model there is little else I can do. You can turn memory on again under "
    "[Memories]({memories})."
)
_PERSONAL = re.compile(r"\b(i|i'm|i've|me|my|mine|we|our|us)\b", re.IGNORECASE)
_MYSELF = re.compile(
    r"^\s*(help|who are you|what are you|what can you do|what do you do|what(?:'s| is) your name|"
    r"are you (?:a |an )?(?:human|robot|bot|person|real|machine)|how (?:do you|does this) work|"
    r"how are you(?: doing)?(?: today)?)\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?\s*$|^\s*(who|what|when|where|which|why|how|whose|do|does|did|is|are|was|were|can|could|"
    r"tell me|remind me)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\s*(hi|hello|hey|good (morning|afternoon|evening)|morning)\b[^?]{0,40}$", re.IGNORECASE
)
# From here on a note is an answer to a question, not only near it.
_NOTE_FITS = 0.5
_THANKS = re.compile(
    r"^\s*(thanks|thank you|cheers|great|ok|okay|perfect)\b[^?]{0,40}$", re.IGNORECASE
)


@dataclass
class Answer:
    """The sentences of an answer, and the facts they rest on."""

    pieces: list[str] = field(default_factory=list)
    used: list[Item] = field(default_factory=list)

    def say(self, sentence: str, *facts: ProfileFact) -> None:
        """Add a sentence and what it rests on."""
        self.pieces.append(sentence if not self.pieces else " " + sentence)
        self.rest_on(*(_used_fact(fact) for fact in facts))

    def rest_on(self, *items: Item) -> None:
        """Note what the answer rests on, each once."""
        there = {item.id for item in self.used}
        self.used += [item for item in items if item.id not in there]

    def paragraph(self, sentence: str) -> None:
        """Add a sentence after a blank line."""
        self.pieces.append(sentence if not self.pieces else "\n\n" + sentence)


def answer(prompt: Prompt) -> Answer:
    """Answer from what is stored."""
    made = Answer()
    text = prompt.question.content
    if not prompt.memory_on:
        made.say(MEMORY_IS_OFF.format(memories=reverse("memory:memories")))
        return made
    if guard.asks_to_forget(text):
        made.say(FORGETTING.format(profile=reverse("memory:profile")))
        return made
    if _MYSELF.match(text):
        made.say(MYSELF)
        return made
    _acknowledge(prompt, made)
    if prompt.asked:
        _about_the_person(prompt, made)
    elif _QUESTION.search(text):
        _from_what_was_said(prompt, made)
    elif not made.pieces:
        _small_talk(prompt, made)
    return made


# --- What was just noted -------------------------------------------------------------------------


def _acknowledge(prompt: Prompt, made: Answer) -> None:
    kinds = Note.Kind
    by_kind: dict[str, list[Note]] = {}
    for note in prompt.notes:
        by_kind.setdefault(note.kind, []).append(note)
    if stored := by_kind.get(kinds.STORED):
        made.say(f"{_greet(stored)}I have noted {words.listed([_clause(n) for n in stored])}.")
    if again := [n for n in by_kind.get(kinds.REINFORCED, []) if n.fact is not None]:
        made.say(
            f"You said so before: {words.listed([_clause(n) for n in again])}. Now I am surer."
        )
    if (by_kind.keys() & {kinds.MEMORY, kinds.REINFORCED}) and not made.pieces:
        made.say("I will keep that in mind.")
    if waiting := [n.memory for n in by_kind.get(kinds.WAITING, []) if n.memory is not None]:
        told = words.listed([f"“{literal(memory.content)}”" for memory in waiting])
        made.say(
            f"I ask you first about {told}: it waits for your yes on "
            f"[your profile]({reverse('memory:profile')}#waiting)."
        )
    for note in by_kind.get(kinds.OVERRIDE, []):
        made.say(_for_this_conversation(note))
    for note in by_kind.get(kinds.CONFLICT, []):
        made.say(_two_values(note))
    for note in by_kind.get(kinds.SETTLED, []):
        made.say(f"Thank you. {_how_settled(note)}")
    if by_kind.get(kinds.KEPT):
        made.say("I keep that to this conversation.")


def _greet(stored: list[Note]) -> str:
    """Somebody who has just said their name is greeted by it."""
    name = next(
        (n.fact.value for n in stored if n.slot in ("preferred_name", "name") and n.fact), ""
    )
    return f"Good to meet you, {literal(name)}. " if name else ""


def _clause(note: Note) -> str:
    """'that you work at Google', from the slot's own sentence."""
    value = literal(note.fact.value) if note.fact else ""
    sentence = note.about.answer.format(value=value).rstrip(".")
    if ":" in sentence:
        # 'Your job: nurse' does not follow 'that'.
        return f"that your {note.about.noun} is {value}"
    return "that " + sentence[0].lower() + sentence[1:]


def _for_this_conversation(note: Note) -> str:
    value = literal(note.override.value) if note.override else ""
    if note.slot == "preferred_name":
        return f"{value} it is, in this conversation only."
    return f"{note.about.noun.capitalize()}: {value}, in this conversation only."


def _two_values(note: Note) -> str:
    if note.contradiction is None:
        return ""
    if not note.contradiction.is_open:
        return _how_settled(note)
    asked = ledger_present.view(note.contradiction)
    old, new = literal(asked.old.value), literal(asked.new.value)
    if note.contradiction.opened_at < note.message.said_at:
        about = "" if asked.opposed else f" about your {note.about.noun}"
        return f"My question{about} is still open: {old} or {new}?"
    two = "two notes that do not agree" if asked.opposed else f"two values for your {asked.noun}"
    return (
        f"I have {two} now: {old}, which I had, and {new}, which you just said. "
        "Nothing changes until you choose, here or under Conflicts."
    )


def _how_settled(note: Note) -> str:
    """'Google since 16 November. Microsoft keeps its years.'"""
    if note.contradiction is None:
        return ""
    return literal(ledger_present.settled(note.contradiction, note.message.said_at))


# --- Questions about the person ------------------------------------------------------------------


def _about_the_person(prompt: Prompt, made: Answer) -> None:
    if prompt.asked == ("*",):
        _everything(prompt, made)
        return
    answered = False
    for slot in _answerable(prompt):
        answered = _one_slot(prompt, made, slot) or answered
    if answered:
        return
    if not _quote(prompt, made, count=1):
        made.say(NOTHING)


def _answerable(prompt: Prompt) -> list[str]:
    """The asked slots, with what this conversation calls the person ahead of their name."""
    slots = list(prompt.asked)
    if "name" in slots and "preferred_name" in prompt.recall.overrides:
        slots = ["preferred_name", *[s for s in slots if s != "preferred_name"]]
    if "preferred_name" in slots and "name" in slots and "preferred_name" not in _known(prompt):
        slots.remove("preferred_name")
    return slots


def _known(prompt: Prompt) -> set[str]:
    return {*prompt.recall.overrides, *prompt.recall.facts}


def _one_slot(prompt: Prompt, made: Answer, slot: str) -> bool:
    here = prompt.recall.overrides.get(slot, [])
    if here:
        value = words.listed([literal(override.value) for override in here])
        if slot == "preferred_name":
            made.say(f"In this conversation I call you {value}.")
        else:
            made.say(f"In this conversation: {SLOTS[slot].answer.format(value=value)}")
        if not SLOTS[slot].many:
            return True
    facts = prompt.recall.facts.get(slot)
    if not facts:
        return bool(here)
    if prompt.recall.is_disputed(slot):
        rivals = {rival.pk: rival for fact in facts for rival in prompt.recall.rivals(fact)}
        sides = [*facts, *rivals.values()]
        values = words.listed([literal(fact.value) for fact in sides], "or")
        made.say(
            f"I have more than one answer for your {SLOTS[slot].noun}: {values}. "
            "Until you choose, here or under Conflicts, I use none of them.",
            *sides,
        )
        return True
    value = words.listed([literal(fact.value) for fact in facts])
    made.say(SLOTS[slot].answer.format(value=value), *facts)
    if over := [literal(fact.value) for fact in facts if fact.pk in prompt.seem_over]:
        made.say(
            f"You said that this may be over: {words.listed(over)}. It waits for your yes on "
            f"[your profile]({reverse('memory:profile')}#waiting)."
        )
    return True


def _everything(prompt: Prompt, made: Answer) -> None:
    known = [slot for slot in SLOTS if slot in _known(prompt)]
    if not known:
        made.say("Nothing yet. Tell me something about you, and I will note it.")
        return
    made.say("This is what I have noted:")
    for slot in known:
        line = Answer()
        _one_slot(prompt, line, slot)
        made.pieces.append("\n- " + "".join(line.pieces))
        made.rest_on(*line.used)


# --- Questions about what was said ---------------------------------------------------------------


def _from_what_was_said(prompt: Prompt, made: Answer) -> None:
    if not _quote(prompt, made, count=3):
        made.say(NOTHING if _PERSONAL.search(prompt.question.content) else CANNOT)


def _quote(prompt: Prompt, made: Answer, count: int) -> bool:
    """Answer with the nearest notes and messages, at most `count`; False when there are none."""
    said = prompt.passages
    quoted = {passage.message.pk for passage in said}
    fitting = [
        note
        for note in sorted(prompt.remembered, key=lambda note: -note.score.total)
        if note.score.similarity >= _NOTE_FITS and note.message_id not in quoted
    ]
    # A note fits or does not; messages are only the nearest there are.
    notes = fitting[: max(1, count - 1)] if said else fitting[:count]
    said = said[: count - len(notes)]
    if not notes and not said:
        return False
    several = len(notes) + len(said) > 1
    made.say("This is the nearest I find in what was said:" if several else "I find this:")
    for note in notes:
        when = words.day(note.said_at, prompt.question.said_at)
        made.pieces.append(f"\n- Noted {when}: {literal(note.original or note.content)}")
        made.rest_on(_used_note(note))
    for passage in said:
        made.pieces.append("\n" + "".join(_quoted(prompt, passage)))
        made.rest_on(_used_passage(passage))
    # A note that was taken from a quoted message was as much of use as the message.
    told = {passage.message.pk for passage in said}
    made.rest_on(*(_used_note(note) for note in prompt.remembered if note.message_id in told))
    return True


def _used_fact(fact: ProfileFact) -> Item:
    return Item(what="fact", id=fact.pk, heading=fact.kind.noun, line=fact.value, prose=fact.value)


def _used_note(note: ScoredNote) -> Item:
    return Item(
        what="summary" if note.category == "summary" else "memory",
        id=note.id,
        heading="",
        line=note.content,
        prose=note.content,
        score=note.score,
        conversation_id=note.conversation_id,
    )


def _used_passage(passage: Passage) -> Item:
    message = passage.message
    return Item(
        what="quote",
        id=message.pk,
        heading="",
        line=message.content,
        prose=message.content,
        conversation_id=message.conversation_id,
    )


def _quoted(prompt: Prompt, passage: Passage) -> Iterator[str]:
    message = passage.message
    when = words.day(message.said_at, prompt.question.said_at)
    who = literal(message.author) if message.author else "you"
    text = message.content if len(message.content) <= 400 else message.content[:399] + "…"
    yield f"- {when.capitalize() if not when[0].isdigit() else when}, {who}: “{literal(text)}”"
    if message.conversation_id != prompt.conversation.pk:
        title = literal(message.conversation.title or "that conversation")
        yield f" ([{title}]({message.get_absolute_url()}))"


# --- Everything else -----------------------------------------------------------------------------


def _small_talk(prompt: Prompt, made: Answer) -> None:
    text = prompt.question.content
    if _GREETING.match(text):
        name = _name(prompt, made)
        made.say(f"Hello{', ' + name if name else ''}.")
        if not name:
            made.say("What should I call you?")
        if prompt.open_conflicts:
            count = words.number(prompt.open_conflicts)
            made.say(
                f"There {'is' if prompt.open_conflicts == 1 else 'are'} {count} of my notes "
                "that I would like you to settle."
            )
        return
    if _THANKS.match(text):
        made.say("You are welcome.")
        return
    made.say("I found nothing in that to note about you; the message itself is kept here.")
    made.say("I answer from your notes and from what was said before. Ask me about either.")


def _name(prompt: Prompt, made: Answer) -> str:
    for override in prompt.recall.overrides.get("preferred_name", []):
        return literal(override.value)
    for slot in ("preferred_name", "name"):
        facts = prompt.recall.facts.get(slot)
        if facts and not prompt.recall.is_disputed(slot):
            made.rest_on(_used_fact(facts[0]))
            return literal(facts[0].value)
    return ""
