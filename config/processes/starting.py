"""Checks of unsafe settings at the start of a public instance; a local one may have them."""

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register

KEY_LENGTH = 50
KEY_LETTERS = 10
# Prefixes of keys that are publicly known.
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
    """Return why an instance with these settings must not start; `hosts` is ALLOWED_HOSTS."""
    public = is_public(hosts, listen)
    weakness = _weakness(secret_key) if public or not embedded else ""
    checks = (
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
        for number, (wrong, what, hint) in enumerate(checks, start=1)
        if wrong
    ]


def is_local(host: str) -> bool:
    """Return whether a host name or address is only reachable from this machine."""
    host = host.strip().strip("[]").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_public(hosts: Iterable[str], listen: str = "") -> bool:
    """Return whether other machines can reach an instance with these hosts or listen address."""
    return bool(listen and not is_local(listen)) or not all(map(is_local, hosts))


def of_settings(listen: str = "", *, demo: bool | None = None) -> list[Error]:
    """Return the faults of the current settings; `demo` overrides DEMO if given."""
    return faults(
        debug=settings.DEBUG,
        secret_key=settings.SECRET_KEY,
        hosts=settings.ALLOWED_HOSTS,
        embedded=settings.EMBEDDED,
        demo=settings.DEMO if demo is None else demo,
        listen=listen,
    )


def refuse(error: type[BaseException], listen: str = "", *, demo: bool | None = None) -> None:
    """Raise `error` with all faults, if any; only SystemExit ends Celery."""
    if reasons := of_settings(listen, demo=demo):
        lines = (f"{reason.msg} {reason.hint}" for reason in reasons)
        raise error("\n".join(["Throughline can’t start like this.", *lines]))


@register(Tags.security)
def a_start_for_others_is_closed(app_configs: Any, **kwargs: Any) -> list[Error]:
    """System check that stops commands (`migrate`, `check`) with unsafe settings."""
    return of_settings()


def _weakness(key: str) -> str:
    if len(key) < KEY_LENGTH:
        return f"has {len(key)} characters"
    if len(set(key)) < KEY_LETTERS:
        return "repeats a few characters"
    if key.lower().startswith(KNOWN_KEYS):
        return "is copied from an example"
    return ""
