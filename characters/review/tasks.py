"""Tasks that judge again, beside the work after a turn. A lost kick leaves older verdicts on the page."""

from celery import shared_task

from characters.review.judgement import judge
from characters.review.models import Proposal
from kgadmin.jobs.tasks import Kick


@shared_task(base=Kick)
def judge_again(proposal_id: int) -> None:
    """Run the checks on a proposal once more."""
    proposal = Proposal.objects.select_related("character__live_revision").filter(pk=proposal_id).first()
    if proposal:
        judge(proposal)
