"""API for memory namespaces: entries by key, with versions, and consent."""

from datetime import timedelta
from typing import Any

from django.utils.timezone import localdate
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import ValidationError as SchemaError
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, named_version, problem_response
from memory import manager
from memory.manager import By, EntryRefused, NamespaceFull, StoredEntry, VersionConflict
from memory.namespaces import consent, registry
from memory.namespaces.line_codec import preamble
from memory.namespaces.registry import NAMESPACES, Namespace
from memory.web.api.common import PROBLEMS, USUAL, valid

_PROBLEMS = {403: Problem, **PROBLEMS}
_IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description='ETag of the version that you read, such as "3"; 409 if the entry has changed '
    "since.",
)
_IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="`*` writes only if there is no entry with this key yet.",
)


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
    keep_days = serializers.IntegerField(allow_null=True)
    cold_after_days = serializers.IntegerField(allow_null=True)
    needs_consent = serializers.BooleanField()
    granted_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When the user consented to keeping entries; null if they have not.",
    )
    read_only = serializers.BooleanField()  # type: ignore[assignment]
    heading = serializers.CharField(help_text="Heading line above the entries in compact form.")
    schema = serializers.DictField(help_text="JSON schema of an entry.")


class EntryOut(serializers.Serializer[Any]):
    """An entry of a namespace."""

    namespace = serializers.CharField()
    key = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    version = serializers.IntegerField()
    tier = serializers.CharField()
    written_by = serializers.CharField()
    written_at = serializers.DateTimeField()
    held_because = serializers.CharField(
        help_text="Why the entry is held for this session only; empty if it is kept."
    )
    held_reason = serializers.CharField(
        source="held.code",
        default="",
        help_text="Code for the reason why the entry is held for this session only; empty if it is "
        "kept.",
    )


class EntryWritten(EntryOut):
    """The entry as it was written."""

    trace_id = serializers.CharField(
        help_text="Id of this operation for `GET /api/v1/traces?trace_id=`."
    )


class EntriesOut(serializers.Serializer[Any]):
    """Entries in the order in which they were written. With `form=compact`, `compact` also holds
    them as text that takes few tokens.
    """

    results = EntryOut(many=True)
    compact = serializers.CharField(required=False)


class Outdated(Problem):
    """The entry has changed since you read it."""

    current = EntryOut(allow_null=True)


class Wanted(serializers.Serializer[Any]):
    """Which entries to return, and in which form."""

    pattern = serializers.CharField(
        default="*",
        max_length=120,
        help_text="Pattern for the keys, with the wildcards `*` and `?`; default all.",
    )
    limit = serializers.IntegerField(
        default=200, min_value=1, max_value=500, help_text="Maximum number of entries to return."
    )
    form = serializers.ChoiceField(
        choices=["json", "compact"],
        default="json",
        help_text="compact adds the entries as text that takes few tokens.",
    )


class NamespaceView(PersonAPIView):
    """An operation on one namespace. A limited token can use only the namespaces that it names."""

    for_scoped_tokens = True

    def place(self, request: Request, name: str) -> Namespace:
        """Return the namespace. Raises NotFound if there is none, PermissionDenied if the token
        cannot use it.
        """
        try:
            namespace = registry.namespace_named(name)
        except registry.UnknownNamespace as unknown:
            raise NotFound(str(unknown)) from None
        scopes = self.namespaces(request)
        if scopes and name not in registry.matching(scopes):
            raise PermissionDenied(f"This token can’t use {name}.")
        return namespace

    def within_reach(self, request: Request) -> list[Namespace]:
        """Return the namespaces that the token of the request can use."""
        scopes = self.namespaces(request) or ["*"]
        return [NAMESPACES[name] for name in NAMESPACES if name in registry.matching(scopes)]


class Namespaces(NamespaceView):
    """All namespaces."""

    @extend_schema(
        operation_id="namespaces_list",
        responses={200: NamespaceOut(many=True), **USUAL},
    )
    def get(self, request: Request) -> Response:
        """List the namespaces with their purpose, limits and consent."""
        granted = consent.granted_namespaces(self.person(request).pk)
        return Response([_as_json(namespace, granted) for namespace in self.within_reach(request)])


class Entries(NamespaceView):
    """The entries of a namespace."""

    @extend_schema(
        operation_id="entries_query", parameters=[Wanted], responses={200: EntriesOut, **_PROBLEMS}
    )
    def get(self, request: Request, name: str) -> Response:
        """List entries whose keys match a pattern. `form=compact` also returns them as text that
        takes few tokens.
        """
        namespace = self.place(request, name)
        asked = valid(Wanted, request.query_params)
        found = manager.query(self.person(request).pk, name, asked["pattern"], asked["limit"])
        told: dict[str, Any] = {"results": EntryOut(found, many=True).data}
        if asked["form"] == "compact":
            today = localdate()
            block = manager.compact(namespace.name, found, today)
            told["compact"] = f"{preamble(today)}\n{block}"
        return Response(told)


