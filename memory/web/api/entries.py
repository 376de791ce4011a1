"""API for the entries of memory namespaces: by key, with versions."""

from typing import Any

from django.utils.timezone import localdate
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import ValidationError as SchemaError
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import ETAG, PAGING, Pages, Problem, named_version, problem_response, valid
from memory import manager
from memory.manager import By, EntryRefused, NamespaceFull, StoredEntry, VersionConflict
from memory.namespaces import entry_text
from memory.web.api.namespaces import USUAL_PROBLEMS, NamespaceView, errors_by_field

_IF_MATCH = OpenApiParameter(
    "If-Match",
    ETAG,
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
        help_text="Code for why the entry is held for this session only; empty if it is kept.",
    )


class EntryWritten(EntryOut):
    """The entry as it was written."""

    trace_id = serializers.CharField(
        help_text="Id of this operation for `GET /api/v1/traces?trace_id=`."
    )


class EntriesOut(serializers.Serializer[Any]):
    """A page of entries in the order they were written. With `form=compact`, `compact` also
    contains them as text with few tokens.
    """

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = EntryOut(many=True)
    compact = serializers.CharField(required=False)


class Outdated(Problem):
    """The entry has changed since you read it."""

    current = EntryOut(allow_null=True)


class Wanted(serializers.Serializer[Any]):
    """Query parameters of the list of entries."""

    pattern = serializers.CharField(
        default="*",
        max_length=120,
        help_text="Pattern for the keys, with the wildcards `*` and `?`; default all.",
    )
    form = serializers.ChoiceField(
        choices=["json", "compact"],
        default="json",
        help_text="compact adds the entries as text with few tokens.",
    )


class Entries(NamespaceView):
    """Endpoint of the entries of a namespace."""

    @extend_schema(
        operation_id="entries_query",
        parameters=[Wanted, *PAGING],
        responses={200: EntriesOut, **USUAL_PROBLEMS},
    )
    def get(self, request: Request, name: str) -> Response:
        """List entries whose keys match a pattern. `form=compact` adds them as text with few
        tokens.
        """
        namespace = self.place(request, name)
        asked = valid(Wanted, request.query_params.dict())
        entries = manager.query(self.person(request).pk, name, asked["pattern"])
        pages = Pages()
        page = pages.paginate_queryset(entries, request, view=self) or []
        answer = pages.get_paginated_response(EntryOut(page, many=True).data)
        if asked["form"] == "compact":
            today = localdate()
            block = entry_text.block(namespace, [entry.data for entry in page], today)
            answer.data["compact"] = f"{entry_text.preamble(today)}\n{block}"
        return answer


class OneEntry(NamespaceView):
    """Endpoint of one entry: read, write and remove."""

    @extend_schema(operation_id="entries_read", responses={200: EntryOut, **USUAL_PROBLEMS})
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
        responses={200: EntryWritten, 409: Outdated, 422: Problem, **USUAL_PROBLEMS},
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
            raise ValidationError(errors_by_field(wrong)) from None
        except (EntryRefused, NamespaceFull) as refused:
            code = refused.code if isinstance(refused, EntryRefused) else ""
            return problem_response(422, "The entry can’t be written", str(refused), reason=code)
        data = _plain(made.entry) | {"trace_id": made.trace_id}
        return _response(data, made.entry)

    @extend_schema(
        operation_id="entries_remove",
        parameters=[_IF_MATCH],
        responses={204: None, 409: Outdated, 422: Problem, **USUAL_PROBLEMS},
    )
    def delete(self, request: Request, name: str, key: str) -> Response:
        """Remove an entry from every tier."""
        self.place(request, name)
        try:
            removed = manager.remove(
                self.person(request).pk, name, key, expected=_expected(request)
            )
        except VersionConflict as conflict:
            return _outdated(conflict)
        except EntryRefused as refused:
            return problem_response(422, "The entry can’t be removed", str(refused))
        if not removed:
            raise NotFound(f"There is no entry {key!r} in {name}.")
        return Response(status=204)


def _expected(request: Request) -> int | None:
    """Return the version that the entry must have (0: must not exist); None if not specified."""
    if request.headers.get("If-None-Match", "").strip() == "*":
        return 0
    return named_version(request)


def _plain(entry: StoredEntry) -> dict[str, Any]:
    return dict(EntryOut().to_representation(entry))


def _response(body: dict[str, Any], entry: StoredEntry) -> Response:
    return Response(body, headers={"ETag": f'"{entry.version}"'})


def _outdated(conflict: VersionConflict) -> Response:
    current = _plain(conflict.current) if conflict.current else None
    return problem_response(409, "The entry has changed", str(conflict), current=current)
