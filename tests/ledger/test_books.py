"""After any sequence of deeds the books are right: what holds, what held on any day, and why not.

The deeds are the real ones, days apart: talk, the person's own hand, every answer to a question and
taking it back, proposals, kinds of facts that are closed, and erasing.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, PrivacySettings, User
from ledger import erasure
from ledger.conflicts.resolution import Answer, UnfitAnswer, resolve
from ledger.conflicts.undo import CannotUndo, undo
from ledger.history import timeline
from ledger.models import Contradiction, Resolution
from ledger.promotion import proposals
from memory import manager
from memory.facts import blocked_slots, revision
from memory.facts.revision import NowhereToStay, SlotTaken
from memory.models import Memory, Override, ProfileFact, key_of
from memory.notes.note_gate import NotKept
from memory.slots import SLOTS
from memory.web import as_of
from tests.clock import own_time
from tests.people import dispute, tell, the_fact

pytestmark = pytest.mark.django_db
Status = ProfileFact.Status
Method = Resolution.Method


WORDS = {
    "employer": ["Google", "Microsoft", "Amazon", "google"],
    "location": ["Rome", "Portland", "Portland, Maine", "Portland, Oregon"],
    "likes": ["olives", "jazz"],
    "dislikes": ["olives", "jazz"],
}
PHRASES = {
    "employer": ["I work at {}", "I started at {} last week", "No, I work at {}"],
    "location": ["I live in {}", "I moved to {} in March", "Actually I live in {}"],
    "likes": ["I like {}"],
    "dislikes": ["I hate {}"],
}
ENDINGS = {
    "employer": "I no longer work at {}",
    "location": "I no longer live in {}",
    "likes": "I no longer like {}",
    "dislikes": "I no longer hate {}",
}


@dataclass(frozen=True)
class Action:
    """One thing to do. `pick` chooses among words, phrases and rows; `back` is in days."""

    name: str
    slot: str
    pick: int
    back: int | None
    gap: int


DEEDS: dict[str, Callable[[User, Action], None]] = {}


def deed(act: Callable[[User, Action], None]) -> Callable[[User, Action], None]:
    DEEDS[act.__name__] = act
    return act


def word(one: Action) -> str:
    words = WORDS[one.slot]
    return words[one.pick % len(words)]


def facts_of(user: User, one: Action, *status: str) -> list[ProfileFact]:
    rows = ProfileFact.objects.for_user(user.pk).filter(slot=one.slot, status__in=status)
    return list(rows.order_by("created_at"))


def since(one: Action) -> datetime | None:
    return None if one.back is None else now() - timedelta(days=one.back)


@deed
def say(user: User, one: Action) -> None:
    phrases = PHRASES[one.slot]
    message = tell(user, phrases[one.pick % len(phrases)].format(word(one)))
    with acting_as(user):
        message.refresh_from_db(fields=["learned_at"])
    assert message.learned_at is not None, f"{message.content} was not learned from"


@deed
def say_it_is_over(user: User, one: Action) -> None:
    with acting_as(user):
        held = facts_of(user, one, Status.CURRENT)
    tell(user, ENDINGS[one.slot].format(held[0].value if held else word(one)))


@deed
def write(user: User, one: Action) -> None:
    with acting_as(user):
        revision.write_by_hand(user.pk, one.slot, word(one), since(one))


@deed
def rewrite(user: User, one: Action) -> None:
    with acting_as(user):
        for fact in facts_of(user, one, Status.CURRENT)[:1]:
            revision.rewrite(fact, word(one), since(one))


@deed
def confirm(user: User, one: Action) -> None:
    with acting_as(user):
        for fact in facts_of(user, one, Status.CURRENT)[:1]:
            revision.confirm(fact)


@deed
def take_back(user: User, one: Action) -> None:
    with acting_as(user):
        for fact in facts_of(user, one, Status.CURRENT)[:1]:
            manager.retract(fact)


@deed
def close(user: User, one: Action) -> None:
    with acting_as(user):
        for fact in facts_of(user, one, Status.CURRENT)[:1]:
            manager.end(fact, since(one) or now(), why="Over.")


@deed
def bring_back(user: User, one: Action) -> None:
    with acting_as(user):
        gone = facts_of(user, one, Status.REMOVED, Status.PAST)
        if gone:
            revision.restore(gone[one.pick % len(gone)])


@deed
def narrow(user: User, one: Action) -> None:
    with acting_as(user):
        for fact in facts_of(user, one, Status.CURRENT)[:1]:
            revision.narrow(fact)


@deed
def widen(user: User, one: Action) -> None:
    with acting_as(user):
        for held in Override.objects.filter(user=user, slot=one.slot)[:1]:
            revision.widen(held)


@deed
def let_go(user: User, one: Action) -> None:
    with acting_as(user):
        noted = facts_of(user, one, *Status.values)
        if not noted:
            return
        gone = noted[one.pick % len(noted)]
        assert erasure.erase(gone)
        left = facts_of(user, one, *Status.values)
        assert {fact.pk for fact in left}.isdisjoint(
            fact.pk for fact in noted if fact.value_key == gone.value_key
        )
        assert not Override.objects.filter(user=user, slot=one.slot, value=gone.value).exists()
        lines = AuditEvent.objects.for_user(user.pk).filter(slot=one.slot)
        told = [side for line in lines for side in f"{line.before} / {line.after}".split(" / ")]
        assert gone.value_key not in {key_of(one.slot, side) for side in told}


def open_one(user: User, one: Action) -> Contradiction | None:
    rows = Contradiction.objects.for_user(user.pk).open().order_by("opened_at")
    waiting = list(rows.filter(slot=one.slot))
    return waiting[one.pick % len(waiting)] if waiting else None


def answer(one: Action) -> Answer:
    method = list(Method)[one.pick % 6]
    today = localtime(now()).date()
    begins = None if one.back is None else today - timedelta(days=one.back)
    until = None if begins is None else begins - timedelta(days=one.pick % 3)
    return Answer(method, "Acme" if one.pick % 2 else word(one), until, begins)


@deed
def settle(user: User, one: Action) -> None:
    with acting_as(user):
        entry = open_one(user, one)
        if entry is not None:
            resolve(entry, answer(one), by=None if one.back is None else user)


@deed
def settle_and_undo(user: User, one: Action) -> None:
    with acting_as(user):
        entry, before = open_one(user, one), books(user)
        if entry is None:
            return
        resolve(entry, answer(one), by=user)
        undo(entry)
        after = books(user)
        for key in set(after) - set(before):
            assert after.pop(key)[1] == Status.SET_ASIDE, "what was merged is out of the way"
        assert after == before


@deed
def undo_the_last(user: User, one: Action) -> None:
    with acting_as(user):
        standing = Resolution.objects.filter(user=user, undone_at__isnull=True)
        standing = standing.filter(contradiction__slot=one.slot).order_by("-at")
        for settled in standing[:1]:
            undo(settled.contradiction)


def proposal(user: User, one: Action) -> Memory | None:
    return proposals.waiting(user.pk).filter(slot=one.slot).first()


@deed
def accept(user: User, one: Action) -> None:
    with acting_as(user):
        waits = proposal(user, one)
        if waits is not None:
            proposals.accept(waits)


@deed
def decline(user: User, one: Action) -> None:
    with acting_as(user):
        waits = proposal(user, one)
        if waits is not None:
            proposals.decline(waits, never=one.pick % 4 == 0)


@deed
def block(user: User, one: Action) -> None:
    with acting_as(user):
        blocked_slots.block_slot(user.pk, one.slot)


@deed
def unblock(user: User, one: Action) -> None:
    with acting_as(user):
        blocked_slots.unblock(user.pk, one.slot)


@deed
def choose(user: User, one: Action) -> None:
    """To be asked first or not, and whether a rule may settle what is clear."""
    with acting_as(user):
        chosen = {"promotion": ["auto", "ask"][one.pick % 2], "settle_by_rule": one.pick % 3 == 0}
        PrivacySettings.objects.update_or_create(user=user, defaults=chosen)


# Refusals in plain words: an answer too, and no deed half done.
REFUSED = (SlotTaken, NotKept, NowhereToStay, UnfitAnswer, CannotUndo)


def books(user: User) -> dict[UUID, tuple[Any, ...]]:
    """Every fact and every entry, as they stand."""
    facts = ProfileFact.objects.for_user(user.pk)
    told = "value status slot valid_from valid_to last_verified trust".split()
    read: dict[UUID, tuple[Any, ...]] = {
        fact[0]: fact[1:] for fact in facts.values_list("pk", *told)
    }
    entries = Contradiction.objects.filter(user=user)
    read |= {
        entry[0]: entry[1:] for entry in entries.values_list("pk", "status", "old_fact", "new_fact")
    }
    return read


@dataclass
class Reader:
    """Checks the books after each deed, and remembers what was current before it."""

    user: User
    current: dict[UUID, str] = field(default_factory=dict)
    lines: int = 0

    def check(self) -> None:
        with acting_as(self.user):
            facts = list(ProfileFact.objects.for_user(self.user.pk))
            entries = list(Contradiction.objects.for_user(self.user.pk))
            self.each_line_is_whole(facts)
            self.one_value_a_slot(facts)
            self.every_dispute_has_its_sides(facts, entries)
            self.nothing_ends_in_silence(facts)
            self.days_agree(facts)

    def each_line_is_whole(self, facts: list[ProfileFact]) -> None:
        for fact in facts:
            assert fact.value_key == key_of(fact.slot, fact.value)
            live = fact.status in (Status.CURRENT, Status.CHALLENGER)
            assert (fact.valid_to is None) == live

    def one_value_a_slot(self, facts: list[ProfileFact]) -> None:
        for slot in SLOTS.values():
            standing = [f.status for f in facts if f.slot == slot.key]
            if slot.many:
                continue
            assert standing.count(Status.CURRENT) <= 1
            if Status.CHALLENGER in standing:
                assert Status.CURRENT in standing

    def every_dispute_has_its_sides(
        self, facts: list[ProfileFact], entries: list[Contradiction]
    ) -> None:
        waiting = [entry for entry in entries if entry.is_open]
        for entry in waiting:
            assert entry.old_fact.status == Status.CURRENT
            assert entry.new_fact.status == Status.CHALLENGER
        rivals = {f.pk for f in facts if f.status == Status.CHALLENGER}
        assert rivals == {entry.new_fact_id for entry in waiting}
        for entry in entries:
            assert (entry.resolution is None) == entry.is_open

    def nothing_ends_in_silence(self, facts: list[ProfileFact]) -> None:
        """Of whatever ended a new line tells, in its words or as an erasure of that very fact."""
        written = AuditEvent.objects.for_user(self.user.pk).order_by("at", "pk")
        new = list(written[self.lines :])
        self.lines += len(new)
        erased = {line.subject for line in new if line.deed == AuditEvent.Action.ERASED}
        current = {f.pk: f.value for f in facts if f.status == Status.CURRENT}
        for key, value in self.current.items():
            if current.get(key) != value and key not in erased:
                assert any(value in line.before for line in new), f"{value} ended in silence"
        self.current = current

    def days_agree(self, facts: list[ProfileFact]) -> None:
        today = localtime(now()).date()
        current = {f.pk for f in facts if f.status == Status.CURRENT}
        assert self.held(now()) == current
        strands = timeline.slot_histories(timeline.read(self.user.pk))
        held = [f for f in facts if f.status in (Status.CURRENT, Status.PAST)]
        ends = {localtime(at).date() for f in held for at in (f.valid_from, f.valid_to) if at}
        days = {end + timedelta(days=by) for end in ends for by in (-1, 0, 1)} | {today}
        for day in sorted(day for day in days if day <= today):
            shown = self.held(as_of.end_of(day))
            assert shown == {f.pk for f in held if covers(f, day)}, day
            assert shown == {span.fact.pk for strand in strands for span in strand.on(day)}, day
            single = [f.slot for f in facts if f.pk in shown and not f.many]
            assert len(single) == len(set(single)), f"two values on {day}"
            if day == today:
                assert shown == current

    def held(self, at: datetime) -> set[UUID]:
        return set(
            ProfileFact.objects.for_user(self.user.pk).as_of(at).values_list("pk", flat=True)
        )


def covers(fact: ProfileFact, day: date) -> bool:
    """Whether a day lies in a fact's span: its first day counts, the day of its end does not."""
    ended = fact.valid_to and localtime(fact.valid_to).date()
    return localtime(fact.valid_from).date() <= day and (ended is None or day < ended)


