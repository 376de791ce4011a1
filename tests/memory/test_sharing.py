"""Pages for whoever has the link: exactly what was chosen, as it stands, and nothing else."""

import html
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client, RequestFactory
from django.utils.timezone import now

from accounts.database.isolation import acting_as, acting_as_visitor
from accounts.models import User
from config.visits import route_of
from ledger.conflicts.resolution import Answer, resolve
from memory import sharing
from memory.facts import blocked_slots, revision
from memory.models import Memory, ProfileFact, ProfileShare, SharedFact
from memory.notes import note_store
from memory.sharing import NotShareable
from tests.people import Api, tell, the_fact

pytestmark = pytest.mark.django_db
PERSON = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}


@pytest.fixture
def notebook(alice: User) -> None:
    """A profile with something in many slots, notes beside it, and a question that is open."""
    tell(alice, "My name is Alice, I work at Qwertzfirm and I live in Alphaville")
    tell(alice, "I speak German and I enjoy falconry. My dog is called Wilhelmina")
    tell(alice, "I'm 34 years old and my job is glassblower")
    with acting_as(alice):
        note_store.write_by_hand(alice.pk, "Plays at the Xylophonia festival each summer")


def share(user: User, *slots: str, days: int | None = 7, **more: Any) -> ProfileShare:
    with acting_as(user):
        facts = [f.pk for f in sharing.choosable(user.pk) if f.slot in slots]
        return sharing.make(user.pk, "For the fair", facts, days, **more)


def look(share: ProfileShare, **headers: str) -> Any:
    """As somebody without an account, in a browser of their own."""
    return Client().get(share.get_absolute_url(), headers=PERSON | headers)


def seen(share: ProfileShare) -> list[str]:
    """The values on the page."""
    found = re.findall(r"<dd>(.*?)</dd>", look(share).content.decode())
    return [html.unescape(value) for value in found]


def later(monkeypatch: pytest.MonkeyPatch, **ahead: float) -> None:
    """Let the visitors come at another time."""
    at = now() + timedelta(**ahead)
    monkeypatch.setattr("memory.web.views.sharing.now", lambda: at)


# --- What a page shows ---------------------------------------------------------------------------


@pytest.mark.usefixtures("notebook")
def test_a_page_shows_the_chosen_lines_and_nothing_else_of_its_owner(alice: User) -> None:
    page = look(share(alice, "employer", "languages", shown_as="A. Lice")).content.decode()
    with acting_as(alice):
        facts = list(ProfileFact.objects.all())
        notes = list(Memory.objects.values_list("content", flat=True))
    assert {f.value for f in facts if f.slot in ("employer", "languages")} == {
        "Qwertzfirm",
        "German",
    }
    others = {f.value for f in facts if f.slot not in ("employer", "languages")}
    assert len(others) >= 5
    keys = {
        str(key) for f in facts for key in (f.pk, f.source_message_id, f.source_conversation_id)
    }
    for word in (*others - {"Alice"}, *notes, *keys, str(alice.pk), alice.email, "Alice<"):
        assert word not in page
    assert "Qwertzfirm" in page
    assert "German" in page
    assert "Shared by A. Lice" in page
    for word in ("notebook", "Sure", "conversation", "csrf", "<script", "<form", "talk/"):
        assert word not in page


@pytest.mark.usefixtures("notebook")
def test_the_owners_name_is_only_there_when_chosen(alice: User) -> None:
    page = look(share(alice, "employer")).content.decode()
    assert "Alice" not in page
    assert "Shared by" not in page


def test_words_are_shown_and_never_run(alice: User) -> None:
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "interests", "<b>maps</b> & more")
    one = share(alice, "interests", shown_as="<i>me</i>")
    page = look(one).content.decode()
    assert "<b>" not in page
    assert "<i>" not in page
    assert seen(one) == ["<b>maps</b> & more"]


@pytest.mark.usefixtures("notebook")
def test_a_page_follows_its_owners_wording_and_forgets_with_them(alice: User) -> None:
    one = share(alice, "location", "employer")
    with acting_as(alice):
        fact = revision.rewrite(the_fact(alice, "location"), "Betaville")
    assert seen(one) == ["Qwertzfirm", "Betaville"]
    with acting_as(alice):
        fact = revision.rewrite(fact, "Gammaville")
    assert seen(one) == ["Qwertzfirm", "Gammaville"]
    with acting_as(alice):
        revision.retract(fact)
    assert seen(one) == ["Qwertzfirm"]
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "location", "Deltaville")
    assert seen(one) == ["Qwertzfirm"]


