"""Where the servers of models may be: staff reach no machine of this site's own network."""

import pytest
from pytest_django import Settings

from accounts.support import public_addresses
from conversations import llm
from conversations.llm import connection
from conversations.models import ModelConnection
from conversations.web.model_form import ModelConnectionForm
from memory.retrieval import embedding_endpoint
from tests.fakes.model_server import ModelServer, Serve, normal
from tests.webhooks.receiver import receiving

HELLO: list[llm.ChatMessage] = [{"role": "user", "content": "Hello"}]
NO_MODEL = llm.Connection("", "", "")


@pytest.fixture
def closed(settings: Settings, db: None) -> None:
    """A site that does not let staff connect its own network."""
    settings.MODEL_PRIVATE_ADDRESSES = False
    settings.MODEL_RETRIES = 0


def form_for(url: str) -> ModelConnectionForm:
    return ModelConnectionForm(NO_MODEL, {"base_url": url, "chat_model": "small"})


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8081/v1",
        "http://localhost/v1",
        "http://169.254.169.254/latest",
        "https://10.0.0.1/v1",
        "http://[::1]/v1",
        "http://2130706433/v1",
    ],
)
def test_staff_cannot_enter_a_machine_of_this_network(url: str, closed: None) -> None:
    (error,) = form_for(url).errors["base_url"]
    assert "private network" in error


def test_a_host_that_is_away_can_be_entered(closed: None) -> None:
    assert form_for("https://nobody.invalid/v1").is_valid()


def test_where_the_site_allows_it_its_own_network_can_be_entered(settings: Settings) -> None:
    settings.MODEL_PRIVATE_ADDRESSES = True
    assert form_for("http://127.0.0.1:8081/v1").is_valid()


def test_a_name_that_leads_to_this_network_by_now_is_not_asked(closed: None) -> None:
    with ModelServer(normal("Hello")) as server:
        connection.store(llm.Connection(server.url, "key", "small"))
        for ask in (lambda: llm.ask(HELLO), lambda: list(llm.stream(HELLO))):
            with pytest.raises(llm.ModelFailure) as failed:
                ask()
            assert failed.value.situation == "unreachable"
    assert not server.requests


def test_a_request_goes_to_the_address_that_was_judged(
    closed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A second look-up of the name would fail, and none is made.
    monkeypatch.setattr(public_addresses, "resolve", lambda *_: "127.0.0.1")
    with ModelServer(normal("Hello")) as server:
        url = server.url.replace("127.0.0.1", "models.invalid")
        connection.store(llm.Connection(url, "key", "small"))
        assert llm.ask(HELLO) == "Hello"
    assert server.headers[0]["host"].startswith("models.invalid:")


def test_what_the_environment_names_may_be_anywhere(serve: Serve, closed: None) -> None:
    serve(normal("Hello"))
    assert not ModelConnection.objects.exists()
    assert llm.ask(HELLO) == "Hello"


def test_a_model_sends_its_clients_nowhere_else(closed: None, settings: Settings) -> None:
    settings.MODEL_PRIVATE_ADDRESSES = True
    with receiving() as elsewhere, receiving() as server:
        server.status, server.location = 307, elsewhere.url
        connection.store(llm.Connection(server.url, "key", "small"))
        with pytest.raises(llm.ModelFailure) as failed:
            llm.ask(HELLO)
        assert failed.value.situation == "address"
    assert len(server.requests) == 1
    assert not elsewhere.requests


def test_nor_does_an_embedding_server(settings: Settings) -> None:
    with receiving() as elsewhere, receiving() as server:
        server.status, server.location = 307, elsewhere.url
        settings.EMBEDDING_MODEL, settings.EMBEDDING_BASE_URL = "small", server.url
        embedding_endpoint.reset_breaker()
        assert embedding_endpoint.embed_question("Hello?") is None
        embedding_endpoint.reset_breaker()
    assert len(server.requests) == 1
    assert not elsewhere.requests
