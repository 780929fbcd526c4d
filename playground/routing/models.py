"""Messages labelled with the base they are about, and runs that compare what the probe chooses with it."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from characters.conversations.models import Message
from characters.profiles.models import Character
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import KnowledgeBase

MAX_TEXT = 1_000
NONE = ""
"""In place of a slug: no base."""


class Label(models.Model):
    """A message, and the base it is about (None: no base)."""

    text = models.CharField(max_length=MAX_TEXT)
    key = models.CharField(max_length=64, unique=True, editable=False)
    """Digest of the text: a message has one label."""
    base = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, null=True, related_name="labels")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, null=True, related_name="labels")
    """The message of a real turn that it was made from; the label goes with it."""
    chosen = models.CharField(max_length=60, blank=True)
    """Slug of the base that the real turn chose."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.text

    @property
    def slug(self) -> str:
        """Return the slug of the base; empty for no base."""
        return self.base.slug if self.base else NONE


class Run(models.Model):
    """One pass over the labelled messages with the bases of one character."""

    JOB_KIND = "route"

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    bases = models.JSONField(default=dict)
    """By slug: title, content digest and threshold, as they were."""
    outcomes = models.JSONField(default=list)
    """One `figures.Outcome` per label, as JSON."""

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"run {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("routing:run", args=[self.pk])

    @property
    def job(self) -> Job | None:
        """Return the job that works on it."""
        return Job.objects.filter(kind=self.JOB_KIND, subject=str(self.pk)).order_by("pk").last()
