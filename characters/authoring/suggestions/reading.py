"""The job `suggest`: the language model reads a draft's identity text. Its row keeps how that went."""

from characters.authoring.drafts import services as drafts
from characters.authoring.suggestions import by_model, services
from characters.language.suggestions.found import Found
from characters.profiles.models import Character, Predicate
from kgadmin.jobs.models import Job
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError


def run(job: Job) -> None:
    """Ask for the facts in the identity text of the job's subject, "character:3". Raises `StoreError`."""
    character = Character.objects.filter(pk=job.subject.rpartition(":")[2]).first()
    if character is None:
        return
    text = drafts.draft_of(character).sheet.identity
    found: list[Found] = []
    total = len(by_model.pieces(text))
    asked = by_model.extract(
        text,
        names=services.names_of(character),
        registered=Predicate.objects.registry(),
        model=wiring.language_model(),
    )
    try:
        for done, piece in enumerate(asked, start=1):
            found += piece
            job.progress(done=done, total=total, note="Reading the identity text")
    except AnswerError as error:
        sentence = f"The language model's answer can't be used: {error}. Nothing was taken from it; try again."
        raise StoreError(sentence, retryable=False) from error
    services.keep(character, text, found, source=services.IDENTITY, by_model=True)
