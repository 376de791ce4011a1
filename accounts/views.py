"""The account, its address and its tokens."""

from typing import Any
from uuid import UUID

from allauth.account.views import EmailView
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import addresses, sub_users, token_presentation, tokens
from accounts.access.pages import PersonRequest, confirmed_page, page_before, person_page
from accounts.forms import AccountForm, ThemeForm, TokenForm


@require_http_methods(["GET", "POST"])
@person_page
def account(request: PersonRequest) -> HttpResponse:
    """Name and appearance."""
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
    """Choose light or dark from the account menu, and stay on the page."""
    form = ThemeForm(request.POST, instance=request.user)
    if not form.is_valid():
        raise Http404
    form.save()
    return redirect(page_before(request, reverse("conversations:home")))


@require_http_methods(["GET", "POST"])
@confirmed_page
def tokens_page(request: PersonRequest) -> HttpResponse:
    """The tokens, and a new one: its secret stands on the answer to its form and nowhere else."""
    form = TokenForm(request.POST or None, owner=request.user)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        made, secret = tokens.make(request.user, **form.cleaned_data)
        example = token_presentation.curl(request, secret)
        form = TokenForm(owner=request.user)
        context = {"form": form, "made": made, "secret": secret, "example": example}
    people = sub_users.of(request.user).count()
    rows = token_presentation.rows(tokens.of(request.user), people, now())
    context |= {"tokens": rows, "people": token_presentation.in_words(people)}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@require_POST
@person_page
def revoke_token(request: PersonRequest, pk: UUID) -> HttpResponse:
    """End a token at once. No password is asked for: who fears for it shall not be held up."""
    if not tokens.revoke(request.user, pk):
        raise Http404
    messages.success(request, "Token revoked. It no longer works.")
    return redirect("accounts:tokens")


class AddressPage(EmailView):  # type: ignore[misc]
    """allauth's page for changing the address; only a confirmed one takes the place of another."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Ask for another address, send its link again, or drop it."""
        if "action_primary" in request.POST:
            return redirect("account_email")
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """What waits to be confirmed, beside what allauth tells."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"waiting": addresses.waiting(self.request.user)}
