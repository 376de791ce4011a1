"""Where one is signed in, and deleting the account."""

from allauth.account.forms import ReauthenticateForm
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.deletion import erase_all
from privacy import account_deletion
from privacy.account_deletion import CannotBeDeleted, TooLate
from privacy.web import present


@require_POST
@person_page
def end_session(request: PersonRequest, pk: int) -> HttpResponse:
    """Sign out somewhere else. No password is asked for: who fears for it shall not be held up."""
    session = UserSession.objects.filter(user=request.user, pk=pk).first()
    if session is None:
        raise Http404
    session.end()
    messages.success(request, "That device is signed out.")
    return redirect("privacy:page")


@require_POST
@person_page
def end_other_sessions(request: PersonRequest) -> HttpResponse:
    """Sign out everywhere but here."""
    here = request.session.session_key
    others = UserSession.objects.filter(user=request.user).exclude(session_key=here)
    for session in others:
        session.end()
    messages.success(request, "All other devices are signed out.")
    return redirect("privacy:page")


@require_http_methods(["GET", "POST"])
@person_page
def delete(request: PersonRequest) -> HttpResponse:
    """What would go and when, and the password that says it is meant."""
    form = ReauthenticateForm(request.POST or None, user=request.user)
    refused = ""
    if request.method == "POST" and form.is_valid():
        try:
            account_deletion.ask(request.user)
        except CannotBeDeleted as error:
            refused = str(error)
        else:
            return redirect("privacy:delete_account")
    context = {
        "form": form,
        "refused": refused,
        "held": erase_all.stored_counts(request.user.pk),
        "grace": present.grace(),
    }
    status = 422 if form.errors or refused else 200
    return render(request, "privacy/delete_account.html", context, status=status)


@require_POST
@person_page
def keep(request: PersonRequest) -> HttpResponse:
    """Stay after all, or be told that it is too late."""
    try:
        kept = account_deletion.keep(request.user)
    except TooLate as error:
        return render(request, "privacy/account_deleted.html", {"refused": error}, status=410)
    if kept:
        messages.success(request, "Your account won’t be deleted.")
    return redirect("privacy:page")
