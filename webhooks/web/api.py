"""API for webhooks: endpoints, and the log of what was sent to them."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, RequestBody, page_of
from accounts.database.isolation import acting_as
from webhooks import addresses, endpoints
from webhooks.models import URL_LENGTH, Event, WebhookDelivery, WebhookEndpoint
from webhooks.payloads import Gone, payload_of

_ON_A_ROW = {404: Problem, 503: Problem}


class WebhookOut(serializers.ModelSerializer[WebhookEndpoint]):
    """A webhook endpoint, without its secret."""

    events = serializers.ListField(child=serializers.ChoiceField(choices=Event.choices))
    on = serializers.BooleanField(source="is_on", help_text="Whether events are sent to it.")
    off_because = serializers.ChoiceField(
        choices=WebhookEndpoint.Off.choices,
        help_text="Why it is off: owner, failing (no delivery succeeded for days) or gone (it "
        "answered 410); empty while it is on.",
    )
    failing_since = serializers.DateTimeField(
        allow_null=True, help_text="When deliveries began to fail; null if they succeed."
    )

    class Meta:
        model = WebhookEndpoint
        fields = (
            "id",
            "url",
            "name",
            "events",
            "on",
            "off_because",
            "off_since",
            "failing_since",
            "created_at",
        )


class NewWebhook(WebhookOut):
    """A webhook endpoint, with its secret."""

    secret = serializers.CharField(
        help_text=(
            "Secret that signs each event: `whsec_` followed by base64. Shown only in this "
            "response."
        )
    )

    class Meta(WebhookOut.Meta):
        fields = (*WebhookOut.Meta.fields, "secret")  # type: ignore[assignment]


class UrlField(serializers.CharField):
    """A URL that may be called."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=URL_LENGTH,
            help_text="HTTPS address to send events to, on a public host.",
            **kwargs,
        )

    def to_internal_value(self, data: Any) -> str:
        """Return the URL. Raises ValidationError."""
        try:
            return addresses.check(super().to_internal_value(data))
        except addresses.UnfitUrl as unfit:
            raise ValidationError(str(unfit)) from None


class WebhookIn(RequestBody):
    """A webhook endpoint to register."""

    url = UrlField()
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Event.choices), allow_empty=False
    )
    name = serializers.CharField(
        max_length=WebhookEndpoint.NAME_LENGTH, allow_blank=True, default=""
    )


class WebhookChange(RequestBody):
    """Changes to a webhook endpoint; omitted fields keep their value."""

    least_fields = 1

    url = UrlField(required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Event.choices), allow_empty=False, required=False
    )
    name = serializers.CharField(
        max_length=WebhookEndpoint.NAME_LENGTH, allow_blank=True, required=False
    )
    on = serializers.BooleanField(
        required=False,
        help_text="false stops sending and drops waiting events; true sends events from now on.",
    )


class DeliveryOut(serializers.ModelSerializer[WebhookDelivery]):
    """An event for a webhook endpoint, and whether it was delivered."""

    message_id = serializers.CharField(
        help_text="Value of the `webhook-id` header that it is sent with."
    )
    event = serializers.CharField(help_text="Type of the event, such as memory.added.")
    subject = serializers.UUIDField(
        allow_null=True,
        help_text="Id of what the event is about; null if it is not about a single thing.",
    )
    subject_kind = serializers.ChoiceField(choices=WebhookDelivery.Subject.choices)
    attempts = serializers.IntegerField(
        help_text="Number of attempts since it was last queued for sending."
    )
    next_try_at = serializers.DateTimeField(
        help_text="Earliest time of the next attempt, while it is waiting."
    )
    response_code = serializers.IntegerField(
        allow_null=True, help_text="HTTP status of the last response; null if there was none."
    )
    milliseconds = serializers.IntegerField(
        allow_null=True, help_text="Duration of the last attempt."
    )
    failure = serializers.ChoiceField(
        choices=WebhookDelivery.Failure.choices,
        help_text="Why the last attempt failed; empty if it succeeded.",
    )

    class Meta:
        model = WebhookDelivery
        fields = (
            "id",
            "message_id",
            "event",
            "subject_kind",
            "subject",
            "at",
            "state",
            "attempts",
            "next_try_at",
            "last_try_at",
            "response_code",
            "milliseconds",
            "failure",
        )


class DeliveryWithPayload(DeliveryOut):
    """An event for a webhook endpoint, with what is sent."""

    payload = serializers.JSONField(
        help_text="Body that would be sent now; null if what it is about has been erased."
    )

    class Meta(DeliveryOut.Meta):
        fields = (*DeliveryOut.Meta.fields, "payload")  # type: ignore[assignment]


