"""What a copy of Throughline keeps for itself on its machine: its key and the shape of its logs."""

import os
import secrets
import sys
import traceback
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar

import environ
import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import EventDict


class Environment(environ.Env):  # type: ignore[misc]
    """The variables of the environment; one that cannot be read is named, and what it should be.

    `defaults` holds what was asked for so far, by its name.
    """

    _KINDS: ClassVar = {int: "a whole number", float: "a number"}

    def __init__(self) -> None:
        super().__init__()
        self.defaults: dict[str, Any] = {}

    def get_value(self, var: str, cast: Any = None, *args: Any, **options: Any) -> Any:
        """What the variable says. Raises ImproperlyConfigured."""
        self.defaults.setdefault(var, args[0] if args else options.get("default"))
        try:
            return super().get_value(var, cast, *args, **options)
        except ValueError:
            kind = self._KINDS.get(cast, "of another form")
            raise ImproperlyConfigured(
                f"{var} must be {kind}, but it is {self.ENVIRON.get(var)!r}."
            ) from None

    def port(self, var: str, default: int) -> int:
        """The number of a port. Raises ImproperlyConfigured."""
        port: int = self.int(var, default=default)
        if not 0 < port < 2**16:
            raise ImproperlyConfigured(f"{var} must be between 1 and 65535, but it is {port}.")
        return port


def unusable(data_dir: Path, error: OSError) -> str:
    """What to do about a data directory that cannot be used."""
    return (
        f"Can’t write to {data_dir}: {error.strerror or error}. Set DATA_DIR to a directory that "
        "you can write to."
    )


def secret_key(data_dir: Path) -> str:
    """The key of this copy, made on first use and kept in DATA_DIR. Raises ImproperlyConfigured."""
    try:
        return _secret_key(data_dir)
    except OSError as error:
        raise ImproperlyConfigured(unusable(data_dir, error)) from error


def _secret_key(data_dir: Path) -> str:
    path = data_dir / "secret-key"
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = data_dir / f"secret-key.{os.getpid()}"
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_urlsafe(50))
    try:
        # A link, not a rename: of two processes that start together, the first one's key stands.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text().strip()


def where_it_failed(logger: Any, name: str, event: EventDict) -> EventDict:
    """Log an exception as its kind and its frames, never its message: a database's or a parser's
    message quotes what a person wrote.
    """
    given = event.pop("exc_info", None)
    error = sys.exc_info() if given is True else given
    if isinstance(error, BaseException):
        error = (type(error), error, error.__traceback__)
    if error and error[0] is not None:
        frames = traceback.extract_tb(error[2])
        event["exception"] = error[0].__qualname__
        event["frames"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return event


def leave_out_addresses(logger: Any, name: str, event: EventDict) -> EventDict:
    """Log what Django says of a request ("Not Found: /…") without the address that it quotes: a
    path, a query or a referring page may hold a name. The visit's own line names the route.
    """
    record, words = event.get("_record"), event.pop("positional_args", ())
    if record is not None and hasattr(record, "request"):
        kept = tuple("…" if "/" in str(word) else word for word in words)
        event["event"] = str(record.msg) % kept if kept else HTTPStatus(record.status_code).phrase
    return event


def logging(level: str) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING: one line an event, ids and durations."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        where_it_failed,
        leave_out_addresses,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processor": structlog.processors.KeyValueRenderer(
                    key_order=["timestamp", "level", "logger", "event"], drop_missing=True
                ),
                "foreign_pre_chain": shared,
                "pass_foreign_args": True,
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # These speak at INFO of every poll and every request of their own client.
            "httpx2": {"level": "WARNING"},
            # Its own attempts to reconnect; whoever needed the connection logs that it got none.
            "psycopg.pool": {"level": "ERROR"},
            "openai": {"level": "WARNING"},
            # Its lines quote what was sent; each call of a tool is logged as a request to the API.
            "mcp": {"level": "CRITICAL"},
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            # Their lines of each request hold its address. Their errors go the way of ours, which
            # leaves out the message of an exception.
            "uvicorn": {"handlers": ["console"], "propagate": False},
            "uvicorn.error": {"handlers": [], "propagate": True},
            "uvicorn.access": {"level": "WARNING"},
            "gunicorn.access": {"level": "WARNING"},
            "django.server": {"level": "CRITICAL"},
        },
    }
