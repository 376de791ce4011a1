"""The pages for everybody: sign-up, its consent, what browsers ask for."""

import pytest
from django.core.cache import cache
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from config.front.compression import CompressWholeAnswers
from privacy import consents as agreed
from tests.people import PASSWORD, client_for, values

pytestmark = pytest.mark.django_db
PACKED = {"Accept-Encoding": "gzip"}
NEWCOMER = {"email": "new@example.org", "password1": PASSWORD}


def test_search_engines_are_kept_from_what_is_a_persons() -> None:
    lines = Client().get("/robots.txt").content.decode().splitlines()
    closed = [line.removeprefix("Disallow: ") for line in lines if line.startswith("Disallow")]
    for path in ("/talk/", "/notebook/profile/", "/shared/x", "/account/"):
        assert path.startswith(tuple(closed))
    assert not "/".startswith(tuple(closed))


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


@pytest.fixture
def no_limits() -> None:
    cache.clear()


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


@pytest.mark.parametrize("path", ["https://example.com/", "//example.com/", "javascript:alert(1)"])
@pytest.mark.parametrize("form", ["/account/theme/", "/notebook/memories/switch/"])
def test_no_form_of_the_menu_leads_to_another_site(alice: User, form: str, path: str) -> None:
    answer = client_for(alice).post(form, {"theme": "dark", "on": "1", "next": path})
    assert answer.headers["Location"] in {"/talk/", "/notebook/memories/"}
