"""Pages of the account, its address and its tokens."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from allauth.account.views import EmailView
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import addresses, sub_users, tokens
from accounts.access.pages import PersonRequest, confirmed_page, page_before, person_page
from accounts.access.scopes import PEOPLE, READ, WRITE, namespaces_in
from accounts.forms import AccountForm, ThemeForm, TokenForm
from accounts.models import ApiToken
from accounts.support.formatting import day, listed, number


@require_http_methods(["GET", "POST"])
@person_page
def account(request: PersonRequest) -> HttpResponse:
    """Show and save name and theme."""
    form = AccountForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:account")
    return render(
        request, "accounts/account.html", {"form": form}, status=422 if form.errors else 200
    )


@require_POST
@person_page
def theme(request: PersonRequest) -> HttpResponse:
    """Save the theme from the account menu, and stay on the page."""
    form = ThemeForm(request.POST, instance=request.user)
    if not form.is_valid():
        raise Http404
    form.save()
    return redirect(page_before(request, reverse("conversations:home")))


@require_http_methods(["GET", "POST"])
@confirmed_page
def tokens_page(request: PersonRequest) -> HttpResponse:
    """List the tokens and create one; its secret is only shown in this response."""
    form = TokenForm(request.POST or None, owner=request.user)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        made, secret = tokens.make(request.user, **form.cleaned_data)
        address = request.build_absolute_uri(reverse("api:profile"))
        example = f'curl -H "Authorization: Token {secret}" {address}'
        form = TokenForm(owner=request.user)
        context = {"form": form, "made": made, "secret": secret, "example": example}
    people = sub_users.of(request.user).count()
    rows = [_token_row(token, people) for token in tokens.of(request.user)]
    context |= {"tokens": rows, "people": _people_in_words(people)}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


def _token_row(token: ApiToken, people: int) -> dict[str, Any]:
    """Return a token for the page; `people` is the number of its owner's sub-users."""
    used = f"last used {day(token.last_used_at, now())}" if token.last_used_at else "never used"
    return {
        "token": token,
        "used": used,
        "made": f"created {day(token.created, now())}",
        "ends": f"expires {day(token.expiry, now())}" if token.expiry else "never expires",
        "is_endless": token.expiry is None,
        # '' for everything that the owner can do.
        "opens": _opened(token.scopes, people),
    }


def _opened(scopes: Collection[str], people: int) -> str:
    parts = []
    if READ in scopes and WRITE not in scopes:
        parts.append("can only read")
    elif WRITE in scopes and READ not in scopes:
        parts.append("can only change things, not read them")
    if namespaces := namespaces_in(scopes):
        parts.append(f"can use only {listed(namespaces)}")
    if PEOPLE in scopes:
        count = _people_in_words(people) or "none so far"
        parts.append(f"can create people and act for them ({count})")
    sentence = "; ".join(parts)
    return sentence[:1].upper() + sentence[1:]


def _people_in_words(people: int) -> str:
    """Return 'one person', '12 people'; '' for none."""
    return f"{number(people)} {'person' if people == 1 else 'people'}" if people else ""


@require_POST
@person_page
def revoke_token(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Revoke a token at once; no password is asked for, since it may be urgent."""
    if not tokens.revoke(request.user, pk):
        raise Http404
    messages.success(request, "Token revoked. It no longer works.")
    return redirect("accounts:tokens")


class AddressPage(EmailView):  # type: ignore[misc]
    """allauth's page for changing the address; the new one replaces the old once confirmed."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Request a new address, resend its link, or cancel it."""
        if "action_primary" in request.POST:
            return redirect("account_email")
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return allauth's context with the address that waits to be confirmed."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"waiting": addresses.waiting(self.request.user)}
