"""API for proposals: facts and memories that wait for approval."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    PAGING,
    NoLonger,
    PersonAPIView,
    Problem,
    RequestBody,
    ScoreField,
    page_of,
)
from ledger.models import Contradiction
from ledger.promotion import proposals
from ledger.promotion.proposals import Accepted
from ledger.web import present
from ledger.web.api.conflicts import ConflictOut
from memory.models import Memory
from memory.notes.note_gate import NotKept
from memory.web.present.remedies import ReasonField


class ProposalOut(serializers.Serializer[Any]):
    """A fact or memory that is waiting for the user's approval."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(
        source="waits_as",
        choices=["fact", "ending", "note"],
        help_text="fact, ending (a fact that is no longer true) or note (a memory).",
    )
    slot = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    text = serializers.CharField(source="content")
    origin = serializers.CharField(
        help_text="How it was said: typed, pasted, tool, assistant or imported."
    )
    written_by = serializers.CharField(
        help_text="Name of the API token that an agent used to write it; otherwise empty."
    )
    trust = ScoreField()
    said_at = serializers.DateTimeField()
    conversation = serializers.UUIDField(source="source_conversation_id", allow_null=True)
    message = serializers.UUIDField(source="source_message_id", allow_null=True)
    reason = ReasonField(
        "code", help_text="Code for why it is waiting, such as not_typed or ask_first."
    )
    sentence = ReasonField("in_full", help_text="The reason as a sentence to show to the user.")


class AcceptedOut(serializers.Serializer[Any]):
    """The result of accepting a proposal; at most one field is set."""

    fact = serializers.UUIDField(
        source="fact.pk", allow_null=True, help_text="Id of the fact that was saved."
    )
    ended = serializers.UUIDField(
        source="ended.pk", allow_null=True, help_text="Id of the fact that has ended."
    )
    memory = serializers.UUIDField(
        source="memory.pk", allow_null=True, help_text="Id of the memory that was saved."
    )
    conflict = ConflictOut(
        allow_null=True,
        help_text="Conflict that was opened because the new value contradicts another one.",
    )


def _ids(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.UUIDField(), help_text=help_text)


class AllAnsweredOut(serializers.Serializer[Any]):
    """The result of answering several proposals at once; empty if none was waiting."""

    count = serializers.IntegerField(help_text="Number of proposals answered by this request.")
    proposals = _ids("Ids of the proposals answered by this request.")
    facts = _ids("Ids of the facts that were saved.")
    ended = _ids("Ids of the facts that have ended.")
    memories = _ids("Ids of the memories that were saved.")
    conflicts = _ids("Ids of the conflicts that were opened.")


class DeclineIn(RequestBody):
    """Options for declining a proposal."""

    never = serializers.BooleanField(
        default=False,
        help_text="Whether to stop saving anything of this kind from now on, and to stop asking "
        "about it.",
    )


@contextmanager
def refusals() -> Iterator[None]:
    """Return a context manager that turns NotKept into a 409 response."""
    try:
        yield
    except NotKept as reason:
        raise NoLonger(str(reason), reason.code or None) from None


class Proposals(PersonAPIView):
    """The proposals of a person."""

    @extend_schema(
        operation_id="proposals_list",
        responses={200: page_of(ProposalOut), 400: Problem, 401: Problem, 503: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List proposals that are waiting for approval, newest first."""
        rows = proposals.waiting(self.person(request).pk)
        return self.page(request, rows, ProposalOut)


class Accept(PersonAPIView):
    """Accepting a proposal."""

    @extend_schema(
        operation_id="proposals_accept",
        request=None,
        responses={200: AcceptedOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept a proposal. If it contradicts another value, a conflict is opened and returned."""
        with refusals():
            result = proposals.accept(_get_note(self, request, pk))
        entry = None
        if result.contradiction is not None:
            rows = Contradiction.objects.for_user(self.person(request).pk)
            entry = present.view(present.with_evidence(rows).get(pk=result.contradiction.pk))
        return Response(AcceptedOut({**vars(result), "conflict": entry}).data)


class Decline(PersonAPIView):
    """Declining a proposal."""

    @extend_schema(
        operation_id="proposals_decline",
        request=DeclineIn,
        responses={204: None, 400: Problem, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Decline a proposal. With `never`, anything of its kind is never saved again."""
        never = self.body(request, DeclineIn)["never"]
        with refusals():
            proposals.decline(_get_note(self, request, pk), never=never)
        return Response(status=204)


class _All(PersonAPIView):
    """One answer to all proposals from a conversation."""

    def _conversation(self, request: Request, pk: UUID) -> tuple[UUID, UUID]:
        """Return the ids of the user and the conversation. Raises Http404 if it never had a
        proposal.
        """
        user_id = self.person(request).pk
        if not proposals.has_proposals_from(user_id, pk):
            raise Http404
        return user_id, pk


class AcceptAll(_All):
    """Accepting all proposals from a conversation."""

    @extend_schema(
        operation_id="proposals_accept_all",
        request=None,
        responses={200: AllAnsweredOut, 401: Problem, 404: Problem, 409: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept all proposals from a conversation, except those already known, which are dropped.
        Repeating this accepts only proposals that have arrived since. 409 if a kind of fact may not
        be saved.
        """
        with refusals():
            result = proposals.accept_all(*self._conversation(request, pk))
        return Response(all_answered(result))


class DeclineAll(_All):
    """Declining all proposals from a conversation."""

    @extend_schema(
        operation_id="proposals_decline_all",
        request=None,
        responses={200: AllAnsweredOut, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Decline all proposals from a conversation. Each can be restored on the Memories page.
        Repeating this declines only proposals that have arrived since.
        """
        declined = proposals.decline_all(*self._conversation(request, pk))
        return Response(all_answered(dict.fromkeys(declined, Accepted())))


def all_answered(accepted: dict[UUID, Accepted]) -> dict[str, object]:
    """Return the result of several answers, in the shape of AllAnsweredOut."""
    results = list(accepted.values())
    return {
        "count": len(accepted),
        "proposals": list(accepted),
        "facts": [result.fact.pk for result in results if result.fact],
        "ended": [result.ended.pk for result in results if result.ended],
        "memories": [result.memory.pk for result in results if result.memory],
        "conflicts": [result.contradiction.pk for result in results if result.contradiction],
    }


def _get_note(view: PersonAPIView, request: Request, pk: UUID) -> Memory:
    rows = Memory.objects.for_user(view.person(request).pk)
    return get_object_or_404(rows.select_related("source_message", "ends"), pk=pk)
