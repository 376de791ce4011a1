"""Connecting a language model in the app: by staff alone, tried before, in force at once."""

import logging
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from conversations import llm
from conversations.llm import connection
from conversations.models import ModelConnection
from conversations.web.model_form import ModelConnectionForm
from tests.fakes.model_server import ModelServer, Serve, failing, normal
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
    assert client.get("/admin/conversations/modelconnection/")["Location"] == PAGE


def test_a_password_is_asked_for_and_the_key_is_not_kept_meanwhile(mira: User) -> None:
    client = client_for(mira)
    assert client.get(PAGE)["Location"].startswith("/accounts/reauthenticate/")
    sent = told("http://127.0.0.1:9/v1", "save")
    assert client.post(PAGE, sent)["Location"] == PAGE
    assert client.post(PAGE, sent, headers=HTMX)["HX-Redirect"] == PAGE
    assert KEY not in str(dict(client.session))
    assert not ModelConnection.objects.exists()


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
    "wrong",
    [
        "file:///etc/passwd",
        "http://[::1/v1",
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


@pytest.mark.parametrize(
    ("url", "is_overheard"),
    [
        ("http://models.example/v1", True),
        ("https://models.example/v1", False),
        ("http://192.168.1.20/v1", False),
        ("http://ollama:11434/v1", False),
    ],
)
def test_an_endpoint_that_others_can_overhear_is_warned_of(
    staff: Client, url: str, is_overheard: bool
) -> None:
    staff.post(PAGE, told(url, "save"))
    assert ("isn’t encrypted" in staff.get(PAGE).content.decode()) == is_overheard


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


def test_the_key_stands_nowhere_but_encrypted(
    staff: Client, mira: User, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    settings.MODEL_RETRIES = 0
    with caplog.at_level(logging.DEBUG), ModelServer(failing(401)) as server:
        pages = [tried(staff, server.url)]
        pages += [staff.post(PAGE, told(server.url, "try")).content.decode()]
        saved = staff.post(PAGE, told(server.url, "save"), follow=True)
        pages += [saved.content.decode(), staff.get("/notebook/privacy/").content.decode()]
        pages += [staff.get("/admin/").content.decode(), staff.get("/healthz").content.decode()]
        with pytest.raises(llm.ModelFailure) as failed:
            list(llm.stream([{"role": "user", "content": "Hello"}]))
    assert f"its key ends in {KEY[-4:]}" in pages[2]
    assert "The server refused the key." in pages[0]
    assert not [page for page in pages if KEY in page or KEY[:12] in page]
    assert KEY not in caplog.text
    assert KEY not in str(failed.value)
    assert KEY not in repr(llm.current())
    assert LogEntry.objects.get().get_change_message() == "Connected small at 127.0.0.1."
    assert not tables_with(mira, KEY, KEY[:12])
    assert ModelConnection.objects.get().read_key() == KEY


def test_everybody_reads_on_the_privacy_page_which_model_reads_what_they_say(
    as_alice: Client, unused: None
) -> None:
    def seen() -> str:
        return as_alice.get("/notebook/privacy/").content.decode()

    assert "Not connected." in seen()
    connection.store(llm.Connection("https://models.example/v1", KEY, "small"))
    assert "small at models.example reads your message" in seen()
    assert KEY[-4:] not in seen()
