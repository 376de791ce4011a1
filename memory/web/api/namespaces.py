"""API for memory namespaces: list, register, delete, and consent."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema
from pydantic import ValidationError as SchemaError
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    ON_INPUT,
    PAGING,
    PROBLEMS,
    NoLonger,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
    paged,
    problem_response,
)
from memory import manager
from memory.manager import NamespaceFull
from memory.models import RegisteredNamespace
from memory.namespaces import entry_text, registered, registry
from memory.namespaces.registry import Namespace

USUAL_PROBLEMS = {403: Problem, **PROBLEMS}


class NamespaceOut(serializers.Serializer[Any]):
    """A memory namespace: its purpose, limits and schema."""

    name = serializers.CharField()
    purpose = serializers.CharField()
    tier = serializers.CharField(
        help_text="Tier in which new entries are stored: hot (short-lived) or warm (kept)."
    )
    most = serializers.IntegerField(help_text="Maximum number of entries.")
    rolling = serializers.BooleanField(
        help_text="Whether a new entry replaces the oldest one when the namespace is full."
    )
    keep_days = serializers.IntegerField(source="keep.days", allow_null=True)
    cold_after_days = serializers.IntegerField(source="cold_after.days", allow_null=True)
    needs_consent = serializers.BooleanField()
    granted_at = serializers.SerializerMethodField()
    read_only = serializers.BooleanField(source="own")  # type: ignore[assignment]
    heading = serializers.SerializerMethodField()
    schema = serializers.DictField(
        source="schema.model_json_schema", help_text="JSON schema of an entry."
    )

    def get_granted_at(self, namespace: Namespace) -> datetime | None:
        """When the user consented to keeping entries; null if they have not."""
        at: datetime | None = self.context["granted"].get(namespace.name)
        return at

    def get_heading(self, namespace: Namespace) -> str:
        """Heading line above the entries in compact form."""
        return entry_text.heading(namespace)


class NamespaceIn(RequestBody):
    """A namespace to register."""

    name = serializers.RegexField(
        rf"\A{registered.NAME_PATTERN}\Z",
        help_text=f"`{registry.OWN_GROUP}.` and lower-case letters, digits and underscores, such "
        "as `my.books`.",
        error_messages={
            "invalid": f"Write {registry.OWN_GROUP}. and then lower-case letters, digits and "
            "underscores, such as my.books."
        },
    )
    purpose = serializers.CharField(
        max_length=RegisteredNamespace.PURPOSE_LENGTH,
        help_text="What it holds, in the words used to ask its owner for consent.",
    )
    schema = serializers.DictField(
        help_text="JSON schema of an entry: an object whose properties are strings (with "
        "`maxLength`, `enum`, or the `format` date or date-time), integers (with `minimum` and "
        "`maximum`), booleans, or arrays of strings; `required` names the ones that must be "
        "present."
    )
    most = serializers.IntegerField(
        default=200,
        min_value=1,
        max_value=registered.MOST_ENTRIES,
        help_text="Maximum number of entries.",
    )
    rolling = serializers.BooleanField(
        default=False,
        help_text="Whether a new entry replaces the oldest one when the namespace is full.",
    )
    keep_days = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=3650,
        help_text="Number of days after which an entry is deleted; null for never.",
    )


class NamespaceView(PersonAPIView):
    """Base of the endpoints of namespaces. A limited token can use only the namespaces it names."""

    for_scoped_tokens = True

    def place(self, request: Request, name: str) -> Namespace:
        """Return the namespace. Raises NotFound, or PermissionDenied if the token cannot use it."""
        try:
            namespace = registered.namespace_of(self.person(request).pk, name)
        except registry.UnknownNamespace as unknown:
            raise NotFound(str(unknown)) from None
        scopes = self.namespaces(request)
        if scopes and name not in registry.matching(scopes, {name: namespace}):
            raise PermissionDenied(f"This token can’t use {name}.")
        return namespace

    def within_reach(self, request: Request) -> list[Namespace]:
        """Return the namespaces that the token of the request can use."""
        namespaces = registered.namespaces_of(self.person(request).pk)
        reached = registry.matching(self.namespaces(request) or ["*"], namespaces)
        return [namespace for name, namespace in namespaces.items() if name in reached]

    def shown(self, request: Request, namespaces: Any, *, many: bool = False) -> Any:
        """Return a namespace, or several, as JSON."""
        context = {"granted": manager.granted_namespaces(self.person(request).pk)}
        return NamespaceOut(namespaces, many=many, context=context).data


class Namespaces(NamespaceView):
    """Endpoint of all namespaces: list and register."""

    @extend_schema(
        operation_id="namespaces_list",
        responses={200: page_of(NamespaceOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List the namespaces with their purpose, limits and consent."""
        reached = self.within_reach(request)
        return paged(self, request, reached, lambda page: self.shown(request, page, many=True))

    @extend_schema(
        operation_id="namespaces_register",
        request=NamespaceIn,
        responses={200: NamespaceOut, 201: NamespaceOut, 409: Problem, **USUAL_PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        """Register your own namespace. 200 if it already exists, 409 if a different one has this
        name or you have too many. As with any other namespace, its entries are kept once you
        consent.
        """
        _refuse_limited(self.namespaces(request))
        data, person = self.body(request, NamespaceIn), self.person(request)
        try:
            place, is_new = registered.register_namespace(person, **data)
        except SchemaError as wrong:
            raise ValidationError({"schema": errors_by_field(wrong)}) from None
        except (registered.NameTaken, registered.TooManyNamespaces) as refused:
            raise NoLonger(str(refused)) from None
        return Response(self.shown(request, place), status=201 if is_new else 200)


class OneNamespace(NamespaceView):
    """Endpoint of one namespace: read and delete."""

    @extend_schema(operation_id="namespaces_read", responses={200: NamespaceOut, **USUAL_PROBLEMS})
    def get(self, request: Request, name: str) -> Response:
        """Read the purpose, limits, schema and consent of a namespace."""
        return Response(self.shown(request, self.place(request, name)))

    @extend_schema(
        operation_id="namespaces_delete", responses={204: None, 422: Problem, **USUAL_PROBLEMS}
    )
    def delete(self, request: Request, name: str) -> Response:
        """Delete a namespace that you registered, with its entries."""
        _refuse_limited(self.namespaces(request))
        place = self.place(request, name)
        if not registered.is_registered_name(name):
            detail = f"{name} is built in. To empty it, withdraw your consent."
            return problem_response(422, "This namespace can’t be deleted", detail)
        manager.unregister_namespace(self.person(request), place)
        return Response(status=204)


class ConsentOut(serializers.Serializer[Any]):
    """The result of giving or withdrawing consent."""

    namespace = serializers.CharField()
    granted = serializers.BooleanField()
    entries = serializers.IntegerField(help_text="Number of entries kept or removed as a result.")


class Consent(PersonAPIView):
    """Endpoint of the consent to keep a namespace's entries. Limited tokens cannot change it."""

    @extend_schema(
        operation_id="namespaces_allow",
        request=None,
        responses={200: ConsentOut, 422: Problem, **USUAL_PROBLEMS},
    )
    def put(self, request: Request, name: str) -> Response:
        """Consent to keeping a namespace, including the entries held in this session."""
        return self._choose(request, name, granted=True)

    @extend_schema(
        operation_id="namespaces_disallow",
        request=None,
        responses={200: ConsentOut, 422: Problem, **USUAL_PROBLEMS},
    )
    def delete(self, request: Request, name: str) -> Response:
        """Withdraw consent to a namespace. Its entries are removed."""
        return self._choose(request, name, granted=False)

    def _choose(self, request: Request, name: str, *, granted: bool) -> Response:
        try:
            entries = manager.allow(self.person(request), name, on=granted)
        except registry.UnknownNamespace as unknown:
            raise NotFound(str(unknown)) from None
        except ValueError as needless:
            return problem_response(422, "Nothing to consent to", str(needless))
        except NamespaceFull as full:
            return problem_response(422, "There is no room for this session’s entries", str(full))
        return Response({"namespace": name, "granted": granted, "entries": entries})


def _refuse_limited(scopes: list[str]) -> None:
    if scopes:
        raise PermissionDenied(
            "This token can use only some memory namespaces. Create one without that limit to do "
            "this."
        )


def errors_by_field(wrong: SchemaError) -> dict[str, list[str]]:
    """Return a validation error's messages by field, without the input."""
    errors: dict[str, list[str]] = {}
    for error in wrong.errors(include_url=False, include_input=False, include_context=False):
        field = ".".join(str(part) for part in error["loc"]) or "entry"
        errors.setdefault(field, []).append(error["msg"])
    return errors
