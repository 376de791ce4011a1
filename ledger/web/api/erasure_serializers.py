"""How what goes, what stays and what is left are told to other software."""

from typing import Any

from rest_framework import serializers

from ledger.models import Erasure
from ledger.verification.kinds import GOES, STAYS


class CountedOut(serializers.Serializer[Any]):
    """So many of one kind."""

    kind = serializers.ChoiceField(choices=[(kind, names[1]) for kind, names in GOES.items()])
    count = serializers.IntegerField()
    words = serializers.CharField()


class StayingOut(serializers.Serializer[Any]):
    """What stays, and why."""

    kind = serializers.ChoiceField(choices=[*STAYS])
    count = serializers.IntegerField(allow_null=True, help_text="Null where it is not counted.")
    why = serializers.CharField()


class PreviewOut(serializers.Serializer[Any]):
    """What would go and what would stay; nothing is touched."""

    kind = serializers.ChoiceField(choices=Erasure.Kind.choices)
    goes = CountedOut(many=True)
    stays = StayingOut(many=True)


class LeftOut(serializers.Serializer[Any]):
    """A row that still had it."""

    table = serializers.CharField()
    row = serializers.CharField(help_text="Its key.")
    column = serializers.CharField(allow_blank=True)
    remedy = serializers.CharField(help_text="What to do about it.")


class ErasureOut(PreviewOut):
    """A receipt, without a word of what went: how much, and what a search found afterwards."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    at = serializers.DateTimeField()
    is_clean = serializers.BooleanField(help_text="Nothing was left that should have gone.")
    left = LeftOut(many=True)
    more = serializers.IntegerField(help_text="Rows left beside those that are named.")
    tables = serializers.IntegerField(help_text="Tables that were searched.")
    rows = serializers.IntegerField(help_text="The person's rows in them.")
    files = serializers.IntegerField(help_text="Letters and waiting messages that were read.")
