"""Celery's file broker, made to live with a message that is not yet written when it is read."""

from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.transport.virtual import Empty


class Channel(filesystem.Channel):
    """kombu's channel creates a message's file and then fills it; a reader may come in between.

    The message is lost to such a reader. Ours carry nothing and a sweep follows within seconds, so
    an unreadable one is treated as none, instead of ending the worker.
    """

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        try:
            return super()._get(queue)
        except (ValueError, ChannelError):
            raise Empty from None


class Transport(filesystem.Transport):
    """The file transport with that channel."""

    Channel = Channel
