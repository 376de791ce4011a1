"""What the logs may say: ids, kinds and places, never a person's words."""

import sys

from config.processes.local import cut_addresses, where_it_failed


def test_a_logged_exception_names_its_kind_and_place_but_not_its_message() -> None:
    try:
        raise ValueError("I live in Seattle")
    except ValueError:
        event = where_it_failed(None, "error", {"event": "failed", "exc_info": sys.exc_info()})
    assert event["exception"] == "ValueError"
    assert "test_logs.py" in event["frames"][-1]
    assert "Seattle" not in repr(event)


def test_an_event_without_an_exception_stays_as_it_is() -> None:
    assert where_it_failed(None, "info", {"event": "done"}) == {"event": "done"}


def test_an_address_is_logged_without_its_query_and_without_the_key_of_a_link() -> None:
    event = cut_addresses(
        None, "info", {"request": "GET /accounts/password/reset/key/01a2-abc/?q=me"}
    )
    assert event["request"] == "GET /accounts/password/reset/key/…/"
    event = cut_addresses(None, "info", {"request": "GET /shared/abc-DEF_123"})
    assert event["request"] == "GET /shared/…"
    event = cut_addresses(None, "warning", {"event": "Not Found: /shared/abc-DEF_123"})
    assert event["event"] == "Not Found: /shared/…"
