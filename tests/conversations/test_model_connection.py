"""Connecting a language model in the app: by staff alone, tried before, in force at once."""

import logging
import time
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection as database
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.support import process_cache
from conversations import llm
from conversations.llm import connection, trusting
from conversations.models import ModelAgreement, ModelConnection, ModelRefusal
from conversations.web.model_form import ModelConnectionForm
from tests.fakes.model_server import ModelServer, Script, Serve, failing, normal, raw
from tests.live import free_port
from tests.people import PASSWORD, Talk, client_for, tables_with

PAGE = "/notebook/model/"
KEY = "sk-proj-aQ7xP2mZ9vK4tW8yB3nC"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def staff(mira: User) -> Client:
    """A browser in which Mira has just given her password."""
    return entered(mira)


def entered(user: User) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return client


def told(url: str, deed: str, **changes: str) -> dict[str, str]:
    return {"base_url": url, "key": KEY, "chat_model": "small", "deed": deed} | changes


def tried(client: Client, url: str, **changes: str) -> str:
    answer = client.post(PAGE, told(url, "try", **changes), headers=HTMX)
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture
def unused(settings: Settings) -> None:
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = settings.BACKGROUND_MODEL = ""


# --- Who may -------------------------------------------------------------------------------------


@pytest.mark.parametrize("deed", ["try", "save", "remove"])
def test_others_than_staff_neither_see_nor_change_it(alice: User, deed: str) -> None:
    client = entered(alice)
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE, told("http://127.0.0.1:9/v1", deed)).status_code == 403
    assert PAGE not in client.get("/account/").content.decode()
    assert not ModelConnection.objects.exists()


def test_nobody_is_sent_to_sign_in(db: None) -> None:
    for answer in (Client().get(PAGE), Client().post(PAGE, told("http://x/v1", "save"))):
        assert answer["Location"].startswith("/accounts/login/?next=")


def test_staff_need_the_permission(alice: User) -> None:
    alice.is_staff = True
    alice.save()
    client = entered(alice)
    assert client.get(PAGE).status_code == 403
    assert PAGE not in client.get("/account/").content.decode()
    permission = Permission.objects.get(codename="change_modelconnection")
    alice.user_permissions.add(permission)
    assert client.get(PAGE).status_code == 200
    assert PAGE in client.get("/account/").content.decode()
    assert "/admin/conversations/modelconnection/" in client.get("/admin/").content.decode()
    assert client.get("/admin/conversations/modelconnection/")["Location"] == PAGE


def test_a_password_is_asked_for_and_the_key_is_not_kept_meanwhile(mira: User) -> None:
    client = client_for(mira)
    assert client.get(PAGE)["Location"].startswith("/accounts/reauthenticate/")
    sent = told("http://127.0.0.1:9/v1", "save")
    assert client.post(PAGE, sent)["Location"] == PAGE
    assert client.post(PAGE, sent, headers=HTMX)["HX-Redirect"] == PAGE
    assert KEY not in str(dict(client.session))
    assert not ModelConnection.objects.exists()


# --- Trying it -----------------------------------------------------------------------------------


def test_trying_it_shows_the_answer_its_time_and_tokens_and_saves_nothing(
    staff: Client, unused: None
) -> None:
    with ModelServer(normal("Paris", usage=(20, 1))) as server:
        page = tried(staff, server.url, background_model="tiny")
    assert "small answered: Paris" in page
    assert "tiny answered: Paris" in page
    assert "21 tokens" in page
    assert "seconds" in page
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert [request["model"] for request in server.requests] == ["small", "tiny"]
    assert not ModelConnection.objects.exists()
    assert not llm.configured()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (failing(401), "The server refused the key. Check that the key is complete"),
        (failing(404), "The server doesn’t know this model"),
        (raw(b"<p>Sign in", content_type="text/html"), "didn’t look like a language model’s"),
        (failing(402), "run out of credit"),
    ],
    ids=["wrong key", "no such model", "no model at all", "no money"],
)
def test_a_failure_says_what_to_do(
    script: Script, says: str, staff: Client, settings: Settings
) -> None:
    settings.MODEL_RETRIES = 0
    with ModelServer(script) as server:
        page = tried(staff, server.url)
    assert "small didn’t answer" in page
    assert says in page
    assert KEY not in page
    # It is no fault of the model that is in use.
    assert not ModelRefusal.objects.exists()


