"""The pages for everybody: the front page, the introduction to the API, what browsers ask for."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.access import tokens
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support.formatting import capital
from config.front.compression import CompressWholeAnswers
from privacy import consents as agreed
from tests.people import PASSWORD, client_for, values

pytestmark = pytest.mark.django_db
PACKED = {"Accept-Encoding": "gzip"}
NEWCOMER = {"email": "new@example.org", "password1": PASSWORD}


def front_page(client: Client) -> str:
    return client.get("/").content.decode()


def test_the_demo_is_offered_where_there_is_one(settings: Settings) -> None:
    settings.DEMO = False
    assert 'action="/look/"' not in front_page(Client())
    settings.DEMO = True
    assert 'action="/look/"' in front_page(Client())


def test_a_link_to_the_front_page_shows_what_it_is_about() -> None:
    page = front_page(Client())
    told = dict(re.findall(r'property="og:(\w+)"\s+content="([^"]+)"', page))
    assert {"title", "description", "url", "image"} <= told.keys()
    assert told["image"].startswith("http://")
    assert told["image"].endswith("/static/icons/social.png")


def test_the_pictures_of_the_front_page_are_small_and_come_when_they_are_looked_at() -> None:
    pictures = re.findall(r'<img src="/static/([^"]+)"[^>]+loading="lazy"', front_page(Client()))
    assert len(pictures) == 4
    sizes = [Path(str(finders.find(name))).stat().st_size for name in pictures]
    assert sum(sizes) < 80_000


def test_every_icon_of_the_manifest_is_there() -> None:
    answer = Client().get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    for icon in answer.json()["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
    assert Client().get(answer.json()["start_url"]).status_code == 302


@pytest.mark.parametrize("path", ["/talk/", "/notebook/profile/", "/shared/x", "/account/"])
def test_search_engines_are_kept_from_what_is_a_persons(path: str) -> None:
    lines = Client().get("/robots.txt").content.decode().splitlines()
    closed = [line.removeprefix("Disallow: ") for line in lines if line.startswith("Disallow")]
    assert path.startswith(tuple(closed))
    assert not "/".startswith(tuple(closed))


def test_the_introduction_to_the_api_has_examples_that_work(alice: User) -> None:
    page = Client().get("/api/").content.decode()
    addresses = re.findall(r"http://testserver(?::\d+)?(/api/v1/[\w/?=]+)", page)
    assert len(addresses) == 4
    _, secret = tokens.make(alice)
    client = Client(headers={"Authorization": f"Token {secret}"})
    for address in addresses:
        if not address.endswith("/"):
            assert client.get(address).status_code == 200, address
    assert 'href="/api/docs"' in page


def test_the_reference_shows_every_operation_and_every_link_in_it_leads_somewhere() -> None:
    page = Client().get("/api/docs").content.decode()
    described = Client().get("/api/schema", headers={"Accept": "application/json"}).json()
    operations = [
        operation
        for methods in described["paths"].values()
        for operation in methods.values()
        if isinstance(operation, dict)
    ]
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert {operation["operationId"] for operation in operations} <= anchors
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors


def test_the_reference_weighs_less_than_300_kb() -> None:
    answer = Client().get("/api/docs", headers=PACKED)
    assert len(answer.content) < 300_000


# --- Compressed ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/api/", "/api/schema", "/talk/", "/api/v1/tools"])
def test_pages_and_data_are_sent_compressed(alice: User, path: str) -> None:
    client = client_for(alice) if path == "/talk/" or "v1" in path else Client()
    answer = client.get(path, headers=PACKED)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content)


def test_a_compressed_page_hides_its_length() -> None:
    """An attacker who makes it say words of theirs cannot tell by the length what it holds."""
    request = RequestFactory().get("/", headers=PACKED)
    packed = CompressWholeAnswers(lambda _: HttpResponse(b"x" * 2000))
    assert len({len(packed(request).content) for _ in range(20)}) > 1


def test_a_stream_goes_out_as_it_is_written() -> None:
    request = RequestFactory().get("/", headers=PACKED)
    events = [b"data: one\n\n" * 100, b"data: two\n\n" * 100]
    answer = CompressWholeAnswers(lambda _: StreamingHttpResponse(iter(events)))(request)
    assert not answer.has_header("Content-Encoding")
    assert list(answer.streaming_content) == events


# --- Sign-up, and the account menu ---------------------------------------------------------------


@pytest.fixture
def no_limits() -> None:
    cache.clear()


def test_who_gave_a_name_at_the_sign_up_is_greeted_by_it(no_limits: None) -> None:
    client = Client()
    typed = NEWCOMER | {"name": "Noor", "memory_on": "true"}
    page = client.post("/accounts/signup/", typed, follow=True).content.decode()
    assert "Good to meet you, Noor." in page
    assert "What should I call you?" not in page
    noor = User.objects.get(email="new@example.org")
    assert noor.name == "Noor"
    assert values(noor, "preferred_name") == {"Noor"}


def test_who_gave_none_is_asked(no_limits: None) -> None:
    typed = NEWCOMER | {"memory_on": "true"}
    page = Client().post("/accounts/signup/", typed, follow=True).content.decode()
    assert "What should I call you?" in page


@pytest.mark.parametrize(
    ("button", "remembers", "consents"),
    [("true", True, ["memory"]), ("false", False, []), ("", False, [])],
)
def test_nobody_is_remembered_without_their_yes(
    no_limits: None, button: str, remembers: bool, consents: list[str]
) -> None:
    client = Client()
    typed = NEWCOMER | {"name": "Noor", "memory_on": button}
    assert client.post("/accounts/signup/", typed).status_code == 302
    noor = User.objects.get(email="new@example.org")
    assert noor.memory_on is remembers
    assert values(noor, "preferred_name") == ({"Noor"} if remembers else set())
    with acting_as(noor):
        assert [held.name for held in agreed.of(noor)] == consents
    client.post("/notebook/memories/switch/", {"on": "1"})
    noor.refresh_from_db()
    with acting_as(noor):
        assert [held.name for held in agreed.of(noor)] == ["memory"]


def test_the_sign_up_names_the_model_that_reads_messages(
    no_limits: None, settings: Settings
) -> None:
    assert "language model" not in Client().get("/accounts/signup/").content.decode()
    settings.OPENAI_BASE_URL, settings.CHAT_MODEL = "http://127.0.0.1:9/v1", "small"
    page = Client().get("/accounts/signup/").content.decode()
    assert "small at 127.0.0.1 reads your message" in page
    assert "also reads your messages" not in page
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "https://x@vectors.test/v1", "words"
    page = Client().get("/accounts/signup/").content.decode()
    assert "vectors.test also reads your messages" in page


def test_a_password_with_many_faults_is_told_one(no_limits: None) -> None:
    typed = {"email": "new@example.org", "password1": "123"}
    page = Client().post("/accounts/signup/", typed).content.decode()
    assert page.count('class="error"') == 1
    assert "Numbers alone" not in page


def test_the_theme_is_chosen_from_the_page_where_one_is(alice: User) -> None:
    client = client_for(alice)
    page = client.get("/notebook/memories/?category=fact").content.decode()
    assert 'name="next" value="/notebook/memories/?category=fact"' in page
    chosen = {"theme": "dark", "next": "/notebook/memories/?category=fact"}
    assert client.post("/account/theme/", chosen).headers["Location"] == chosen["next"]
    assert 'class="theme-dark"' in client.get("/account/").content.decode()
    assert client.post("/account/theme/", {"theme": "pink"}).status_code == 404


def test_memory_is_switched_from_the_page_where_one_is(alice: User) -> None:
    switch = {"on": "0", "next": "/account/"}
    answer = client_for(alice).post("/notebook/memories/switch/", switch)
    assert answer.headers["Location"] == "/account/"
    alice.refresh_from_db()
    assert not alice.memory_on


@pytest.mark.parametrize("path", ["https://example.com/", "//example.com/", "javascript:alert(1)"])
@pytest.mark.parametrize("form", ["/account/theme/", "/notebook/memories/switch/"])
def test_no_form_of_the_menu_leads_to_another_site(alice: User, form: str, path: str) -> None:
    answer = client_for(alice).post(form, {"theme": "dark", "on": "1", "next": path})
    assert answer.headers["Location"] in {"/talk/", "/notebook/memories/"}


@pytest.mark.parametrize(
    ("value", "shown"),
    [("tea without sugar", "Tea without sugar"), ("iPhone 15", "iPhone 15"), ("", "")],
)
def test_a_value_begins_with_a_capital_unless_it_is_a_name_written_otherwise(
    value: str, shown: str
) -> None:
    assert capital(value) == shown
