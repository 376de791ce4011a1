"""How much memory this process has held."""

from pathlib import Path


def most_memory() -> float:
    """The most that this process ever held, in MB.

    Not by `getrusage`: that one begins with what the process had that started this one.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
