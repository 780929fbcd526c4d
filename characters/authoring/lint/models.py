"""What a job found in a draft that is too large to be checked while somebody waits."""

from django.db import models
from django.utils import timezone


class LintReport(models.Model):
    """The last one of a character. `findings` are as `lint.stored` writes them, `version` is the draft's."""

    character = models.OneToOneField("profiles.Character", on_delete=models.CASCADE, related_name="lint_report")
    version = models.PositiveIntegerField()
    findings = models.JSONField()
    problem = models.TextField(blank=True)
    checked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "profiles"  # where its table is

    def __str__(self) -> str:
        return f"Lint of {self.character}, version {self.version}"
