"""What an instance needs on its machine: environment variables, secret key, and log format."""

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
    """Environment variables; errors name the variable and the expected value.

    `defaults` maps each variable that was read so far to its default.
    """

    _KINDS: ClassVar = {int: "a whole number", float: "a number"}

    def __init__(self) -> None:
        super().__init__()
        self.defaults: dict[str, Any] = {}

    def get_value(self, var: str, cast: Any = None, *args: Any, **options: Any) -> Any:
        """Return the value of a variable. Raises ImproperlyConfigured."""
        self.defaults.setdefault(var, args[0] if args else options.get("default"))
        try:
            return super().get_value(var, cast, *args, **options)
        except ValueError:
            kind = self._KINDS.get(cast, "of another form")
            raise ImproperlyConfigured(
                f"{var} must be {kind}, but it is {self.ENVIRON.get(var)!r}."
            ) from None

    def port(self, var: str, default: int) -> int:
        """Return a port number. Raises ImproperlyConfigured."""
        port: int = self.int(var, default=default)
        if not 0 < port < 2**16:
            raise ImproperlyConfigured(f"{var} must be between 1 and 65535, but it is {port}.")
        return port


def unusable(data_dir: Path, error: OSError) -> str:
    """Return an error message about an unusable data directory, with what to do."""
    return (
        f"Can’t write to {data_dir}: {error.strerror or error}. Set DATA_DIR to a directory that "
        "you can write to."
    )


def secret_key(data_dir: Path) -> str:
    """Return the secret key, created on first use in DATA_DIR. Raises ImproperlyConfigured."""
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
        # A link, not a rename: of two concurrent starts, the first one's key is used.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text().strip()


def where_it_failed(logger: Any, name: str, event: EventDict) -> EventDict:
    """Replace an exception in a log event with its type and frames: its message may quote user
    text.
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
    """Remove the path from Django's log messages ("Not Found: /…"), since it may contain names. The
    request's own log line has the route.
    """
    record, words = event.get("_record"), event.pop("positional_args", ())
    if record is not None and hasattr(record, "request"):
        kept = tuple("…" if "/" in str(word) else word for word in words)
        event["event"] = str(record.msg) % kept if kept else HTTPStatus(record.status_code).phrase
    return event


def logging(level: str) -> dict[str, Any]:
    """Configure structlog, and return Django's LOGGING: one line per event, ids and durations."""
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
            # These log every poll and every request of their own client at INFO.
            "httpx2": {"level": "WARNING"},
            # Reconnection attempts; code that needs a connection logs the failure.
            "psycopg.pool": {"level": "ERROR"},
            "openai": {"level": "WARNING"},
            # It logs what was sent; each tool call is logged as an API request.
            "mcp": {"level": "CRITICAL"},
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            # Their request lines contain addresses. Errors use the processors above, which omit the
            # message of an exception.
            "uvicorn": {"handlers": ["console"], "propagate": False},
            "uvicorn.error": {"handlers": [], "propagate": True},
            "uvicorn.access": {"level": "WARNING"},
            "gunicorn.access": {"level": "WARNING"},
            "django.server": {"level": "CRITICAL"},
        },
    }
