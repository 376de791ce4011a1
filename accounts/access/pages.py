"""What every page of a signed-in person begins with."""

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
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


def page_before(request: HttpRequest, otherwise: str) -> str:
    """The address of this site that a form was sent from, as its `next` tells, or another."""
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
    """Let only signed-in people in, and run the view in their own block.

    The whole view is one transaction that sees this person's rows and no others. A view that must
    keep something before it goes on (sending a message) opens its own block instead.
    """

    @wraps(view)
    def in_own_block(request: PersonRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        with acting_as(request.user):
            return view(request, *args, **kwargs)

    return _signed_in(in_own_block)


def confirmed_page(
    view: Callable[Concatenate[PersonRequest, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A page whose POST requests need a person who has just confirmed their password.

    Who has not is asked for it, and what they sent is done afterwards: nothing is typed twice.
    """
    return person_page(reauthentication_required(view, allow_get=True))


def confirmed_page_without_block(
    view: Callable[Concatenate[PersonRequest, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """The same for a view that opens the block itself, because it waits for something before."""
    return _signed_in(reauthentication_required(view, allow_get=True))
