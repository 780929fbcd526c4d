"""Uploaded exports of conversations."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from characters.conversations.models.people import Person
from characters.profiles.models import Character
from kgadmin.jobs.models import Job


class ConversationImport(models.Model):
    """An uploaded export of conversations. Until it is started it is a preview; the job `import` adds what is new.
    Without a `person` it goes to the people named in the file. `content` is emptied when the import ends.
    """

    JOB_KIND = "import"

    name = models.CharField(max_length=200)
    format = models.CharField(max_length=20)
    content = models.BinaryField(default=b"")
    preview = models.JSONField(default=dict)
    """Numbers and names of the file (`characters.conversations.imports.summary`)."""
    character = models.ForeignKey(Character, on_delete=models.CASCADE, null=True, related_name="imports")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="imports")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="imports")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    added = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> str:
        """The subject of its job."""
        return f"import:{self.pk}"

    @property
    def job(self) -> Job | None:
        """Return the newest job of the import."""
        return Job.objects.filter(kind=self.JOB_KIND, subject=self.subject).first()

    @property
    def is_draft(self) -> bool:
        """Return whether it is a preview that wasn't started."""
        return self.started_at is None


class RefusedLine(models.Model):
    """A refused line of an import, and the reason; never its text."""

    of = models.ForeignKey(ConversationImport, on_delete=models.CASCADE, related_name="refused")
    line = models.PositiveIntegerField()
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ["line", "id"]

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"
