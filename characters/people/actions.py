"""What is done to what is known of a person: every view answers with where the result is seen."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from characters.conversations import access
from characters.conversations import services as conversations
from characters.conversations.models import Person
from characters.memory import facts, forgetting
from characters.people import pages
from characters.people.forms import CorrectionForm, FactForm, TrustForm, first_error
from characters.people.pages import conversation_of, fact_of
from characters.people.views import PeopleRequest, fact_context, frame, index_context, person_context, readers
from kgadmin.accounts.roles import role_required
from kgadmin.jobs import services as jobs
from kgadmin.rest.actions import Refused


@require_POST
@role_required("tester")
def new(request: PeopleRequest) -> HttpResponse:
    """Make a test person of this tester's."""
    name = request.POST.get("name", "")
    try:
        made = conversations.new_test_person(name=name, by=request.user)
    except Refused as error:
        context = index_context(request, typed=name.encode(errors="replace").decode(), error=str(error))
        return render(request, "people/people.html", context, status=400)
    messages.success(request, f"{made.name} is there. Talk as them, and what they say is remembered.")
    return redirect("people:person", made.pk)


@require_POST
@readers
def add_fact(request: PeopleRequest, pk: int) -> HttpResponse:
    """Let a character know something that nobody said."""
    person = access.person_for(request.user, pk, to_write=True)
    character, _ = pages.character_of(person, request.GET.get("character", ""))
    if character is None:
        raise Http404(f"No character knows {person.name} yet. Talk as them first.")
    form = FactForm(request.POST, person=person, entities=person.entities.all())
    try:
        if form.is_valid():
            subject = person.entities.filter(pk=form.cleaned_data.pop("subject")).first()
            facts.add(person=person, character=character, subject=subject, by=request.user, **form.cleaned_data)
            messages.success(request, f"{character.name} knows it from the next turn on.")
            return _to_facts(person, character.slug)
    except Refused as error:
        form.add_error("text", str(error))
    return render(request, "people/person.html", person_context(request, person, form=form), status=400)


@require_POST
@readers
def correct_fact(request: PeopleRequest, pk: int, fact_pk: int) -> HttpResponse:
    """Let a fact say something else."""
    person = access.person_for(request.user, pk, to_write=True)
    fact = fact_of(person, fact_pk)
    form = CorrectionForm(request.POST, fact=fact)
    try:
        if form.is_valid():
            facts.correct(fact=fact, by=request.user, **form.cleaned_data)
            messages.success(request, "The fact is corrected. The next turn uses it.")
            return _to_facts(person, fact.character.slug)
    except Refused as error:
        form.add_error("text", str(error))
    return render(request, "people/fact.html", fact_context(request, person, fact, form=form), status=400)


@require_POST
@readers
def forget_fact(request: PeopleRequest, pk: int, fact_pk: int) -> HttpResponse:
    """Let a character forget one fact."""
    person = access.person_for(request.user, pk, to_write=True)
    fact = fact_of(person, fact_pk)
    slug = fact.character.slug
    facts.forget(fact=fact, by=request.user)
    messages.success(request, "The fact is forgotten.")
    return _to_facts(person, slug)


@require_POST
@role_required("operator")
def set_trust(request: PeopleRequest, pk: int) -> HttpResponse:
    """Set how far a character believes a person."""
    person = access.person_for(request.user, pk, to_write=True)
    character, _ = pages.character_of(person, request.GET.get("character", ""))
    if character is None:
        raise Http404(f"No character knows {person.name} yet.")
    form = TrustForm(request.POST)
    if not form.is_valid():
        context = person_context(request, person, trust_error=f"Trust is a number from 0 to 1. {first_error(form)}")
        return render(request, "people/person.html", context, status=400)
    trust = form.cleaned_data["trust"]
    conversations.set_trust(person=person, character=character, trust=trust, by=request.user)
    messages.success(request, f"{character.name} trusts {person.name} by {trust:.2f} from the next turn on.")
    return _to_facts(person, character.slug)


@require_POST
@readers
def read_again(request: PeopleRequest, pk: int) -> HttpResponse:
    """Start the reading of the messages that wait for it."""
    person = access.person_for(request.user, pk, to_write=True)
    jobs.start(kind="remember", subject=person.graph_id, by=request.user)
    return _to_facts(person, request.GET.get("character", ""))


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def forget(request: PeopleRequest, pk: int) -> HttpResponse:
    """Forget a person entirely, once their name has been typed."""
    person = access.person_for(request.user, pk, to_write=True)
    if request.method == "POST" and pages.is_name_of(person, request.POST.get("name", "")):
        forgetting.forget_person(person, by=request.user)
        return redirect("people:forgotten", pk)
    wrong = request.method == "POST"
    context = frame(request, person, "forget") | {"goes": pages.what_goes(person), "wrong": wrong}
    return render(request, "people/forget.html", context, status=400 if wrong else 200)


@require_POST
@readers
def forget_conversation(request: PeopleRequest, pk: int, conversation_pk: int) -> HttpResponse:
    """Forget a conversation, with the facts that were said nowhere else."""
    person = access.person_for(request.user, pk, to_write=True)
    conversation = conversation_of(person, conversation_pk)
    forgetting.forget_conversation(conversation, by=request.user)
    messages.success(request, "The conversation is forgotten, and what was said nowhere else.")
    return redirect("people:conversations", pk)


def _to_facts(person: Person, slug: str) -> HttpResponseRedirect:
    """The person's page with this character's facts."""
    query = f"?character={slug}" if slug else ""
    return HttpResponseRedirect(f"{reverse('people:person', args=[person.pk])}{query}#facts")