# What can be done whatever the books say. What is said comes up more often: the rest stands on it.
ALWAYS = ["say", "say", "say", "say", "write", "choose"]


def possible(user: User, slot: str) -> list[str]:
    """The deeds that find something to act upon, by name; what was settled is taken back often."""
    with acting_as(user):
        facts = ProfileFact.objects.for_user(user.pk).filter(slot=slot)
        standing = set(facts.values_list("status", flat=True))
        entries = Contradiction.objects.filter(user=user, slot=slot)
        found = [
            (
                Status.CURRENT in standing,
                "say_it_is_over rewrite confirm take_back close narrow block",
            ),
            (standing & {Status.REMOVED, Status.PAST}, "bring_back bring_back"),
            (standing, "let_go let_go"),
            (
                entries.open().exists(),
                "settle settle settle settle_and_undo settle_and_undo settle_and_undo",
            ),
            (entries.exclude(status="open").exists(), "undo_the_last undo_the_last"),
            (proposals.waiting(user.pk).filter(slot=slot).exists(), "accept accept decline"),
            (Override.objects.filter(user=user, slot=slot).exists(), "widen"),
            (slot in blocked_slots.slots_of(user.pk), "unblock unblock unblock unblock"),
        ]
    return ALWAYS + [name for there, names in found if there for name in names.split()]


