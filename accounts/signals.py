"""Connecting receivers to signals without importing them."""

from collections.abc import Callable
from typing import Any

from django.dispatch import Signal
from django.utils.module_loading import import_string


def connect_late(signal: Signal, receiver: str, *, sender: Any = None) -> None:
    """Connect the function of this dotted name, imported when the signal is first sent."""
    signal.connect(_late(receiver), sender=sender, weak=False, dispatch_uid=receiver)


def _late(receiver: str) -> Callable[..., Any]:
    def receive(**sent: Any) -> Any:
        return import_string(receiver)(**sent)

    return receive