def test_where_no_server_is_it_says_so(staff: Client, settings: Settings) -> None:
    settings.MODEL_RETRIES = 0
    assert "Nothing answered at this endpoint." in tried(
        staff, f"http://127.0.0.1:{free_port()}/v1"
    )


def test_without_a_script_the_page_comes_again_without_the_key(staff: Client) -> None:
    with ModelServer(normal("Paris")) as server:
        page = staff.post(PAGE, told(server.url, "try")).content.decode()
    assert "small answered: Paris" in page
    assert f'value="{server.url}"' in page
    assert KEY not in page


@pytest.mark.parametrize(
    "wrong",
    [
        "ftp://models.example/v1",
        "file:///etc/passwd",
        "models.example/v1",
        "http://",
        "http://[::1/v1",
        "http://localhost:port/v1",
        "https://me:secret@models.example/v1",
        "https://models.example/v1?key=secret",
    ],
)
def test_an_endpoint_is_an_address_of_the_web_without_secrets(staff: Client, wrong: str) -> None:
    answer = staff.post(PAGE, told(wrong, "save"))
    assert answer.status_code == 422
    assert "id_base_url_error" in answer.content.decode()
    assert "Endpoint: " in tried(staff, wrong)
    assert not ModelConnection.objects.exists()


def test_a_key_that_cannot_travel_is_refused(staff: Client) -> None:
    answer = staff.post(PAGE, told("https://models.example/v1", "save", key="“pasted”"))
    assert answer.status_code == 422
    assert "id_key_error" in answer.content.decode()


@pytest.mark.parametrize(
    ("url", "is_overheard"),
    [
        ("http://models.example/v1", True),
        ("http://8.8.8.8/v1", True),
        ("https://models.example/v1", False),
        ("http://127.0.0.1:8081/v1", False),
        ("http://[::1]:8081/v1", False),
        ("http://192.168.1.20/v1", False),
        ("http://ollama:11434/v1", False),
        ("http://models.internal/v1", False),
    ],
)
def test_an_endpoint_that_others_can_overhear_is_warned_of(
    staff: Client, url: str, is_overheard: bool
) -> None:
    staff.post(PAGE, told(url, "save"))
    assert ("isn’t encrypted" in staff.get(PAGE).content.decode()) == is_overheard


# --- Saving and removing -------------------------------------------------------------------------


def test_the_next_answer_uses_what_was_saved_and_after_removal_the_environments_again(
    serve: Serve, staff: Client, talk: Callable[..., Talk]
) -> None:
    environments = serve(normal("From the environment."))
    with ModelServer(normal("From the app.")) as server:
        page = staff.post(PAGE, told(server.url, "save", chat_model="other"), follow=True)
        assert "other at 127.0.0.1" in page.content.decode()
        assert "Set on this page" in page.content.decode()
        assert "From the app." in talk().say("Tell me a story about ships.").content
        assert server.requests[-1]["model"] == "other"
        assert server.headers[-1]["authorization"] == f"Bearer {KEY}"
        assert not environments.requests
        page = staff.post(PAGE, {"deed": "remove"}, follow=True)
        assert "Set in the environment" in page.content.decode()
        asked = len(server.requests)
        assert "From the environment." in talk().say("Tell me a story about ships.").content
        assert len(server.requests) == asked
    assert not ModelConnection.objects.exists()


def test_the_model_of_the_background_is_the_saved_one(unused: None, db: None) -> None:
    with ModelServer(normal("Fine.")) as server:
        connection.store(llm.Connection(server.url, "", "small", "tiny"))
        assert llm.ask([{"role": "user", "content": "Well?"}]) == "Fine."
    assert server.requests[0]["model"] == "tiny"


