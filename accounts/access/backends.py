"""The authentication backend for passwords."""

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.access.addresses import person_at
from accounts.models import User


class PasswordBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's backend, with this site's rule of who owns an address.

    An unconfirmed address does not sign anyone in. Sessions also end when their user is no longer
    admitted.
    """

    def user_can_authenticate(self, user: AbstractBaseUser) -> bool:
        """Return whether the user may sign in: active, no sub-user, no disabled demo user."""
        kept_out = isinstance(user, User) and (user.is_kept_out or user.is_sub_user)
        return super().user_can_authenticate(user) and not kept_out

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        person = person_at(email)
        if person is not None and person.is_sub_user:
            person = None
        user: AbstractBaseUser | None = self._check_password(person, password)
        return user
