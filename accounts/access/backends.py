"""Who a password lets in."""

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.access.addresses import person_at
from accounts.models import User


class PasswordBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's, with one rule of whose an address is.

    An address that somebody claims and has not confirmed opens nothing. A session ends, too, as
    soon as its person is kept out.
    """

    def user_can_authenticate(self, user: AbstractBaseUser) -> bool:
        """Active, no sub-user, and none of the demo people where those are kept out."""
        kept_out = isinstance(user, User) and (user.is_kept_out or user.is_sub_user)
        return super().user_can_authenticate(user) and not kept_out

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        person = person_at(email)
        if person is not None and person.is_sub_user:
            person = None
        user: AbstractBaseUser | None = self._check_password(person, password)
        return user
