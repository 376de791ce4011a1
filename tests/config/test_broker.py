"""The bell may be torn; the worker must live."""

from pathlib import Path

import pytest
from kombu import Connection
from kombu.transport.virtual import Empty

from config.broker import Transport
from config.celery import app


def connection(folder: Path) -> Connection:
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": str(folder / "control"),
        "processed_folder": str(folder / "processed"),
    }
    return Connection(transport=Transport, transport_options=options)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe"])
def test_a_message_that_is_not_yet_written_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "1_1.celery.msg").write_bytes(content)
    with connection(tmp_path) as open_one, pytest.raises(Empty):
        open_one.channel()._get("celery")


def test_a_whole_message_arrives(tmp_path: Path) -> None:
    with connection(tmp_path) as open_one:
        queue = open_one.SimpleQueue("celery")
        queue.put({"ring": 1})
        assert queue.get(timeout=2).payload == {"ring": 1}
        queue.close()


def test_the_application_uses_it() -> None:
    assert isinstance(app.connection().transport, Transport)
