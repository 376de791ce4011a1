"""Encryption of stored secrets, so that a copy of the database alone does not reveal them."""

import base64

from django.conf import settings


class Unreadable(Exception):
    """Raised for a secret that was encrypted under another SECRET_KEY, or is damaged."""


def encrypt(secret: str, purpose: str) -> str:
    """Return the secret encrypted with a key derived from SECRET_KEY for this purpose."""
    from cryptography.fernet import Fernet

    return Fernet(_derived(settings.SECRET_KEY, purpose)).encrypt(secret.encode()).decode()


def decrypt(encrypted: str, purpose: str) -> str:
    """Return the decrypted secret of this purpose; also tries SECRET_KEY_FALLBACKS. Raises
    Unreadable.
    """
    from cryptography.fernet import Fernet, InvalidToken, MultiFernet

    secret_keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    fernets = MultiFernet([Fernet(_derived(secret_key, purpose)) for secret_key in secret_keys])
    try:
        return fernets.decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise Unreadable from None


def _derived(secret_key: str, purpose: str) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode())
    return base64.urlsafe_b64encode(hkdf.derive(secret_key.encode()))
