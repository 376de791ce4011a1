"""Off means off and private means private, in whatever order the switches are turned.

Sequences are drawn by lot, the same in every run: switches, kinds that are closed, new
conversations and the way back into old ones, and messages that each hold a name of their own. An
oracle that knows nothing of the product but its promises says of every name where it may stand.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from accounts import work
from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from conversations import privacy
from conversations.learning import listening_runs
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from conversations.topics import topic_store
from memory.core import switch
from memory.facts import blocked_slots
from memory.models import Memory, Passage, ProfileFact
from tests.fakes.model_server import Messages, ModelServer, normal
from tests.people import PASSWORD, Talk, let_time_pass

SEQUENCES, AT_ONCE, STEPS = 15, 5, 12
# What is said, by the slot that it is about; '' is about none.
STATEMENTS = {
    "location": ["I live in {}.", "I moved to {} in March."],
    "employer": ["I work at {}.", "I started at {} last week."],
    "pets": ["My dog is called {}."],
    "": [
        "I booked a flight to {} for the 12th of May.",
        "We decided to call the boat {} on 3 May 2024.",
        "My sister will meet me at the {} theatre next Friday.",
    ],
}
QUESTIONS = (
    "Where do I live, and where do I work?",
    "What do you know about me?",
    "When is my flight, and what did I book?",
    "What did we decide about the boat, and what is my dog called?",
)
CLOSED = ("location", "employer")
# What a model that reads for notes is shown of the person's own words.
SAID_BY_PERSON = re.compile(r'<line n="\d+" by="person"[^>]*>([^<]*)</line>')


class May(StrEnum):
    """Where the name in a message may stand."""

    BE_KNOWN = "be known"
    BE_QUOTED = "be quoted, and be noted as nothing: its kind is closed, or nobody said yes"
    STAY_PRIVATE = "stay in its conversation"
    STAY_UNREAD = "stay in its conversation, and be found by no recall: memory was off"


@dataclass
class Named:
    """A name that was said: where, about what, and what may become of it."""

    name: str
    talk: int
    may: May
    # From which of what is sent on it is quoted nowhere: its conversation became private.
    hidden_from: int | None = None

    @property
    def stays(self) -> bool:
        return self.may in (May.STAY_PRIVATE, May.STAY_UNREAD)


@dataclass
class Life:
    """One person's switches as the oracle keeps them, and what was sent to the model."""

    user: User
    lots: random.Random
    server: ModelServer
    talks: list[Talk] = field(default_factory=list)
    privacies: list[str] = field(default_factory=list)
    asks: bool = False
    closed: set[str] = field(default_factory=set)
    named: list[Named] = field(default_factory=list)
    # [what was sent, for which conversation, None for the worker's; whether memory was on]
    sent: list[tuple[str, int | None, bool]] = field(default_factory=list)

    def step(self) -> None:
        deeds = (self.switch, self.open, self.choose, self.ask, self.close)
        self.lots.choices((*deeds, self.state, self.question), (2, 1, 2, 1, 1, 5, 3))[0]()

    # --- Switches --------------------------------------------------------------------------------

    def switch(self) -> None:
        with acting_as(self.user):
            switch.switch_memory(self.user, on=not self.user.memory_on)

    def open(self) -> None:
        self.talks.append(Talk(self.user))
        self.privacies.append("")

    def choose(self) -> None:
        place = self._place()
        conversation = self.talks[place].conversation
        if conversation is None:
            return
        wish = self.lots.choice(("", "ask", "auto", "private", "private"))
        with acting_as(self.user):
            privacy.choose(Conversation.objects.get(pk=conversation.pk), wish)
        self.privacies[place] = wish
        if wish == "private":
            # What was learned before stays learned; what was said is quoted in no other.
            for one in self.named:
                if one.talk == place and one.hidden_from is None:
                    one.hidden_from = len(self.sent)

    def ask(self) -> None:
        self.asks = not self.asks
        with acting_as(self.user):
            PrivacySettings.objects.update_or_create(
                user=self.user, defaults={"promotion": "ask" if self.asks else "auto"}
            )

    def close(self) -> None:
        slot = self.lots.choice(CLOSED)
        with acting_as(self.user):
            deed = blocked_slots.unblock if slot in self.closed else blocked_slots.block_slot
            deed(self.user.pk, slot)
        self.closed ^= {slot}

    # --- Words -----------------------------------------------------------------------------------

    def state(self) -> None:
        place, slot = self._place(), self.lots.choice(list(STATEMENTS))
        name = _name(self.lots)
        self.named.append(Named(name, place, self._may(place, slot)))
        self._say(place, self.lots.choice(STATEMENTS[slot]).format(name))

    def question(self) -> None:
        self._say(self._place(), self.lots.choice(QUESTIONS))

    def _may(self, place: int, slot: str) -> May:
        if not self.user.memory_on:
            return May.STAY_UNREAD
        if self.privacies[place] == "private":
            return May.STAY_PRIVATE
        asks = (self.privacies[place] or ("ask" if self.asks else "auto")) == "ask"
        return May.BE_QUOTED if asks or slot in self.closed else May.BE_KNOWN

    def _place(self) -> int:
        if not self.talks:
            self.open()
        return self.lots.randrange(len(self.talks))

    def _say(self, place: int, text: str) -> None:
        before = len(self.server.requests)
        self.talks[place].say(text)
        for request in self.server.requests[before:]:
            self.sent.append((json.dumps(request), place, self.user.memory_on))

    def let_the_worker_finish(self) -> None:
        before = len(self.server.requests)
        with acting_as(self.user):
            for conversation in Conversation.objects.for_user(self.user.pk):
                topic_store.look_soon(self.user, conversation.pk)
                listening_runs.listen_soon(self.user, conversation)
        for _ in range(4):
            let_time_pass(self.user)
            work.do_waiting_work()
        for request in self.server.requests[before:]:
            self.sent.append((json.dumps(request), None, self.user.memory_on))