def live(user: User, slots: list[str], dice: Random, deeds: int) -> None:
    """One thing after the other, days apart, with a look at the books after each."""
    with own_time() as clock:
        reader = Reader(user)
        for _ in range(deeds):
            slot = dice.choice(slots)
            one = Action(
                name=dice.choice(possible(user, slot)),
                slot=slot,
                pick=dice.randrange(12),
                back=dice.choice([None, dice.randint(-3, 60)]),
                gap=dice.choice([0, 0, 1, 3, 12]),
            )
            print(one)  # shown when the books are wrong
            clock.at += timedelta(days=one.gap, minutes=7)
            with suppress(*REFUSED):
                DEEDS[one.name](user, one)
            reader.check()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("slots", [["employer"], ["location"], ["likes", "dislikes"]], ids="-".join)
def test_after_any_sequence_of_deeds_the_books_are_right(
    alice: User, slots: list[str], seed: int
) -> None:
    """Stories by dice rather than by search: what matters is that deeds of all kinds meet."""
    live(alice, slots, Random(f"{slots} {seed}"), deeds=24)


def spans_of(user: User, slot: str = "employer") -> list[tuple[str, date, date | None]]:
    with acting_as(user):
        (strand,) = [
            s for s in timeline.slot_histories(timeline.read(user.pk)) if s.slot.key == slot
        ]
    return [(span.value, span.first, span.end) for span in strand.spans]


