"""Decorators of pages for signed-in users."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails
from structlog.contextvars import bind_contextvars

from accounts.database.isolation import acting_as
from accounts.models import User

P = ParamSpec("P")


class PersonRequest(HttpRequest):
    """A request of a signed-in user."""

    user: User
    htmx: HtmxDetails


def page_before(request: HttpRequest, otherwise: str) -> str:
    """Return the path of this site in the form's `next`, or `otherwise`."""
    address = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure())
    return address if own else otherwise


def _signed_in(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @login_required
    @wraps(view)
    def page(request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        bind_contextvars(user_id=str(request.user.pk))
        return view(request, *args, **kwargs)

    return page


def person_page(
    view: Callable[Concatenate[PersonRequest, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Require a signed-in user, and run the view within `acting_as(user)`.

    The whole view is one transaction. Views that have to commit earlier, such as sending a message,
    open their own transactions.
    """

    @wraps(view)
    def in_own_block(request: PersonRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        with acting_as(request.user):
            return view(request, *args, **kwargs)

    return _signed_in(in_own_block)


def confirmed_page(
    view: Callable[Concatenate[PersonRequest, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Like `person_page`, and POST requests require a recently entered password.

    If it is missing, the user is asked for it, and the POST is repeated afterwards.
    """
    return person_page(reauthentication_required(view, allow_get=True))


def confirmed_page_without_block(
    view: Callable[Concatenate[PersonRequest, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Like `confirmed_page`, for a view that calls `acting_as` itself, after something slow."""
    return _signed_in(reauthentication_required(view, allow_get=True))
