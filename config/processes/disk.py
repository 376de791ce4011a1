"""Whether the disk that holds DATA_DIR has room left: without it nothing can be kept."""

import os
from pathlib import Path

# Four segments of PostgreSQL's write-ahead log. With less it may have to stop at any moment.
LEAST_FREE = 64 * 2**20


def is_full(data_dir: Path) -> bool:
    """Whether too little is left there to go on writing; False when nobody can tell."""
    try:
        now = os.statvfs(data_dir)
    except OSError:
        return False
    # Some filesystems count no files at all.
    no_more_files = now.f_files > 0 and now.f_favail == 0
    return free_bytes(now) < LEAST_FREE or no_more_files


def free_bytes(now: os.statvfs_result) -> int:
    """What a user without powers may still write, in bytes."""
    return now.f_bavail * now.f_frsize


def sentence(data_dir: Path) -> str:
    """What is the matter, and what to do."""
    return f"The disk that holds {data_dir} is full. Free some space there; nothing else is needed."
