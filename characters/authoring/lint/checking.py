"""The job `lint`: a draft of many facts is checked, and what was found is kept."""

from characters.authoring.drafts import services as drafts
from characters.authoring.lint import services
from characters.profiles.models import Character
from kgadmin.jobs.models import Job


def run(job: Job) -> None:
    """Check the draft of the job's subject, "character:3"."""
    character = Character.objects.filter(pk=job.subject.rpartition(":")[2]).first()
    if character is None:
        return
    draft = drafts.draft_of(character)
    report = services.lint(draft, lambda done, total, note: job.progress(done=done, total=total, note=note))
    services.keep(draft, report)
