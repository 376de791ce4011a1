"""Serializers for previews and receipts of erasures."""

from typing import Any

from rest_framework import serializers

from ledger.models import Erasure
from ledger.verification.kinds import GOES, STAYS


class CountedOut(serializers.Serializer[Any]):
    """Number of items of one kind that are erased."""

    kind = serializers.ChoiceField(choices=[(kind, names[1]) for kind, names in GOES.items()])
    count = serializers.IntegerField()
    words = serializers.CharField(help_text="Count and kind as text, such as '3 messages'.")


class StayingOut(serializers.Serializer[Any]):
    """A kind of item that stays, and why."""

    kind = serializers.ChoiceField(choices=[*STAYS])
    count = serializers.IntegerField(
        allow_null=True, help_text="Number of items; null if they are not counted."
    )
    why = serializers.CharField()


class PreviewOut(serializers.Serializer[Any]):
    """What an erasure would delete and what would stay."""

    kind = serializers.ChoiceField(choices=Erasure.Kind.choices)
    goes = CountedOut(many=True)
    stays = StayingOut(many=True)


class LeftOut(serializers.Serializer[Any]):
    """A database row that still contains what should have been erased."""

    table = serializers.CharField()
    row = serializers.CharField(help_text="Primary key of the row.")
    column = serializers.CharField(allow_blank=True)
    remedy = serializers.CharField(help_text="A sentence saying what to do about the row.")


class ErasureOut(PreviewOut):
    """The receipt of an erasure: what was erased, as counts, and what a search found afterwards."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    at = serializers.DateTimeField()
    is_clean = serializers.BooleanField(
        help_text="true if the search found nothing left that should have been erased."
    )
    left = LeftOut(many=True)
    more = serializers.IntegerField(help_text="Number of remaining rows that are not listed.")
    tables = serializers.IntegerField(help_text="Number of tables that were searched.")
    rows = serializers.IntegerField(help_text="Number of the user's rows that were searched.")
    files = serializers.IntegerField(
        help_text="Number of files that were searched, such as stored mail and queued messages."
    )
