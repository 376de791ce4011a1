"""The system user that runs the embedded PostgreSQL: the current one, or under root, as which
PostgreSQL refuses to run, one named `throughline` with access to cluster and programs.
"""

import contextlib
import os
import pwd
import shutil
import stat
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

NAME = "throughline"
_TRIES, _SECONDS_BETWEEN = 10, 0.5
"""Attempts to add the user, and the pause after each."""


class SystemUserError(Exception):
    """Raised if no user can run the server, or a path is unusable; the message says what to do."""


class SystemUser(NamedTuple):
    """A user of this machine, with methods to give it access to files."""

    uid: int
    gid: int
    name: str

    @property
    def is_other(self) -> bool:
        """Return whether this is another user than the current one (only possible as root)."""
        return self.uid != os.geteuid()

    def subprocess_arguments(self) -> dict[str, Any]:
        """Return the arguments of subprocess.run that start a program as this user."""
        if not self.is_other:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def take(self, path: Path) -> None:
        """Make this user the owner of a file or directory."""
        if self.is_other and path.lstat().st_uid != self.uid:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def take_tree(self, path: Path) -> None:
        """Make this user the owner of a directory and its content, unless it is already."""
        owner = path.stat().st_uid
        if owner == self.uid:
            return
        if not self.is_other:
            raise SystemUserError(
                f"{path} belongs to {_name(owner)}, and you are {self.name}. Run as "
                f"{_name(owner)}, or set DATA_DIR to a directory of your own."
            )
        for root, _, files in os.walk(path):
            for name in (Path(root), *(Path(root, name) for name in files)):
                os.chown(name, self.uid, self.gid, follow_symlinks=False)

    def close(self, directory: Path) -> None:
        """Close a directory of ours (not `/tmp`) to all but this user, who may pass through."""
        status = directory.stat()
        if status.st_uid != os.geteuid() or status.st_mode & stat.S_ISVTX:
            return
        if self.is_other:
            os.chown(directory, -1, self.gid)
        directory.chmod(0o710 if self.is_other else 0o700)

    def take_private(self, path: Path) -> None:
        """Make a directory that only this user (and root) can enter, or check an existing one."""
        path.mkdir(mode=0o700, exist_ok=True)
        self.take(path)
        now = path.lstat()
        if not stat.S_ISDIR(now.st_mode) or now.st_uid != self.uid or now.st_mode & 0o077:
            raise SystemUserError(
                f"{path} should be a directory that only {self.name} can enter. Remove it."
            )

    def reach(self, *paths: Path) -> None:
        """Let this user pass through every directory above the paths."""
        if not self.is_other:
            return
        closed = {
            above for path in paths for above in path.parents if not self._may_search(above.stat())
        }
        for directory in sorted(closed):
            directory.chmod(stat.S_IMODE(directory.stat().st_mode) | stat.S_IXOTH)
        if closed:
            names = " ".join(str(directory) for directory in sorted(closed))
            say(f"Changed permissions so the database's user can pass through: chmod o+x {names}")

    def reach_programs(self, *trees: Path) -> None:
        """Let this user run the programs, and read their directories."""
        if not self.is_other:
            return
        # Installed under a strict umask: make the programs, and nothing else, readable.
        closed = [tree for tree in trees if not all(map(self._may_read, (tree, *tree.rglob("*"))))]
        for tree in closed:
            for path in (tree, *tree.rglob("*")):
                mode = stat.S_IMODE(path.stat().st_mode)
                path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))
        if closed:
            names = " ".join(str(tree) for tree in closed)
            say(f"Changed permissions so the database's user can run them: chmod -R o+rX {names}")

    def _may_read(self, path: Path) -> bool:
        mode = path.stat().st_mode
        return bool(mode & stat.S_IROTH) and (not mode & stat.S_IXUSR or bool(mode & stat.S_IXOTH))

    def _may_search(self, status: os.stat_result) -> bool:
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def say(words: str) -> None:
    """Print a change to the machine."""
    print(words, flush=True)  # noqa: T201


def for_server(directory: Path) -> SystemUser:
    """Return the user to run the server of this cluster. Raises SystemUserError if none can."""
    uid = os.geteuid()
    if uid == 0:
        return _owner(directory) or _existing(NAME) or _create()
    try:
        return _user(pwd.getpwuid(uid))
    except KeyError:
        raise SystemUserError(
            f"The user ID {uid} has no name on this machine, and PostgreSQL will not start without "
            f"one. Give it one (in a container image: `useradd --uid {uid} app`), or set "
            "DATABASE_URL to a server of your own."
        ) from None


def _user(entry: pwd.struct_passwd) -> SystemUser:
    return SystemUser(entry.pw_uid, entry.pw_gid, entry.pw_name)


def _owner(directory: Path) -> SystemUser | None:
    """Return the owner of an existing cluster, who goes on running it."""
    with contextlib.suppress(OSError, KeyError):
        owner = directory.stat().st_uid
        return _user(pwd.getpwuid(owner)) if owner != 0 else None
    return None


def _existing(name: str) -> SystemUser | None:
    with contextlib.suppress(KeyError):
        return _user(pwd.getpwnam(name))
    return None


def _create() -> SystemUser:
    for program, *options in (
        ("useradd", "--system", "--no-create-home", "--home-dir", "/nonexistent", "--user-group"),
        ("adduser", "-S", "-D", "-H"),  # Syntax of BusyBox.
    ):
        if path := shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin"):
            # A concurrent start that adds a user makes the program fail for a moment.
            for _ in range(_TRIES):
                subprocess.run([path, *options, NAME], capture_output=True, check=False)
                if user := _existing(NAME):
                    return user
                time.sleep(_SECONDS_BETWEEN)
    # If no user can be added, an existing unprivileged one is used.
    if user := _existing("postgres"):
        return user
    raise SystemUserError(
        "PostgreSQL does not run as root, and no user could be created for it. Run `make run` as "
        "an ordinary user, or set DATABASE_URL to a server of your own."
    )


def _name(uid: int) -> str:
    with contextlib.suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return f"user number {uid}"
