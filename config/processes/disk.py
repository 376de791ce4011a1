"""Checking whether the disk of DATA_DIR is full."""

import os
from pathlib import Path

# Four segments of PostgreSQL's write-ahead log. With less it may stop at any moment.
LEAST_FREE = 64 * 2**20


def is_full(data_dir: Path) -> bool:
    """Return whether too little space is left to go on writing; False if unknown."""
    try:
        now = os.statvfs(data_dir)
    except OSError:
        return False
    # Some file systems report no number of files.
    no_more_files = now.f_files > 0 and now.f_favail == 0
    return free_bytes(now) < LEAST_FREE or no_more_files


def free_bytes(now: os.statvfs_result) -> int:
    """Return how many bytes an unprivileged user can still write."""
    return now.f_bavail * now.f_frsize


def sentence(data_dir: Path) -> str:
    """Return an error message about the full disk, with what to do."""
    return f"The disk that holds {data_dir} is full. Free some space there; nothing else is needed."
