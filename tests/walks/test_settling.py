"""Settling a contradiction on its page, in the conversation and over the API, and undoing it."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import LearningOutcome
from ledger.models import Contradiction, Resolution
from tests.people import Api, Talk, dispute, tell, values

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


# --- On the page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_settling_is_offered_taken_written_down_and_undone(
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
    undone = as_alice.post(url_of(entry, "undo/"), follow=True)
    assert "The conflict is open again" in undone.content.decode()
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


def test_a_card_with_a_strange_name_is_answered_with_its_own(alice: User, as_alice: Client) -> None:
    entry = dispute(alice)
    sent = {"resolution": "keep_new", "card": '"><script>'}
    answer = as_alice.post(url_of(entry, "resolve/"), sent, headers=HTMX).content.decode()
    assert f'id="conflict-{entry.pk}"' in answer
    assert "<script>" not in answer


# --- The API -------------------------------------------------------------------------------------


def test_the_api_settles_and_undoes(alice: User, alice_api: Api) -> None:
    entry = dispute(alice)
    more, status, held, _ = WAYS["timeline"]
    path = f"conflicts/{entry.pk}"
    told = alice_api.post(f"{path}/resolve", {"resolution": "timeline", **more}).json()
    assert (told["status"], told["resolution"]["method"]) == (status, "timeline")
    assert told["resolution"]["can_undo"]
    assert values(alice, "employer") == held
    assert len(lines(alice, "settled")) == 1
    undone = alice_api.post(f"{path}/undo").json()
    assert (undone["status"], undone["resolution"]) == ("open", None)
    assert values(alice, "employer") == {"Google"}