def test_what_is_written_in_place_of_two_values_was_never_chosen(alice: User) -> None:
    """Staff may have written it, and its owner has not seen it."""
    tell(alice, "I work at Qwertzfirm")
    one = share(alice, "employer")
    tell(alice, "I work at Zephyrsoft")
    with acting_as(alice):
        (entry,) = the_fact(alice, "employer").disputed_by.all()  # type: ignore[attr-defined]
        resolve(entry, Answer("merge", "Both of them"), by=alice)
    assert seen(one) == []


@pytest.mark.usefixtures("notebook")
def test_a_blocked_kind_leaves_the_page_at_once(alice: User) -> None:
    one = share(alice, "employer", "location")
    fact = the_fact(alice, "employer")
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "employer")
    assert seen(one) == ["Alphaville"]
    with acting_as(alice):
        blocked_slots.unblock(alice.pk, "employer")
    assert seen(one) == ["Alphaville"]
    with acting_as(alice):
        revision.restore(fact)
    assert seen(one) == ["Qwertzfirm", "Alphaville"]


@pytest.mark.usefixtures("notebook")
def test_a_disputed_line_waits_and_the_winner_was_never_chosen(alice: User) -> None:
    one = share(alice, "employer", "location")
    tell(alice, "I work at Zephyrsoft")
    assert seen(one) == ["Alphaville"]
    with acting_as(alice):
        (entry,) = the_fact(alice, "employer").disputed_by.all()  # type: ignore[attr-defined]
        resolve(entry, Answer("keep_new"), by=alice)
    assert seen(one) == ["Alphaville"]
    assert "Zephyrsoft" not in look(one).content.decode()


# --- What can never be shared --------------------------------------------------------------------


def sensitive(user: User, slot: str, value: str) -> UUID:
    """A fact that should not be there, as an import of old days might have left it."""
    with acting_as(user):
        fact = revision.write_by_hand(user.pk, "interests", value)
        # revision would refuse the slot as well; the rows are what sharing has to judge.
        ProfileFact.objects.filter(pk=fact.pk).update(slot=slot)
        return fact.pk


@pytest.mark.parametrize(
    ("slot", "value"),
    [("medical", "a cold"), ("diet", "halal food"), ("family", "a wife with cancer")],
)
def test_what_is_private_is_not_offered_and_refused_on_every_way(
    alice: User, as_alice: Client, alice_api: Api, slot: str, value: str
) -> None:
    pk = sensitive(alice, slot, value)
    with acting_as(alice), pytest.raises(NotShareable):
        sharing.make(alice.pk, "For the fair", [pk], 7)
    assert value not in as_alice.get("/notebook/shares/new/").content.decode()
    form = {"name": "For the fair", "days": "7", "facts": [str(pk)]}
    assert as_alice.post("/notebook/shares/new/", form).status_code == 422
    body = {"name": "For the fair", "days": 7, "facts": [str(pk)]}
    assert alice_api.post("shares", body).status_code == 400
    with acting_as(alice):
        assert not ProfileShare.objects.exists()


@pytest.mark.usefixtures("notebook")
def test_what_turns_private_by_its_wording_leaves_the_page(alice: User) -> None:
    one = share(alice, "family", "pets", "interests")
    with acting_as(alice):
        revision.rewrite(the_fact(alice, "interests"), "the synagogue choir")
    assert "synagogue" not in look(one).content.decode()


@pytest.mark.usefixtures("notebook")
def test_nothing_of_somebody_else_can_be_shared(bob: User, alice: User, bob_api: Api) -> None:
    fact = the_fact(alice, "employer")
    with acting_as(bob), pytest.raises(NotShareable):
        sharing.make(bob.pk, "Mine now", [fact.pk], 7)
    refused = bob_api.post("shares", {"name": "Mine now", "days": 7, "facts": [str(fact.pk)]})
    assert refused.status_code == 400