def test_another_process_takes_it_up_within_seconds(
    db: None, unused: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not llm.configured()
    # As another process does it: without the signal that this one hears.
    ModelConnection.objects.bulk_create(
        [ModelConnection(base_url="http://127.0.0.1:9/v1", chat_model="small")]
    )
    assert not llm.configured()
    later = time.monotonic() + 5
    monkeypatch.setattr(process_cache.time, "monotonic", lambda: later)
    assert llm.configured()
    assert llm.current().chat_model == "small"


def test_while_the_database_is_away_the_stored_model_stays_in_force(
    db: None, unused: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.store(llm.Connection("http://127.0.0.1:9/v1", "", "small"))
    assert llm.configured()

    def away(*_: object) -> None:
        raise OSError("The database is away.")

    later = time.monotonic() + 5
    monkeypatch.setattr(process_cache.time, "monotonic", lambda: later)
    with database.execute_wrapper(away):
        assert llm.current().chat_model == "small"


def test_an_empty_key_keeps_the_key_for_the_same_endpoint_and_for_no_other(staff: Client) -> None:
    staff.post(PAGE, told("https://models.example/v1", "save"))
    staff.post(PAGE, told("https://models.example/v1", "save", key="", chat_model="large"))
    assert (llm.current().chat_model, llm.current().key) == ("large", KEY)
    staff.post(PAGE, told("https://elsewhere.example/v1", "save", key=""))
    assert llm.current().key == ""


def test_under_another_secret_key_the_page_asks_for_the_key_again(
    staff: Client, settings: Settings
) -> None:
    connection.store(llm.Connection("https://models.example/v1", KEY, "small"))
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 10
    connection._stored.cache_clear()
    assert (llm.current().key, llm.current().key_is_lost) == ("", True)
    settings.SECRET_KEY_FALLBACKS = [earlier]
    connection._stored.cache_clear()
    assert llm.current().key == KEY


def test_what_the_environment_names_is_filled_in_unless_it_may_hold_a_secret() -> None:
    form = ModelConnectionForm(llm.Connection("https://me:secret@models.example/v1", KEY, "small"))
    assert form.initial["base_url"] == ""
    assert KEY not in form.as_p()


# --- The key -------------------------------------------------------------------------------------


def test_the_key_stands_nowhere_but_encrypted(
    staff: Client, mira: User, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    settings.MODEL_RETRIES = 0
    with caplog.at_level(logging.DEBUG), ModelServer(failing(401)) as server:
        pages = [tried(staff, server.url)]
        saved = staff.post(PAGE, told(server.url, "save"), follow=True)
        pages += [saved.content.decode(), staff.get("/notebook/privacy/").content.decode()]
        pages += [staff.get("/admin/").content.decode(), staff.get("/healthz").content.decode()]
        with pytest.raises(llm.ModelFailure) as failed:
            list(llm.stream([{"role": "user", "content": "Hello"}]))
    assert f"its key ends in {KEY[-4:]}" in pages[1]
    assert not [page for page in pages if KEY in page or KEY[:12] in page]
    assert KEY not in caplog.text
    assert KEY not in str(failed.value)
    assert KEY not in repr(llm.current())
    assert LogEntry.objects.get().get_change_message() == "Connected small at 127.0.0.1."
    assert not tables_with(mira, KEY, KEY[:12])
    assert ModelConnection.objects.get().read_key() == KEY


# --- What people and staff see -------------------------------------------------------------------


def test_everybody_reads_on_the_privacy_page_which_model_reads_what_they_say(
    as_alice: Client, unused: None
) -> None:
    def seen() -> str:
        return as_alice.get("/notebook/privacy/").content.decode()

    assert "Not connected." in seen()
    connection.store(llm.Connection("https://models.example/v1", KEY, "small"))
    assert "small at models.example reads your message" in seen()
    assert KEY[-4:] not in seen()


def test_staff_see_how_many_proposals_stood_and_whether_the_model_is_read_strictly(
    staff: Client, unused: None
) -> None:
    connection.store(llm.Connection("https://models.example/v1", KEY, "small", "tiny"))
    page = staff.get(PAGE).content.decode()
    assert "None yet." in page
    assert "Checked strictly" not in page
    assert "MODEL_TRUST is auto" in page
    ModelAgreement.objects.create(pk=trusting.agreement().pk, proposed=40, failed=20)
    page = staff.get(PAGE).content.decode()
    assert "20 of the last 40 failed" in page
    assert "Checked strictly" in page
