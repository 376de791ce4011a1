"""Endpoints that users registered, and deliveries to them."""

import base64
import hmac
import secrets
from datetime import datetime
from typing import ClassVar
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from accounts.support.encryption import Unreadable, decrypt, encrypt

_PURPOSE, _PREFIX = "secret of a webhook", "whsec_"
URL_LENGTH = 500


class Event(models.TextChoices):
    """The events that an endpoint can subscribe to."""

    ADDED = "memory.added", "A fact or memory is added"
    CHANGED = "memory.changed", "A fact or memory changes"
    REMOVED = "memory.removed", "A fact or memory is no longer used"
    PROPOSED = "memory.proposed", "A memory needs your approval"
    CLEARED = "memory.cleared", "Everything is forgotten"
    OPENED = "conflict.opened", "A conflict opens"
    SETTLED = "conflict.settled", "A conflict is settled"
    EXPORTED = "export.ready", "A copy of your data is ready"


# Sent on request, whatever the endpoint subscribed to.
TEST_EVENT = "webhook.test"


class WebhookEndpoint(OwnedModel):
    """A URL that receives events. Its secret is stored encrypted, and shown only when created."""

    NAME_LENGTH = 80

    exported = ("url", "name", "events", "created_at", "off_because", "off_since")
    outlives_forgetting = "This is a setting, not something the person said."

    class Off(models.TextChoices):
        ON = "", "on"
        OWNER = "owner", "turned off by its owner"
        FAILING = "failing", "turned off after failing for several days"
        GONE = "gone", "turned off because it reported that it no longer exists"

    url = models.CharField(max_length=URL_LENGTH)
    name = models.CharField("what it is for", max_length=NAME_LENGTH, blank=True)
    events = ArrayField(models.CharField(max_length=20, choices=Event))
    encrypted_secret = models.TextField()
    created_at = models.DateTimeField(default=now)
    off_because = models.CharField(max_length=8, choices=Off, blank=True, default=Off.ON)
    off_since = models.DateTimeField(null=True, blank=True)
    # Since when deliveries fail; empty while they succeed.
    failing_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user"], name="webhook_endpoints_of_a_person")]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_on(self) -> bool:
        """Return whether events are sent to the endpoint."""
        return self.off_because == self.Off.ON

    @property
    def host(self) -> str:
        """Return the host of the URL."""
        return urlsplit(self.url).hostname or ""

    def make_secret(self) -> str:
        """Return a new secret, 'whsec_' and 32 random bytes in base64; not saved yet."""
        secret = _PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
        self.encrypted_secret = encrypt(secret, _PURPOSE)
        return secret

    def read_secret(self) -> str | None:
        """Return the secret, None if it cannot be decrypted."""
        try:
            return decrypt(self.encrypted_secret, _PURPOSE)
        except Unreadable:
            return None

    def signed_headers(self, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
        """Return the Standard Webhooks headers of a body; {} without a readable secret."""
        secret = self.read_secret()
        if secret is None:
            return {}
        seconds = str(int(at.timestamp()))
        key = base64.b64decode(secret.removeprefix(_PREFIX))
        signed = b".".join((message_id.encode(), seconds.encode(), body))
        signature = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
        return {
            "webhook-id": message_id,
            "webhook-timestamp": seconds,
            "webhook-signature": f"v1,{signature}",
        }


class WebhookDelivery(OwnedModel):
    """An event for an endpoint, and the result of sending it: ids and kinds, no content.

    Triggers insert rows (`webhooks.tables`) in the transaction of the event. The content is read
    when sending, so erased data is never sent.
    """

    not_exported = "These record what was sent and when, and are deleted after a few weeks."
    outlives_forgetting = "It names events by kind and id, and is deleted after a few weeks."

    class State(models.TextChoices):
        WAITING = "waiting", "waits"
        SENT = "sent", "sent"
        FAILED = "failed", "failed"
        SKIPPED = "skipped", "skipped"

    class Failure(models.TextChoices):
        """Why the last attempt failed."""

        NONE = "", ""
        ADDRESS = "address", "this address isn’t allowed"
        NAME = "name", "host not found"
        TIMEOUT = "timeout", "no response in time"
        CONNECTION = "connection", "no connection"
        TLS = "tls", "invalid certificate"
        STATUS = "status", "error response"
        SECRET = "secret", "the secret can no longer be read"

    class Subject(models.TextChoices):
        """The kind of resource that the event is about."""

        NOTHING = "", ""
        FACT = "fact", "fact"
        MEMORY = "memory", "memory"
        CONFLICT = "conflict", "conflict"
        EXPORT = "export", "export"

    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries"
    )
    event = models.CharField(max_length=20)
    subject_kind = models.CharField(max_length=8, choices=Subject, blank=True)
    subject = models.UUIDField(null=True, blank=True)
    at = models.DateTimeField(default=now)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    # Number since the delivery was created or sent again by the user.
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(default=now)
    last_try_at = models.DateTimeField(null=True, blank=True)
    response_code = models.PositiveSmallIntegerField(null=True, blank=True)
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    failure = models.CharField(max_length=10, choices=Failure, blank=True, default=Failure.NONE)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        indexes: ClassVar = [
            models.Index(fields=["endpoint", "-at"], name="webhook_log_of_an_endpoint"),
            models.Index(fields=["user", "at"], name="webhook_deliveries_by_age"),
            models.Index(
                fields=["next_try_at"], condition=Q(state="waiting"), name="webhook_deliveries_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.pk}"

    @property
    def message_id(self) -> str:
        """Return the id by which receivers recognise a repeated event."""
        return f"msg_{self.pk.hex}"


# Annotations for the API description.
DELIVERY_STATES = WebhookDelivery.State.choices
