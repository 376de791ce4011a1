"""The organisation of an e-mail address: its registered domain."""

from functools import cache
from pathlib import Path

from publicsuffixlist import PublicSuffixList

_FILE = Path(__file__).with_name("public_mail_domains.txt")


def organisation_of(email: str) -> str:
    """Return the registrable domain of an address, '' for public mail providers.

    "ann@mail.sales.firm.co.uk" gives "firm.co.uk". Subdomains of providers ("firm.github.io") count
    as the provider, since anybody can have many.
    """
    domain = email.rpartition("@")[2].strip().rstrip(".").lower()
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        # Domains that e-mail cannot reach; users with equal ones still count as one organisation.
        return domain
    registrable: str = _suffixes().privatesuffix(domain) or domain
    return "" if registrable in _public_mail_domains() else registrable


@cache
def _suffixes() -> PublicSuffixList:
    """Return the public suffix list that comes with the package; nothing is downloaded."""
    return PublicSuffixList(only_icann=True)


@cache
def _public_mail_domains() -> frozenset[str]:
    lines = _FILE.read_text(encoding="ascii").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