def days_ago(count: int) -> datetime:
    return now() - timedelta(days=count)


def by_hand(user: User, value: str, since: datetime, slot: str = "employer") -> ProfileFact:
    with acting_as(user):
        return revision.write_by_hand(user.pk, slot, value, since)


def test_what_takes_over_from_a_value_that_ended_begins_when_it_ended(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    with acting_as(alice):
        ProfileFact.objects.filter(pk=entry.old_fact_id).update(valid_from=days_ago(30))
        ProfileFact.objects.filter(pk=entry.new_fact_id).update(valid_from=days_ago(20))
        manager.end(the_fact(alice, "employer"), days_ago(10))
    ended = days_ago(10).date()
    assert spans_of(alice) == [
        ("Google", days_ago(30).date(), ended),
        ("Microsoft", ended, None),
    ]


def test_a_beginning_that_is_told_cuts_short_what_was_held_by_then(alice: User) -> None:
    by_hand(alice, "Google", days_ago(90))
    with acting_as(alice):
        revision.rewrite(the_fact(alice, "employer"), "Microsoft", days_ago(30))
        revision.rewrite(the_fact(alice, "employer"), "Amazon", days_ago(60))
    told = days_ago(60).date()
    held = [span for span in spans_of(alice) if span[1] != span[2]]
    assert held == [("Google", days_ago(90).date(), told), ("Amazon", told, None)]
    assert ("Microsoft", told, told) in spans_of(alice), "it is over, and began nobody knows when"


def test_what_is_brought_back_begins_after_what_was_held_meanwhile(alice: User) -> None:
    first = by_hand(alice, "Google", days_ago(90))
    with acting_as(alice):
        revision.retract(first)
        revision.close(
            revision.write_by_hand(alice.pk, "employer", "Acme", days_ago(60)), days_ago(20)
        )
        revision.restore(first)
    assert spans_of(alice) == [
        ("Acme", days_ago(60).date(), days_ago(20).date()),
        ("Google", days_ago(20).date(), None),
    ]


def test_undoing_a_timeline_gives_what_it_cut_short_its_days_again(alice: User) -> None:
    by_hand(alice, "Google", days_ago(90))
    with acting_as(alice):
        revision.rewrite(the_fact(alice, "employer"), "Microsoft", days_ago(30))
    before = spans_of(alice)
    tell(alice, "I work at Amazon")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        begins = days_ago(60).date()
        resolve(entry, Answer("timeline", until=begins, since=begins), by=alice)
    assert spans_of(alice) == [
        ("Google", days_ago(90).date(), begins),
        ("Microsoft", begins, begins),
        ("Amazon", begins, None),
    ]
    with acting_as(alice):
        undo(entry)
    assert spans_of(alice) == before


def test_undoing_turns_what_was_said_since_against_what_holds_again(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
    tell(alice, "I work at Amazon")
    with acting_as(alice):
        undo(entry)
        waiting = Contradiction.objects.for_user(alice.pk).open()
        assert {one.old_fact.value for one in waiting} == {"Google"}
        assert {one.new_fact.value for one in waiting} == {"Microsoft", "Amazon"}


def test_what_waits_to_be_settled_is_not_written_a_second_time(alice: User) -> None:
    tell(alice, "I like jazz")
    tell(alice, "I hate olives")
    tell(alice, "I hate jazz")
    with acting_as(alice):
        with pytest.raises(SlotTaken):
            revision.rewrite(the_fact(alice, "dislikes"), "jazz")
        with pytest.raises(SlotTaken):
            revision.write_by_hand(alice.pk, "dislikes", "jazz")


def test_merging_into_what_is_noted_already_is_refused_in_words(alice: User) -> None:
    tell(alice, "I like jazz")
    tell(alice, "I like olives")
    tell(alice, "I hate jazz")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        with pytest.raises(UnfitAnswer, match="already have olives"):
            resolve(entry, Answer("merge", "olives"), by=alice)
        assert Contradiction.objects.open().count() == 1