# --- The link ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("notebook")
def test_a_link_ends_with_its_time(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    one, endless = share(alice, "employer", days=7), share(alice, "employer", days=None)
    later(monkeypatch, days=7, seconds=-60)
    assert look(one).status_code == 200
    later(monkeypatch, days=7, seconds=1)
    assert (look(one).status_code, look(endless).status_code) == (404, 200)


@pytest.mark.usefixtures("notebook")
def test_links_that_lead_nowhere_all_say_the_same(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, closed, away = (share(alice, "employer", days=days) for days in (1, None, None))
    with acting_as(alice):
        sharing.revoke(closed)
    later(monkeypatch, days=2)
    gone = [look(ended), look(closed)]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    gone.append(look(away))
    wrong = ("A" * 43, "short", "%00", "A" * 300, "ü" * 43, "'or'1'='1")
    gone += [Client().get(f"/shared/{token}", headers=PERSON) for token in wrong]
    assert {response.status_code for response in gone} == {404}
    assert len({response.content for response in gone}) == 1
    assert "This link doesn’t work" in gone[0].content.decode()
    for response in gone:
        del response["X-Request-ID"]
    headers = {tuple(sorted(response.headers.items())) for response in gone}
    assert len(headers) == 1


@pytest.mark.usefixtures("notebook")
def test_neither_an_index_nor_a_cache_nor_a_referrer_learns_of_it(alice: User) -> None:
    one = share(alice, "employer")
    for response in (look(one), Client().get("/shared/nothing")):
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert response["Cache-Control"] == "no-store"
        assert response["Referrer-Policy"] == "no-referrer"
        assert '<meta name="robots" content="noindex, nofollow">' in response.content.decode()


@pytest.mark.usefixtures("notebook")
def test_a_key_cannot_be_guessed_and_is_not_logged(alice: User) -> None:
    one, other = share(alice, "employer"), share(alice, "employer")
    assert one.token != other.token
    assert len(one.token) == 43
    assert route_of(RequestFactory().get(one.get_absolute_url())) == "/shared/<str:token>"


@pytest.mark.usefixtures("notebook")
def test_a_key_opens_one_row_and_only_to_read(alice: User, bob: User) -> None:
    one, other = share(alice, "employer"), share(alice, "location")
    with acting_as(bob):
        fact = revision.write_by_hand(bob.pk, "employer", "Bobworks")
        sharing.make(bob.pk, "Bob's", [fact.pk], 7)
    with acting_as_visitor(one.token):
        assert [row.pk for row in ProfileShare.objects.all()] == [one.pk]
        assert not ProfileFact.objects.exists()
        assert not SharedFact.objects.exists()
        assert ProfileShare.objects.update(name="Mine now") == 0
        assert ProfileShare.objects.all().delete()[0] == 0
    for token in ("", other.token[:-1], "%"):
        with acting_as_visitor(token):
            assert not ProfileShare.objects.exists()
    with (
        pytest.raises(DatabaseError, match="row-level security"),
        acting_as_visitor(one.token),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "insert into memory_sharedfact (id, user_id, share_id, fact_id)"
            " values (gen_random_uuid(), %s, %s, gen_random_uuid())",
            [alice.pk, one.pk],
        )


# --- The owner's list, the history and the API ---------------------------------------------------


@pytest.mark.usefixtures("notebook")
def test_the_owner_makes_a_page_sees_it_and_closes_it(alice: User, as_alice: Client) -> None:
    pk = str(the_fact(alice, "employer").pk)
    form = {"name": "For the fair", "shown_as": "A. Lice", "days": "never", "facts": pk}
    listed = as_alice.post("/notebook/shares/new/", form, follow=True).content.decode()
    with acting_as(alice):
        one = ProfileShare.objects.get()
    assert one.expires_at is None
    for words in (
        f"http://testserver{one.get_absolute_url()}",
        "Works at Qwertzfirm",
        "No end date",
        "Not opened yet",
    ):
        assert words in listed
    look(one)
    assert "Opened once today" in as_alice.get("/notebook/shares/").content.decode()
    closed = as_alice.post(f"/notebook/shares/{one.pk}/revoke/", follow=True).content.decode()
    assert "Stopped today" in closed
    assert one.token not in closed
    assert look(one).status_code == 404


@pytest.mark.usefixtures("notebook")
def test_the_api_lists_makes_and_closes(alice: User, alice_api: Api, bob_api: Api) -> None:
    pk = str(the_fact(alice, "employer").pk)
    made = alice_api.post("shares", {"name": "For the fair", "facts": [pk], "days": None})
    assert made.status_code == 201
    body = made.json()
    assert (body["open"], body["expires_at"], body["openings"]) == (True, None, 0)
    assert body["facts"] == [
        {"id": pk, "slot": "employer", "label": "Employer", "value": "Qwertzfirm"}
    ]
    assert Client().get(body["url"]).status_code == 200
    assert alice_api.get("shares").json()["results"] == [body]
    assert bob_api.get("shares").json()["count"] == 0
    path = f"/api/v1/shares/{body['id']}"
    theirs = {"Authorization": f"Token {bob_api.token}"}
    mine = {"Authorization": f"Token {alice_api.token}"}
    assert Client().delete(path, headers=theirs).status_code == 404
    assert Client().delete(path, headers=mine).status_code == 204
    assert Client().get(body["url"]).status_code == 404
    assert alice_api.get("shares").json()["results"][0]["open"] is False