class OneEntry(NamespaceView):
    """One entry."""

    @extend_schema(operation_id="entries_read", responses={200: EntryOut, **_PROBLEMS})
    def get(self, request: Request, name: str, key: str) -> Response:
        """Read an entry from any tier. Its version is the ETag."""
        self.place(request, name)
        entry = manager.read(self.person(request).pk, name, key)
        if entry is None:
            raise NotFound(f"There is no entry {key!r} in {name}.")
        return _response(_plain(entry), entry)

    @extend_schema(
        operation_id="entries_write",
        request={"application/json": {"type": "object"}},
        parameters=[_IF_MATCH, _IF_NONE_MATCH],
        responses={200: EntryWritten, 409: Outdated, 422: Problem, **_PROBLEMS},
    )
    def put(self, request: Request, name: str, key: str) -> Response:
        """Write an entry. The body is the entry itself, as the schema of the namespace defines it.

        Without consent the entry is held for the session only, and `held_because` gives the reason.
        """
        self.place(request, name)
        if not isinstance(request.data, dict):
            raise ValidationError("Send the entry as one JSON object.")
        user_id, expected = self.person(request).pk, _expected(request)
        try:
            made = manager.write(
                user_id, name, key, request.data, by=By.SOFTWARE, expected=expected
            )
        except VersionConflict as conflict:
            return _outdated(conflict)
        except SchemaError as wrong:
            raise ValidationError(_by_field(wrong)) from None
        except (EntryRefused, NamespaceFull) as refused:
            code = refused.code if isinstance(refused, EntryRefused) else ""
            return problem_response(422, "The entry can’t be written", str(refused), reason=code)
        told = _plain(made.entry) | {"trace_id": made.trace_id}
        return _response(told, made.entry)

    @extend_schema(
        operation_id="entries_remove",
        parameters=[_IF_MATCH],
        responses={204: None, 409: Outdated, 422: Problem, **_PROBLEMS},
    )
    def delete(self, request: Request, name: str, key: str) -> Response:
        """Remove an entry from every tier."""
        self.place(request, name)
        try:
            gone = manager.remove(self.person(request).pk, name, key, expected=_expected(request))
        except VersionConflict as conflict:
            return _outdated(conflict)
        except EntryRefused as refused:
            return problem_response(422, "The entry can’t be removed", str(refused))
        if not gone:
            raise NotFound(f"There is no entry {key!r} in {name}.")
        return Response(status=204)


class ConsentOut(serializers.Serializer[Any]):
    """The result of giving or withdrawing consent."""

    namespace = serializers.CharField()
    granted = serializers.BooleanField()
    entries = serializers.IntegerField(
        help_text="Number of entries that were kept or removed as a result."
    )


class Consent(PersonAPIView):
    """Consent to keeping a namespace. Limited tokens cannot change it."""

    @extend_schema(
        operation_id="namespaces_allow",
        request=None,
        responses={200: ConsentOut, 422: Problem, **_PROBLEMS},
    )
    def put(self, request: Request, name: str) -> Response:
        """Consent to keeping a namespace, including the entries held in this session."""
        return self._choose(request, name, granted=True)

    @extend_schema(
        operation_id="namespaces_disallow",
        request=None,
        responses={200: ConsentOut, 422: Problem, **_PROBLEMS},
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
            return problem_response(
                422, "There is no room for the entries of this session", str(full)
            )
        return Response({"namespace": name, "granted": granted, "entries": entries})


def _as_json(namespace: Namespace, granted: Any) -> dict[str, Any]:
    return {
        "name": namespace.name,
        "purpose": namespace.purpose,
        "tier": namespace.tier.value,
        "most": namespace.most,
        "rolling": namespace.rolling,
        "keep_days": _days(namespace.keep),
        "cold_after_days": _days(namespace.cold_after),
        "needs_consent": namespace.needs_consent,
        "granted_at": granted.get(namespace.name),
        "read_only": namespace.own,
        "heading": namespace.codec.heading,
        "schema": namespace.schema.model_json_schema(),
    }


def _days(span: timedelta | None) -> int | None:
    return span.days if span else None


def _expected(request: Request) -> int | None:
    """The version that the entry must have, 0 for none; None where the request does not say."""
    if request.headers.get("If-None-Match", "").strip() == "*":
        return 0
    return named_version(request)


def _by_field(wrong: SchemaError) -> dict[str, list[str]]:
    """What is wrong with each field, in pydantic's words, without what was sent."""
    told: dict[str, list[str]] = {}
    for error in wrong.errors(include_url=False, include_input=False, include_context=False):
        field = ".".join(str(part) for part in error["loc"]) or "entry"
        told.setdefault(field, []).append(error["msg"])
    return told


def _plain(entry: StoredEntry) -> dict[str, Any]:
    return dict(EntryOut().to_representation(entry))


def _response(body: dict[str, Any], entry: StoredEntry) -> Response:
    return Response(body, headers={"ETag": f'"{entry.version}"'})


def _outdated(conflict: VersionConflict) -> Response:
    current = _plain(conflict.current) if conflict.current else None
    return problem_response(409, "The entry has changed", str(conflict), current=current)
