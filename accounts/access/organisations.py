"""Which organisation an e-mail address belongs to: whoever registered its domain."""

from functools import cache
from pathlib import Path

from publicsuffixlist import PublicSuffixList

_FILE = Path(__file__).with_name("public_mail_domains.txt")


def organisation_of(email: str) -> str:
    """Return the registrable domain of an address, '' for one at a public mail provider.

    "ann@mail.sales.firm.co.uk" is of "firm.co.uk". Names below a provider's own domain
    ("firm.github.io") are the provider's: everybody can have as many of those as they like.
    """
    domain = email.rpartition("@")[2].strip().rstrip(".").lower()
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        # No domain that mail could reach; two who write it alike still count as one.
        return domain
    registrable: str = _suffixes().privatesuffix(domain) or domain
    return "" if registrable in _public_mail_domains() else registrable


@cache
def _suffixes() -> PublicSuffixList:
    """The list that comes with the package; nothing is fetched."""
    return PublicSuffixList(only_icann=True)


@cache
def _public_mail_domains() -> frozenset[str]:
    lines = _FILE.read_text(encoding="ascii").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
