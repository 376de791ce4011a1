"""What waits for a yes, for other software."""

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
    Pages,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
)
from ledger.models import Contradiction
from ledger.promotion import proposals
from ledger.promotion.proposals import Accepted
from ledger.web import present
from ledger.web.api.conflicts import ConflictOut
from ledger.web.api.entry import shown_entry
from memory.models import Memory
from memory.notes import NotKept
from memory.web import reason_in_api, reason_of_kept, shown_reason


class ProposalOut(serializers.Serializer[Any]):
    """Something that was written down and waits for its owner's yes."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=["fact", "ending", "note"])
    slot = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    origin = serializers.CharField(help_text="typed, pasted, tool, assistant or imported")
    trust = serializers.FloatField()
    said_at = serializers.DateTimeField()
    conversation = serializers.UUIDField(allow_null=True)
    message = serializers.UUIDField(allow_null=True)
    reason = serializers.CharField(help_text="Why it waits, as a code: not_typed, ask_first, …")
    sentence = serializers.CharField(help_text="The same in words for the person.")


class AcceptedOut(serializers.Serializer[Any]):
    """What came of a yes: at most one of these is there."""

    fact = serializers.UUIDField(allow_null=True, help_text="The fact in the profile now.")
    ended = serializers.UUIDField(allow_null=True, help_text="The fact that is over now.")
    memory = serializers.UUIDField(allow_null=True, help_text="The note in use now.")
    conflict = ConflictOut(allow_null=True, help_text="It stands against another value.")


def _ids(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.UUIDField(), help_text=help_text)


class AllAnsweredOut(serializers.Serializer[Any]):
    """What came of one answer to all that waited from a conversation; empty when nothing did."""

    count = serializers.IntegerField(help_text="How many were answered now.")
    proposals = _ids("The proposals that were answered now.")
    facts = _ids("Facts in the profile now.")
    ended = _ids("Facts that are over now.")
    memories = _ids("Notes in use now.")
    conflicts = _ids("Conflicts: what stands against another value.")


class DeclineIn(RequestBody):
    """How far a no reaches."""

    never = serializers.BooleanField(
        default=False, help_text="Note nothing of this kind any more, and do not ask."
    )


@contextmanager
def refusals() -> Iterator[None]:
    """What is not kept, or waits no longer, is told as a 409."""
    try:
        yield
    except NotKept as reason:
        raise NoLonger(str(reason), reason.code or None) from None


class Proposals(PersonAPIView):
    """What waits."""

    @extend_schema(
        operation_id="proposals_list",
        responses={200: page_of(ProposalOut), 400: Problem, 401: Problem, 503: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List what waits for a yes, the newest first."""
        pages = Pages()
        rows = proposals.waiting(self.person(request).pk)
        page = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response([shown_proposal(memory) for memory in page])


class Accept(PersonAPIView):
    """A yes."""

    @extend_schema(
        operation_id="proposals_accept",
        request=None,
        responses={200: AcceptedOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Keep it. What stands against another value opens a conflict and is told."""
        with refusals():
            done = proposals.accept(_one(self, request, pk))
        entry = None
        if done.contradiction is not None:
            rows = Contradiction.objects.for_user(self.person(request).pk)
            entry = shown_entry(present.with_evidence(rows).get(pk=done.contradiction.pk))
        return Response(
            {
                "fact": done.fact.pk if done.fact else None,
                "ended": done.ended.pk if done.ended else None,
                "memory": done.memory.pk if done.memory else None,
                "conflict": entry,
            }
        )


class Decline(PersonAPIView):
    """A no."""

    @extend_schema(
        operation_id="proposals_decline",
        request=DeclineIn,
        responses={204: None, 400: Problem, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Say no; with `never`, to everything of its kind."""
        given = DeclineIn(data=request.data)
        given.is_valid(raise_exception=True)
        with refusals():
            proposals.decline(_one(self, request, pk), never=given.validated_data["never"])
        return Response(status=204)


class _All(PersonAPIView):
    """One answer to all that waits from a conversation of the person's."""

    def _conversation(self, request: Request, pk: UUID) -> tuple[UUID, UUID]:
        """Whose, and from where. Raises Http404 where nothing of theirs ever came from it."""
        user_id = self.person(request).pk
        if not proposals.asked_about(user_id, pk):
            raise Http404
        return user_id, pk


class AcceptAll(_All):
    """A yes to all."""

    @extend_schema(
        operation_id="proposals_accept_all",
        request=None,
        responses={200: AllAnsweredOut, 401: Problem, 404: Problem, 409: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Keep all that waits from a conversation; what is known already is let go. Sent again it
        answers what has come since, or nothing. 409 for a closed kind.
        """
        with refusals():
            done = proposals.accept_all(*self._conversation(request, pk))
        return Response(all_answered(done))


class DeclineAll(_All):
    """A no to all."""

    @extend_schema(
        operation_id="proposals_decline_all",
        request=None,
        responses={200: AllAnsweredOut, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Keep nothing that waits from a conversation. Sent again it answers what has come since,
        or nothing. Each can be brought back on the page of notes.
        """
        declined = proposals.decline_all(*self._conversation(request, pk))
        return Response(all_answered(dict.fromkeys(declined, Accepted())))


def all_answered(done: dict[UUID, Accepted]) -> dict[str, object]:
    """What came of several answers, as AllAnsweredOut tells it."""
    came = list(done.values())
    return {
        "count": len(done),
        "proposals": list(done),
        "facts": [one.fact.pk for one in came if one.fact],
        "ended": [one.ended.pk for one in came if one.ended],
        "memories": [one.memory.pk for one in came if one.memory],
        "conflicts": [one.contradiction.pk for one in came if one.contradiction],
    }


def _one(view: PersonAPIView, request: Request, pk: UUID) -> Memory:
    rows = Memory.objects.for_user(view.person(request).pk)
    return get_object_or_404(rows.select_related("source_message", "ends"), pk=pk)


def shown_proposal(memory: Memory) -> dict[str, object]:
    """What waits, as ProposalOut tells it."""
    return {
        "id": str(memory.pk),
        "kind": "ending" if memory.ends_id else "fact" if memory.slot else "note",
        "slot": memory.slot,
        "value": memory.value,
        "text": memory.content,
        "origin": memory.origin,
        "trust": round(memory.trust, 4),
        "said_at": memory.said_at,
        "conversation": memory.source_conversation_id,
        "message": memory.source_message_id,
        **reason_in_api(shown_reason(reason_of_kept(memory))),
    }
