"""What is expensive to make is made once, however many ask at the same time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from accounts.support.process_cache import once_per_process

ASKING = 24


def at_once(ask: Callable[[], Any]) -> list[Any]:
    """What as many threads get that ask in the same moment."""
    together = threading.Barrier(ASKING)

    def one(_: int) -> Any:
        together.wait()
        return ask()

    with ThreadPoolExecutor(ASKING) as threads:
        return list(threads.map(one, range(ASKING)))


def test_all_who_ask_at_once_get_the_same_value() -> None:
    made: list[object] = []

    @once_per_process
    def value() -> object:
        time.sleep(0.05)
        made.append(object())
        return made[-1]

    assert set(at_once(value)) == {made[0]}
    assert len(made) == 1


def test_what_failed_is_tried_again() -> None:
    tries: list[int] = []

    @once_per_process
    def value() -> int:
        tries.append(1)
        return 1 // (len(tries) - 1)

    with pytest.raises(ZeroDivisionError):
        value()
    assert value() == 1
