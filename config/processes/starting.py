"""What a copy for others must not start with. Every real start asks: web server, worker, commands.

A copy on its owner's own machine (embedded database, names of this machine only) may be as open as
its owner likes.
"""

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError

KEY_LENGTH = 50
KEY_LETTERS = 10
# Where keys come from that others know.
KNOWN_KEYS = ("django-insecure-", "changeme", "change-me", "secret", "example", "your-")


def faults(
    *,
    debug: bool,
    secret_key: str,
    hosts: Sequence[str],
    embedded: bool,
    demo: bool = False,
    listen: str = "",
) -> list[Error]:
    """Why a copy with these settings must not start; empty when it may.

    `hosts` are ALLOWED_HOSTS, `demo` whether the demo people may sign in, `listen` the address to
    listen on, where that is known.
    """
    public = is_public(hosts, listen)
    weakness = _weakness(secret_key) if public or not embedded else ""
    found = (
        (
            any(host.strip() in {"*", "."} for host in hosts),
            "ALLOWED_HOSTS accepts every name, so a visitor's Host header could change where "
            "links in e-mails lead.",
            "Name the site's own hosts, as in ALLOWED_HOSTS=notes.example.org.",
        ),
        (
            debug and public,
            "DEBUG is on and others can reach this copy, so its error pages would show them "
            "settings and what people wrote.",
            "Leave DEBUG out, or listen on 127.0.0.1 using only this machine's own names.",
        ),
        (
            weakness,
            f"SECRET_KEY {weakness}: anyone who guesses it can sign in as anyone.",
            "Set it to fifty random characters: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'",
        ),
        (
            demo and public,
            "The demo accounts can sign in and others can reach this copy, and their passwords are "
            "public.",
            "Start it with --no-demo and without DEMO, or listen on 127.0.0.1 using only this "
            "machine's own names.",
        ),
    )
    return [
        Error(what, hint=hint, id=f"config.E{number:03}")
        for number, (wrong, what, hint) in enumerate(found, start=1)
        if wrong
    ]


def is_local(host: str) -> bool:
    """Whether only this machine reaches a server of that name or address."""
    host = host.strip().strip("[]").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_public(hosts: Iterable[str], listen: str = "") -> bool:
    """Whether other machines reach a copy of these names, or one that listens on this address."""
    return bool(listen and not is_local(listen)) or not all(map(is_local, hosts))


def of_settings(listen: str = "", *, demo: bool | None = None) -> list[Error]:
    """The same of the settings in force; `demo` takes the place of DEMO where it is given."""
    return faults(
        debug=settings.DEBUG,
        secret_key=settings.SECRET_KEY,
        hosts=settings.ALLOWED_HOSTS,
        embedded=settings.EMBEDDED,
        demo=settings.DEMO if demo is None else demo,
        listen=listen,
    )


def refuse_unsafe() -> None:
    """Raise ImproperlyConfigured with every reason, where there is one."""
    if reasons := of_settings():
        raise ImproperlyConfigured(in_words(reasons))


def refuse_command(listen: str = "", *, demo: bool | None = None) -> None:
    """The same in a command: a CommandError, before anything is asked or made."""
    if reasons := of_settings(listen, demo=demo):
        raise CommandError(in_words(reasons))


def exit_if_unsafe(**_: Any) -> None:
    """The same in a process of Celery's, which only logs what a receiver raises, unless it is
    SystemExit.
    """
    if reasons := of_settings():
        raise SystemExit(in_words(reasons))


def in_words(reasons: Iterable[CheckMessage]) -> str:
    """What is wrong and what to do, a line each."""
    return "\n".join(
        ["Throughline can’t start like this.", *(f"{r.msg} {r.hint}" for r in reasons)]
    )


@register(Tags.security)
def a_start_for_others_is_closed(app_configs: Any, **kwargs: Any) -> list[Error]:
    """Each command that checks (`migrate`, `check`) stops here."""
    return of_settings()


def _weakness(key: str) -> str:
    if len(key) < KEY_LENGTH:
        return f"has {len(key)} characters"
    if len(set(key)) < KEY_LETTERS:
        return "repeats a few characters"
    if key.lower().startswith(KNOWN_KEYS):
        return "is copied from an example"
    return ""