class _WebhookView(PersonAPIView):
    """An operation on a user's webhooks."""

    def endpoint(self, request: Request, pk: UUID) -> WebhookEndpoint:
        """Return the endpoint within `acting_as(user)`. Raises Http404."""
        rows = endpoints.of(self.person(request).pk).select_related("user")
        return get_object_or_404(rows, pk=pk)

    def delivery(self, request: Request, pk: UUID, delivery_pk: UUID) -> WebhookDelivery:
        """Return a delivery of the endpoint. Raises Http404."""
        rows = endpoints.log_of(self.endpoint(request, pk)).select_related("endpoint", "user")
        return get_object_or_404(rows, pk=delivery_pk)


class Webhooks(_WebhookView):
    """The webhook endpoints of a person."""

    # The URL's host is resolved before any transaction is opened.
    one_block = False

    @extend_schema(
        operation_id="webhooks_list",
        responses={200: page_of(WebhookOut), 503: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List webhook endpoints, newest first."""
        with acting_as(self.person(request)):
            return self.page(request, endpoints.of(self.person(request).pk), WebhookOut)

    @extend_schema(
        operation_id="webhooks_register",
        request=WebhookIn,
        responses={201: NewWebhook, 409: Problem, 503: Problem},
    )
    def post(self, request: Request) -> Response:
        """Register a webhook endpoint. 409 if you already have the maximum number."""
        given, person = self.body(request, WebhookIn), self.person(request)
        with acting_as(person):
            endpoint, secret = endpoints.register(person, **given)
            return Response(WebhookOut(endpoint).data | {"secret": secret}, status=201)


class OneWebhook(_WebhookView):
    """One webhook endpoint."""

    one_block = False

    @extend_schema(operation_id="webhooks_read", responses={200: WebhookOut, **_ON_A_ROW})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a webhook endpoint."""
        with acting_as(self.person(request)):
            return Response(WebhookOut(self.endpoint(request, pk)).data)

    @extend_schema(
        operation_id="webhooks_change",
        request=WebhookChange,
        responses={200: WebhookOut, **_ON_A_ROW},
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change a webhook endpoint, or turn it on or off."""
        with acting_as(self.person(request)):
            self.endpoint(request, pk)
        given = self.body(request, WebhookChange)
        with acting_as(self.person(request)):
            endpoint = self.endpoint(request, pk)
            endpoints.change(endpoint, **given)
            return Response(WebhookOut(endpoint).data)

    @extend_schema(operation_id="webhooks_delete", responses={204: None, **_ON_A_ROW})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete a webhook endpoint with its log."""
        with acting_as(self.person(request)):
            endpoints.remove(self.endpoint(request, pk))
        return Response(status=204)


class Secret(_WebhookView):
    """The secret of a webhook endpoint."""

    @extend_schema(
        operation_id="webhooks_renew_secret",
        request=None,
        responses={200: NewWebhook, **_ON_A_ROW},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Replace the secret. The old one is no longer used."""
        endpoint = self.endpoint(request, pk)
        secret = endpoints.renew_secret(endpoint)
        return Response(WebhookOut(endpoint).data | {"secret": secret})


class Test(_WebhookView):
    """A test of a webhook endpoint."""

    @extend_schema(
        operation_id="webhooks_test",
        request=None,
        responses={202: DeliveryOut, 409: Problem, **_ON_A_ROW},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Send a `webhook.test` event. 409 if the endpoint is turned off."""
        delivery = endpoints.send_test(self.endpoint(request, pk))
        return Response(DeliveryOut(delivery).data, status=202)


class Deliveries(_WebhookView):
    """The log of a webhook endpoint."""

    @extend_schema(
        operation_id="webhooks_deliveries",
        responses={200: page_of(DeliveryOut), **_ON_A_ROW},
        parameters=[
            OpenApiParameter(
                "state",
                str,
                enum=WebhookDelivery.State.values,
                description="Only deliveries in this state.",
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """List sent and waiting events, newest first. They are kept for 30 days."""
        rows = endpoints.log_of(self.endpoint(request, pk))
        if state := request.query_params.get("state"):
            rows = rows.filter(state=state)
        return self.page(request, rows, DeliveryOut)


class OneDelivery(_WebhookView):
    """One line of the log."""

    @extend_schema(
        operation_id="webhooks_delivery_read", responses={200: DeliveryWithPayload, **_ON_A_ROW}
    )
    def get(self, request: Request, pk: UUID, delivery_pk: UUID) -> Response:
        """Read whether an event was delivered, with its payload."""
        delivery = self.delivery(request, pk, delivery_pk)
        try:
            payload = payload_of(delivery)
        except Gone:
            payload = None
        return Response(DeliveryOut(delivery).data | {"payload": payload})


class SendAgain(_WebhookView):
    """Sending an event again."""

    @extend_schema(
        operation_id="webhooks_delivery_send",
        request=None,
        responses={202: DeliveryOut, 409: Problem, **_ON_A_ROW},
    )
    def post(self, request: Request, pk: UUID, delivery_pk: UUID) -> Response:
        """Send an event again, with the same `webhook-id`. 409 if the endpoint is turned off."""
        delivery = self.delivery(request, pk, delivery_pk)
        endpoints.send_again(delivery)
        return Response(DeliveryOut(delivery).data, status=202)
