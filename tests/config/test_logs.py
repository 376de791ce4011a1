"""What the logs may say: ids, kinds and places, never a person's words."""

import sys

from config.local import where_it_failed


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
