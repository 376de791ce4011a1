"""Settling a contradiction on its page, in the conversation and over the API, and undoing it."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import LearningOutcome
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction, Resolution
from memory.models import ProfileFact
from tests.people import Api, Talk, dispute, tell, the_fact, values

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
YESTERDAY = localdate() - timedelta(days=1)
WAYS = {
    "keep_new": ({}, "resolved", {"Microsoft"}, "Microsoft. Google stays in your history."),
    "keep_old": ({}, "resolved", {"Google"}, "Still Google. I set Microsoft aside."),
    "merge": (
        {"value": "Google, on loan"},
        "resolved",
        {"Google, on loan"},
        "Google, on loan. Google and Microsoft stay in your history.",
    ),
    "timeline": (
        {"until": str(YESTERDAY - timedelta(days=1)), "since": str(YESTERDAY)},
        "accepted",
        {"Microsoft"},
        "Before that: Google.",
    ),
    "dismiss": ({}, "dismissed", {"Google"}, "Your profile keeps Google, and I’ve stopped asking."),
}
every_way = pytest.mark.parametrize("way", WAYS)


def read(client: Client, path: str) -> str:
    return unescape(re.sub(r"\s+", " ", client.get(path).content.decode()))


def url_of(entry: Contradiction, deed: str = "") -> str:
    return f"/notebook/conflicts/{entry.pk}/{deed}"


def again(entry: Contradiction) -> Contradiction:
    with acting_as(entry.user):
        return Contradiction.objects.for_user(entry.user_id).get(pk=entry.pk)


def lines(user: User, deed: str) -> list[AuditEvent]:
    with acting_as(user):
        return list(AuditEvent.objects.for_user(user.pk).filter(deed=deed).order_by("at"))


def opposed(user: User) -> Contradiction:
    """Olives, liked in one conversation and disliked in another."""
    tell(user, "I like olives")
    tell(user, "I don't like olives")
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).open().get()


def test_values_begin_sentences_with_a_capital_and_the_choice_says_which_is_kept(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work as a nurse")
    tell(alice, "I work as a teacher")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    page = read(as_alice, url_of(entry))
    for words in (">Nurse</h2>", ">Teacher</h2>", "Nurse is right", "Keep nurse and stop asking"):
        assert words in page
    assert "Both are fine" not in page
    assert page.count("Erase for good") == 2


def fill_settled(user: User, numbers: range) -> None:
    """So many settled questions, as rows."""
    first = tell(user, "Hello there")
    facts = [
        ProfileFact(
            user=user,
            slot="likes",
            many=True,
            value=f"thing {number}",
            value_key=f"thing {number} {side}",
            status=status,
            trust=0.9,
            confidence=0.9,
            last_verified=first.said_at,
            valid_from=first.said_at,
        )
        for number in numbers
        for side, status in (("old", "current"), ("new", "set_aside"))
    ]
    entries = [
        Contradiction(
            user=user,
            slot="likes",
            old_fact=old,
            new_fact=new,
            drift=0.5,
            status="resolved",
            opened_at=first.said_at,
        )
        for old, new in zip(facts[::2], facts[1::2], strict=True)
    ]
    answers = [
        Resolution(user=user, contradiction=entry, method="keep_old", kept=entry.old_fact, at=now())
        for entry in entries
    ]
    with acting_as(user):
        ProfileFact.objects.bulk_create(facts)
        Contradiction.objects.bulk_create(entries)
        Resolution.objects.bulk_create(answers)


def test_both_are_fine_keeps_both_where_several_can_hold(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    entry = opposed(alice)
    assert "Your profile keeps both, and I’ll stop asking." in read(as_alice, url_of(entry))
    answered = alice_api.post(f"conflicts/{entry.pk}/resolve", {"resolution": "dismiss"}).json()
    assert answered["status"] == "dismissed"
    assert values(alice, "likes") == values(alice, "dislikes") == {"olives"}
    assert "Your profile keeps both." in read(as_alice, url_of(entry))
    assert "Likes olives and Dislikes olives" in read(as_alice, "/notebook/history/")
    tell(alice, "I like olives")
    with acting_as(alice):
        assert not Contradiction.objects.for_user(alice.pk).open().exists()
    alice_api.post(f"conflicts/{entry.pk}/undo")
    assert (values(alice, "likes"), values(alice, "dislikes")) == ({"olives"}, set())


def test_both_are_fine_says_beforehand_which_value_it_keeps(alice: User, as_alice: Client) -> None:
    page = read(as_alice, url_of(dispute(alice)))
    assert "I’ll keep Google, set Microsoft aside" in page


# --- On the page ---------------------------------------------------------------------------------


@every_way
def test_every_way_of_settling_is_offered_taken_and_written_down(
    way: str, alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    entry = dispute(alice)
    more, status, held, words = WAYS[way]
    assert f'value="{way}"' in read(as_alice, url_of(entry))
    answer = as_alice.post(url_of(entry, "resolve/"), {"resolution": way, **more}, follow=True)
    assert words in unescape(answer.content.decode())
    assert again(entry).status == status
    assert values(alice, "employer") == held
    (line,) = lines(alice, "settled")
    assert (line.by, line.subject, line.after) == ("owner", entry.pk, *held)
    settled = read(as_alice, url_of(entry))
    assert words in settled
    assert "You settled it today." in settled
    (value,) = held
    assert value in talk().say("Where do I work?").content


@every_way
def test_undo_opens_it_again_as_it_was(way: str, alice: User, as_alice: Client) -> None:
    entry = dispute(alice)
    as_alice.post(url_of(entry, "resolve/"), {"resolution": way, **WAYS[way][0]})
    assert "Undo" in read(as_alice, url_of(entry))
    answer = as_alice.post(url_of(entry, "undo/"), follow=True)
    assert "The conflict is open again" in answer.content.decode()
    assert again(entry).is_open
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "employer", "challenger") == {"Microsoft"}
    assert [line.subject for line in lines(alice, "reopened")] == [entry.pk]
    assert "Which is right?" in read(as_alice, url_of(entry))


def test_the_suggestion_is_preselected_with_its_reason_and_settles_nothing_by_itself(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft since last week")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    page = read(as_alice, url_of(entry))
    assert "Suggested because you said “last week”" in page
    assert re.findall(r'id="id_(\w+)"[^>]* checked', page) == ["timeline"]
    assert again(entry).is_open
    assert f"undo this for {settings.MEMORY['undo_days']} days" in page
    with acting_as(alice):
        assert entry.since is not None
    assert f'name="since" id="id_since" value="{entry.since}"' in page


def test_nothing_is_preselected_where_it_is_too_close_to_call(
    alice: User, as_alice: Client
) -> None:
    page = read(as_alice, url_of(dispute(alice)))
    assert "Suggested" not in page
    assert " checked" not in page


def test_the_side_said_more_often_does_not_look_less_sure(alice: User, as_alice: Client) -> None:
    for _ in range(3):
        tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    page = read(as_alice, url_of(entry))
    assert "Said in 3 conversations, last today" in page
    assert "Said in 1 conversation, today" in page
    assert "ure yet" not in page


def test_the_timeline_and_the_conflict_agree_that_neither_value_is_used(
    alice: User, as_alice: Client
) -> None:
    words = "Neither is used until you choose"
    assert words in read(as_alice, url_of(dispute(alice)))
    assert words in read(as_alice, "/notebook/timeline/")


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        ({"resolution": "merge", "value": "  "}, "id_value", "Enter what’s right"),
        (
            {"resolution": "merge", "value": "password is hunter2-Hunter2!"},
            "id_value",
            "never note",
        ),
        ({"resolution": "timeline", "since": "2999-01-01"}, "id_since", "in the future"),
        ({"resolution": "timeline", "since": "31.12."}, "id_since", "Enter the date as"),
        ({"resolution": "timeline", "since": "0001-01-01"}, "id_since", "further than 1900"),
        (
            {"resolution": "timeline", "until": "2024-05-01", "since": "2024-04-01"},
            "id_until",
            "end before the second",
        ),
        ({}, "resolution", "Choose an answer"),
    ],
)
def test_an_answer_that_lacks_something_says_so_at_its_field_and_keeps_what_was_typed(
    sent: dict[str, str], field: str, words: str, alice: User, as_alice: Client
) -> None:
    entry = dispute(alice)
    answer = as_alice.post(url_of(entry, "resolve/"), sent)
    page = unescape(re.sub(r"\s+", " ", answer.content.decode()))
    assert answer.status_code == 422
    error = "resolution-error" if field == "resolution" else f"{field}_error"
    assert re.search(rf'id="{error}".*?{words}', page)
    assert re.search(rf'aria-describedby="[^"]*{error}', page)
    for name, typed in sent.items():
        if name == "resolution":
            assert re.search(rf'id="id_{typed}"[^>]* checked', page)
        else:
            assert f'value="{typed.strip() or typed[:1]}"' in page
    assert again(entry).is_open


def test_likes_against_dislikes_are_told_in_words_that_fit(alice: User, as_alice: Client) -> None:
    entry = opposed(alice)
    page = read(as_alice, url_of(entry))
    assert "Which is it: likes olives, or dislikes olives?" in page
    assert "You told me both: likes olives" in page
    assert "Likes olives until" in page
    assert "olives is right" not in page
    as_alice.post(url_of(entry, "resolve/"), {"resolution": "keep_new"})
    page = read(as_alice, url_of(entry))
    assert "Dislikes olives. “Likes olives” stays in your history." in page
    assert values(alice, "dislikes") == {"olives"}
    assert values(alice, "likes") == set()


def test_the_reply_about_likes_and_dislikes_says_which_is_which(
    alice: User, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I like olives")
    reply = there.say("I don't like olives").content
    assert "You told me both: likes olives, and dislikes olives" in reply


def test_a_disputed_liking_is_spelled_out_on_the_profile(alice: User, as_alice: Client) -> None:
    opposed(alice)
    page = read(as_alice, "/notebook/profile/")
    assert "Likes olives</span> or <span" in page
    assert "dislikes olives</span>" in page


def test_a_value_that_is_a_day_is_no_day_of_a_change(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("My birthday is 3 May")
    there.say("My birthday is 4 May")
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    assert (entry.since, entry.since_words) == (None, "")
    there.say("4 May")
    assert "4 May. 3 May stays in your history." in read(as_alice, url_of(entry))


def test_what_a_rule_settled_says_so_and_can_be_undone(alice: User, as_alice: Client) -> None:
    as_alice.post("/notebook/privacy/", {"choice": "rule", "on": "1"})
    tell(alice, "I work at Google")
    tell(alice, "I joined Microsoft last week")
    assert values(alice, "employer") == {"Microsoft"}
    page = read(as_alice, "/notebook/conflicts/")
    assert "Settled automatically today." in page
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).get()
    as_alice.post(url_of(entry, "undo/"))
    assert values(alice, "employer") == {"Google"}


def test_help_is_asked_for_once_and_the_page_says_what_staff_may_read(
    alice: User, as_alice: Client
) -> None:
    entry = dispute(alice)
    assert "Staff can then read both values" in read(as_alice, url_of(entry))
    for _ in range(2):
        as_alice.post(url_of(entry, "help/"))
    page = read(as_alice, url_of(entry))
    assert "You asked for help today." in page
    assert "Let staff read both values" not in page
    assert len(lines(alice, "help")) == 1


def test_who_settled_it_and_why_is_said_to_its_owner(
    alice: User, mira: User, as_alice: Client
) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=mira, reason="Your letter says so.")
    for page in (read(as_alice, url_of(entry)), read(as_alice, "/notebook/conflicts/")):
        assert "Staff settled it today. Your letter says so." in page


def test_undo_is_gone_after_its_days_and_pressing_an_old_button_says_why(
    alice: User, as_alice: Client
) -> None:
    entry = dispute(alice)
    as_alice.post(url_of(entry, "resolve/"), {"resolution": "keep_new"})
    long_ago = now() - timedelta(days=settings.MEMORY["undo_days"], hours=1)
    with acting_as(alice):
        Resolution.objects.update(at=long_ago)
    page = read(as_alice, url_of(entry))
    assert url_of(entry, "undo/") not in page
    assert "To change it now, edit the fact" in page
    answer = as_alice.post(url_of(entry, "undo/"))
    assert answer.status_code == 409
    assert "can only be undone within" in answer.content.decode()
    assert values(alice, "employer") == {"Microsoft"}


# --- In the conversation -------------------------------------------------------------------------


def test_the_card_offers_the_change_that_the_words_name_and_undo_after_it(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    tell(alice, "I work at Google")
    there = talk()
    there.say("I work at Microsoft since last week")
    assert there.conversation is not None
    page = read(as_alice, there.conversation.get_absolute_url())
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        note = LearningOutcome.objects.get(contradiction=entry)
    since = entry.since
    assert since is not None
    assert f'name="since" value="{since}"' in page
    assert page.count('name="resolution"') == 3
    sent = {"resolution": "timeline", "until": since - timedelta(days=1), "since": since}
    card = as_alice.post(url_of(entry, "resolve/"), {**sent, "card": note.pk}, headers=HTMX)
    shown = card.content.decode()
    assert f'id="conflict-{note.pk}"' in shown
    assert "Works at Microsoft, was Google" in shown
    assert "Undo" in shown
    back = as_alice.post(url_of(entry, "undo/"), {"card": note.pk}, headers=HTMX).content.decode()
    assert f'id="conflict-{note.pk}"' in back
    assert "Microsoft is right" in back
    assert again(entry).is_open


def test_a_typed_answer_stands_as_a_chip_under_its_reply_alone(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I work at Google")
    there.say("I work at Microsoft")
    there.say("Microsoft")
    assert there.conversation is not None
    page = read(as_alice, there.conversation.get_absolute_url())
    assert "You settled it today. You answered in the conversation." in page
    ids = re.findall(r'id="(conflict-[^"]+)"', page)
    assert len(ids) == 1
    assert values(alice, "employer") == {"Microsoft"}


def test_a_card_with_a_strange_name_is_answered_with_its_own(alice: User, as_alice: Client) -> None:
    entry = dispute(alice)
    sent = {"resolution": "keep_new", "card": '"><script>'}
    answer = as_alice.post(url_of(entry, "resolve/"), sent, headers=HTMX).content.decode()
    assert f'id="conflict-{entry.pk}"' in answer
    assert "<script>" not in answer


# --- The list ------------------------------------------------------------------------------------


def test_the_list_says_who_settled_what_and_offers_undo(alice: User, as_alice: Client) -> None:
    entry = dispute(alice)
    as_alice.post(url_of(entry, "resolve/"), {"resolution": "keep_old"})
    page = read(as_alice, "/notebook/conflicts/")
    assert "Still Google. I set Microsoft aside." in page
    assert "You settled it today." in page
    assert url_of(entry, "undo/") in page
    assert "Page 1 of" not in page


def test_what_is_settled_is_shown_thirty_to_a_page(alice: User, as_alice: Client) -> None:
    fill_settled(alice, range(61))
    entry = dispute(alice)
    first, last = (read(as_alice, f"/notebook/conflicts/?page={n}") for n in (1, 3))
    assert "Page 1 of 3" in first
    assert first.count('<p class="value">Still thing') == 30
    assert url_of(entry, "resolve/") in first
    assert last.count('<p class="value">Still thing') == 1
    assert url_of(entry, "resolve/") not in last


# --- The API -------------------------------------------------------------------------------------


@every_way
def test_the_api_settles_in_every_way_and_undoes(way: str, alice: User, alice_api: Api) -> None:
    entry = dispute(alice)
    more, status, held, _ = WAYS[way]
    path = f"conflicts/{entry.pk}"
    told = alice_api.post(f"{path}/resolve", {"resolution": way, **more}).json()
    assert (told["status"], told["resolution"]["method"]) == (status, way)
    assert told["resolution"]["can_undo"]
    assert values(alice, "employer") == held
    assert len(lines(alice, "settled")) == 1
    undone = alice_api.post(f"{path}/undo").json()
    assert (undone["status"], undone["resolution"]) == ("open", None)
    assert values(alice, "employer") == {"Google"}


@pytest.mark.parametrize("day", ["0001-01-01", "2999-01-01", "soon"])
def test_the_api_refuses_a_day_that_cannot_be(day: str, alice: User, alice_api: Api) -> None:
    entry = dispute(alice)
    body: dict[str, Any] = {"resolution": "timeline", "since": day}
    answer = alice_api.post(f"conflicts/{entry.pk}/resolve", body)
    assert answer.status_code == 400
    assert "since" in answer.json()["errors"]
    assert the_fact(alice, "employer").value == "Google"


def test_of_three_values_for_one_thing_the_page_asks_about_two_at_a_time(
    talk: Callable[..., Talk], alice: User, as_alice: Client
) -> None:
    for place in ("Bonn", "Dresden", "Leipzig"):
        talk().say(f"I live in {place}")
    page = as_alice.get("/notebook/conflicts/").content.decode()
    assert "Dresden" in page
    assert "Leipzig" not in page
    assert "1 more about where you live after this one." in page
    with acting_as(alice):
        first = Contradiction.objects.open().order_by("opened_at").first()
        resolve(first, Answer("keep_new"), by=alice)
    page = as_alice.get("/notebook/conflicts/").content.decode()
    assert "Leipzig" in page
    assert "after this one" not in page
