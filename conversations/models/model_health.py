"""Which language model failed, told to all processes."""

from django.db import models


class ModelHealth(models.Model):
    """A language model that failed while nobody waited for it: all processes leave it alone."""

    key = models.CharField(primary_key=True, max_length=64)
    failures = models.PositiveIntegerField(default=0)
    resumes_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.failures} failures, until {self.resumes_at:%H:%M:%S}"
