"""The health of language models and the refusals of their servers, shared by all processes."""

from django.db import models

ENOUGH, POOR = 20, 0.3
"""Operations from which on a model is judged, and the share of failed ones that is too much."""


class ModelHealth(models.Model):
    """A language model that failed in background work and is not asked for a while."""

    key = models.CharField(primary_key=True, max_length=64)
    failures = models.PositiveIntegerField(default=0)
    resumes_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.failures} failures, until {self.resumes_at:%H:%M:%S}"


class ModelAgreement(models.Model):
    """How many operations a model proposed from conversations, and how many failed a check of form
    or sources. The ratio decides how strictly further operations are checked.
    """

    key = models.CharField(max_length=80, primary_key=True)
    proposed = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.failed} of {self.proposed}"

    @property
    def is_poor(self) -> bool:
        """Whether so many operations failed that further ones are checked strictly."""
        return self.proposed >= ENOUGH and self.failed >= POOR * self.proposed


class ModelRefusal(models.Model):
    """A parameter that a model's server refused or, without a parameter, a refused request.

    key: hash of server and model. instead: the form sent in place of the parameter, '' for none.
    status, code: of the error response; 0 and '' if unknown. No request content is stored.
    """

    key = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    parameter = models.CharField("what was refused", max_length=40, blank=True)
    instead = models.CharField("what is sent instead", max_length=40, blank=True)
    status = models.PositiveIntegerField(default=0)
    code = models.CharField(max_length=60, blank=True)
    since = models.DateTimeField()
    last_at = models.DateTimeField("last refused")
    expires_at = models.DateTimeField("retried after")

    class Meta:
        verbose_name = "refusal of a language model"
        verbose_name_plural = "refusals of language models"
        ordering = ("-last_at",)
        constraints = (
            models.UniqueConstraint(fields=["key", "parameter"], name="one_refusal_a_parameter"),
        )

    def __str__(self) -> str:
        return f"{self.model}: {self.parameter or 'the request'}"