def _name(lots: random.Random) -> str:
    """A name that no language has, and nobody is told of twice."""
    begin, middle, end = "BDFGKLMNPRSTVZ", ("ro", "ul", "ari", "evo", "osk"), ("max", "ven", "dor")
    return lots.choice(begin) + "".join(lots.choices(middle, k=3)) + lots.choice(end)


def repeats(messages: Messages) -> str:
    """The worst of models: it says everything again that its person said, and sums it up so."""
    rules = str(messages[0]["content"])
    if "numbered topic" in rules:
        return json.dumps({"topics": []})
    if "You keep the notes" in rules:
        lines = SAID_BY_PERSON.findall(str(messages[-1]["content"]))
        return json.dumps({"operations": [], "summary": " ".join(lines[-4:])})
    said = [str(one["content"]) for one in messages if one["role"] == "user"]
    return "You said: " + " ".join(said)


# --- What must hold ------------------------------------------------------------------------------


def faults(life: Life) -> Iterator[str]:
    """Where a name stands that should not, in words."""
    kept = dict(_kept(life.user))
    for one in life.named:
        for number, (text, place, on) in enumerate(life.sent):
            if one.name not in text or place == one.talk:
                continue
            if not on:
                yield f"{one.name} ({one.may}) in a prompt while memory was off"
            elif one.stays:
                where = "another conversation's prompt" if place is not None else "the worker's"
                yield f"{one.name} ({one.may}) in {where}"
            elif (
                one.may == May.BE_QUOTED
                and one.hidden_from is not None
                and one.hidden_from <= number
            ):
                yield f"{one.name} in a prompt after its conversation became private"
        yield from (f"{one.name} ({one.may}) in {where}" for where in _wrongly(one, kept))


def _wrongly(one: Named, kept: dict[str, str]) -> Iterator[str]:
    forbidden: set[str] = set()
    if one.hidden_from is not None:
        forbidden |= {"quotable elsewhere", "topics", "titles of private talks"}
    if one.may != May.BE_KNOWN:
        forbidden |= {"facts", "notes in use", "blocks", "lessons", "shared"}
    if one.stays:
        forbidden |= {
            "quotable elsewhere",
            "topics",
            "summaries",
            "traces",
            "notes",
            "export",
            "log",
        }
    if one.may == May.STAY_UNREAD:
        forbidden.add("passages of the person")
    if one.may == May.STAY_PRIVATE:
        forbidden.add("titles of private talks")
    yield from (where for where in sorted(forbidden) if one.name in kept[where])


def _kept(user: User) -> Iterator[tuple[str, str]]:
    """What is kept of a person, by where it stands, as text."""
    with acting_as(user):
        mine = Memory.objects.for_user(user.pk)
        summary = Memory.Category.SUMMARY
        quotable = Message.objects.quotable_elsewhere(user.pk).values("pk")
        yield "facts", _text(ProfileFact.objects.for_user(user.pk))
        yield "notes in use", _text(mine.active().exclude(category=summary))
        yield "notes", _text(mine.exclude(category=summary))
        yield "summaries", _text(mine.filter(category=summary).active())
        passages = Passage.objects.filter(user=user)
        said = passages.filter(by_user=True)
        yield "passages of the person", _text(said)
        # What the assistant says is quoted by nobody; its owner finds it.
        yield "quotable elsewhere", _text(said.filter(message__in=quotable))
        hidden = Conversation.objects.for_user(user.pk).filter(privacy="private")
        yield "titles of private talks", _text(hidden)
        asking = ToolContext(user.pk, Message.objects.latest("said_at").said_at)
        parts = {"parts": ["profile", "notes", "timeline"]}
        yield "export", registry.call(asking, "memory_export", parts).model_dump_json()
        exported = {name: [str(row) for row in rows] for name, rows in owned.export(user.pk)}
        rest = {
            "topics": "conversations.topic",
            "blocks": "memory.memoryblock",
            "lessons": "memory.lessonsupport",
            "shared": "memory.sharedfact",
        }
        for where, label in rest.items():
            yield where, "\n".join(exported.get(label, []))
        yield "traces", _text_of_tables("memory_memoryoperation", "memory_memorychange")
        yield "log", _text_of_tables("accounts_auditevent", "accounts_work")


def _text(rows: Any) -> str:
    return json.dumps(list(rows.values()), default=str)


def _text_of_tables(*tables: str) -> str:
    with connection.cursor() as cursor:
        found = []
        for table in tables:
            cursor.execute(f"select coalesce(string_agg(t::text, chr(10)), '') from \"{table}\" t")
            found.append(cursor.fetchone()[0])
    return "\n".join(found)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", range(0, SEQUENCES, AT_ONCE))
def test_a_name_stands_where_the_switches_let_it(first: int) -> None:
    with (
        ModelServer(normal(repeats)) as server,
        override_settings(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="x"),
    ):
        learned: list[str] = []
        for lot in range(first, first + AT_ONCE):
            user = User.objects.create_user(f"person{lot}@example.org", PASSWORD)
            life = Life(user, random.Random(lot), server)
            for _ in range(STEPS):
                life.step()
            life.let_the_worker_finish()
            assert sorted(set(faults(life))) == [], f"sequence {lot}"
            kept = dict(_kept(user))
            known = (one.name for one in life.named if one.may == May.BE_KNOWN)
            learned += [name for name in known if name in kept["facts"] + kept["notes in use"]]
    # Where nothing was learned at all, nothing was tried.
    assert learned
