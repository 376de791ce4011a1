"""The log files of the processes of a copy: kept short, and quoted when something fails."""

import contextlib
from pathlib import Path

LOG_BYTES = 10_000_000


def keep_short(log: Path) -> None:
    """Before a log is written on: put a long one aside as `<name>.1`, replacing the one before."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_BYTES:
            log.replace(log.with_name(f"{log.name}.1"))


def last_lines(log: Path) -> str:
    """The end of a log, indented; empty when there is none."""
    try:
        return indented_end(log.read_text(errors="replace"))
    except OSError:
        return ""


def indented_end(text: str) -> str:
    """The last lines of a text, indented."""
    return "\n".join(f"  {line}" for line in text.strip().splitlines()[-8:])


def ends_with(log: Path | None) -> str:
    """The end of a log with its name, to put after a sentence; empty when there is none."""
    said = last_lines(log) if log else ""
    return f"\nThe last lines of {log}:\n{said}" if said else ""
