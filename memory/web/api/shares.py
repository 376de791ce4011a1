"""API for shared profile pages."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    ON_INPUT,
    PAGING,
    Pages,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
)
from memory import sharing
from memory.models import NAME_LENGTH, ProfileShare
from memory.sharing import NotShareable
from memory.web.present import sharing as present

_DAYS = [(days, f"{days} days") for days in sharing.DAYS if days is not None]


class SharedFactOut(serializers.Serializer[Any]):
    """A fact on a shared page."""

    id = serializers.UUIDField()
    slot = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField()


class ShareOut(serializers.Serializer[Any]):
    """A page with chosen facts that anyone with its link can read."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    shown_as = serializers.CharField(
        help_text="Name of the owner as shown on the page; may be empty."
    )
    url = serializers.CharField(help_text="Link to the page. Anyone who has it can read the page.")
    open = serializers.BooleanField(
        help_text="Whether the link works, which means it has not expired or been revoked."
    )
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    openings = serializers.IntegerField()
    last_opened_at = serializers.DateTimeField(allow_null=True)
    facts = SharedFactOut(many=True, help_text="Facts that the page shows now.")


class ShareIn(RequestBody):
    """A shared page to create."""

    name = serializers.CharField(max_length=NAME_LENGTH)
    shown_as = serializers.CharField(
        max_length=NAME_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="Name of the owner to show on the page; default none.",
    )
    facts = serializers.ListField(
        child=serializers.UUIDField(), allow_empty=False, help_text="Ids of the facts to show."
    )
    days = serializers.ChoiceField(
        choices=_DAYS,
        allow_null=True,
        help_text="Number of days until the link expires; null if it never does.",
    )


class Shares(PersonAPIView):
    """Endpoint of the shared pages of a user: list and create."""

    @extend_schema(
        operation_id="shares_list",
        responses={200: page_of(ShareOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List shared pages, open or closed, newest first."""
        person, pages = self.person(request), Pages()
        rows = ProfileShare.objects.filter(user=person).order_by("-made_at", "-pk")
        page = pages.paginate_queryset(rows, request, view=self) or []
        shown = sharing.shown_on(person.pk, page)
        return pages.get_paginated_response(
            [present.api(share, shown[share.pk], request) for share in page]
        )

    @extend_schema(
        operation_id="shares_make",
        request=ShareIn,
        responses={201: ShareOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Create a page that shows the chosen facts. Private or disputed facts cannot be shared."""
        data, person = self.body(request, ShareIn), self.person(request)
        try:
            share = sharing.make(person.pk, **data)
        except NotShareable as reason:
            raise ValidationError({"facts": [str(reason)]}) from None
        shown = sharing.shown_on(person.pk, [share])[share.pk]
        return Response(present.api(share, shown, request), status=201)


class OneShare(PersonAPIView):
    """Endpoint that closes a shared page."""

    @extend_schema(operation_id="shares_close", responses={204: None, 401: Problem, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Close a shared page. Its link stops working."""
        sharing.revoke(get_object_or_404(ProfileShare, user=self.person(request), pk=pk))
        return Response(status=204)
