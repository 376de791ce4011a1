"""Pages of webhooks: the list, and one endpoint with its log."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access.pages import PersonRequest, confirmed_page_without_block, person_page
from accounts.database.isolation import acting_as
from webhooks import addresses, endpoints
from webhooks.endpoints import TooMany, TurnedOff
from webhooks.models import URL_LENGTH, Event, WebhookEndpoint
from webhooks.web import present

_PAGE = 50


class EndpointForm(forms.Form):
    """Registering or changing an endpoint. Validating resolves the host: not in a transaction."""

    url = forms.CharField(
        label="Address",
        max_length=URL_LENGTH,
        help_text="Where to send events, such as https://example.org/hooks.",
        widget=forms.URLInput,
        error_messages={"required": "Enter the address to send events to."},
    )
    name = forms.CharField(
        label="What is it for? (optional)",
        max_length=WebhookEndpoint.NAME_LENGTH,
        required=False,
    )
    events = forms.MultipleChoiceField(
        label="Send when",
        choices=Event.choices,
        initial=[Event.ADDED, Event.CHANGED, Event.REMOVED],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )

    def clean_url(self) -> str:
        """Return the URL, if it may be called."""
        try:
            return addresses.check(self.cleaned_data["url"])
        except addresses.UnfitUrl as unfit:
            raise forms.ValidationError(str(unfit)) from None


@require_http_methods(["GET", "POST"])
@confirmed_page_without_block
def webhooks_page(request: PersonRequest) -> HttpResponse:
    """List the endpoints and register one, whose secret is only shown in this response."""
    form = EndpointForm(request.POST or None)
    is_whole = request.method == "POST" and form.is_valid()
    context: dict[str, Any] = {"form": form}
    with acting_as(request.user):
        if is_whole:
            try:
                made, secret = endpoints.register(request.user, **form.cleaned_data)
                context = {"form": EndpointForm(), "made": made, "secret": secret}
            except TooMany as refused:
                form.add_error(None, str(refused))
        rows = endpoints.of(request.user.pk)
        context["rows"] = [present.endpoint_row(endpoint, now()) for endpoint in rows]
        status = 422 if form.errors else 200
        return render(request, "webhooks/webhooks.html", context, status=status)


@require_http_methods(["GET", "POST"])
@confirmed_page_without_block
def webhook(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show and change one endpoint, with its log."""
    form = EndpointForm(request.POST) if request.method == "POST" else None
    is_whole = form is not None and form.is_valid()
    with acting_as(request.user):
        endpoint = _mine(request, pk)
        if form is not None and is_whole:
            endpoints.change(endpoint, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect("webhooks:webhook", pk)
        return _page(request, endpoint, form)


@require_POST
@confirmed_page_without_block
def new_secret(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Replace the secret; the new one is only shown in this response."""
    with acting_as(request.user):
        endpoint = _mine(request, pk)
        secret = endpoints.renew_secret(endpoint)
        return _page(request, endpoint, None, made=endpoint, secret=secret)


@require_POST
@person_page
def switch(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Turn an endpoint on or off."""
    on = request.POST.get("on") == "1"
    endpoints.change(_mine(request, pk), on=on)
    messages.success(request, "Turned on." if on else "Turned off. Nothing more will be sent.")
    return redirect("webhooks:webhook", pk)


@require_POST
@person_page
def test(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Send a test event."""
    try:
        endpoints.send_test(_mine(request, pk))
        messages.success(request, "Sending a test event. Reload the page to see the result.")
    except TurnedOff as refused:
        messages.error(request, str(refused))
    return redirect("webhooks:webhook", pk)


@require_http_methods(["GET", "POST"])
@person_page
def delivery(request: PersonRequest, pk: UUID, delivery_pk: UUID) -> HttpResponse:
    """Show one delivery with its payload; send it again on POST."""
    endpoint = _mine(request, pk)
    line = get_object_or_404(endpoints.log_of(endpoint).select_related("endpoint"), pk=delivery_pk)
    if request.method == "GET":
        context = {
            "row": present.endpoint_row(endpoint, now()),
            "line": present.delivery_row(line, now()),
            "payload": present.shown_payload(line),
        }
        return render(request, "webhooks/delivery.html", context)
    try:
        endpoints.send_again(line)
        messages.success(request, "Sending again. Reload the page to see the result.")
    except TurnedOff as refused:
        messages.error(request, str(refused))
    return redirect("webhooks:webhook", pk)


@require_POST
@person_page
def delete(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Delete an endpoint; no password is asked for, since it may be urgent."""
    endpoints.remove(_mine(request, pk))
    messages.success(request, "Webhook deleted. Nothing more will be sent to it.")
    return redirect("webhooks:webhooks")


def _mine(request: PersonRequest, pk: UUID) -> WebhookEndpoint:
    return get_object_or_404(endpoints.of(request.user.pk).select_related("user"), pk=pk)


def _page(
    request: PersonRequest, endpoint: WebhookEndpoint, form: EndpointForm | None, **more: Any
) -> HttpResponse:
    log = Paginator(endpoints.log_of(endpoint), _PAGE).get_page(request.GET.get("page"))
    filled = {"url": endpoint.url, "name": endpoint.name, "events": endpoint.events}
    context = {
        "form": form or EndpointForm(initial=filled),
        "row": present.endpoint_row(endpoint, now()),
        "log": log,
        "deliveries": [present.delivery_row(line, now()) for line in log],
        **more,
    }
    return render(request, "webhooks/webhook.html", context, status=422 if form else 200)
