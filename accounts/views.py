"""The account page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import AccountForm
from accounts.pages import PersonRequest, person_page


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
