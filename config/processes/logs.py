"""The log files of an instance's processes: rotation, and excerpts for error messages."""

import contextlib
from pathlib import Path

LOG_BYTES = 10_000_000


def keep_short(log: Path) -> None:
    """Rename a long log to `<name>.1`, replacing an earlier one; call it before writing."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_BYTES:
            log.replace(log.with_name(f"{log.name}.1"))


def last_lines(log: Path) -> str:
    """Return the end of a log, indented; '' if there is none."""
    try:
        return indented_end(log.read_text(errors="replace"))
    except OSError:
        return ""


def indented_end(text: str) -> str:
    """Return the last lines of a text, indented."""
    return "\n".join(f"  {line}" for line in text.strip().splitlines()[-8:])


def ends_with(log: Path | None) -> str:
    """Return the end of a log with its name, to append to a sentence; '' if there is none."""
    said = last_lines(log) if log else ""
    return f"\nThe last lines of {log}:\n{said}" if said else ""
