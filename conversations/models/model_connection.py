"""The language model that staff connected in the app."""

from django.db import models

from accounts.support.encryption import Unreadable, decrypt, encrypt

_PURPOSE = "key of the language model"


class ModelConnection(models.Model):
    """The language model that staff connected; without a row the environment's settings apply. At
    most one row. background_model: '' to use the chat model in the background too.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    base_url = models.CharField(max_length=500)
    encrypted_key = models.TextField(blank=True)
    chat_model = models.CharField(max_length=200)
    background_model = models.CharField(max_length=200, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "language model"
        verbose_name_plural = "language model"
        constraints = (
            models.CheckConstraint(condition=models.Q(pk=1), name="one_model_connection"),
        )

    def __str__(self) -> str:
        return self.chat_model

    @staticmethod
    def encrypted(key: str) -> str:
        """Return a key encrypted for storage; '' for none."""
        return encrypt(key, _PURPOSE) if key else ""

    def read_key(self) -> str | None:
        """Return the decrypted key; '' if there is none, None if it cannot be decrypted."""
        try:
            return decrypt(self.encrypted_key, _PURPOSE) if self.encrypted_key else ""
        except Unreadable:
            return None
