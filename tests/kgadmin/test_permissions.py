"""Who may come through which door: every address and method by everybody, out of one table.

A row is `"METHOD address": who is let in`. Everybody else is refused: nobody signed in is led to the login page (pages)
or told 401 (API), whoever lacks role or right 403, and "hidden:NAME" 404, since they must not know that it is there.
An address without a row fails, and a method without one must be refused (405).
"""

import asyncio
import json
import re
from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from characters.authoring.drafts import services as drafts
from characters.authoring.suggestions import services as suggestions
from characters.cards import imports as cards
from characters.conversations import imports
from characters.conversations.models import Message
from characters.memory.models import EnrichmentRun
from characters.profiles import access
from characters.profiles import services as profiles
from characters.profiles.models import Character, Revision
from characters.review import batches, decisions
from characters.review.decisions import ProposalVersion
from characters.review.models import Proposal
from kgadmin.accounts import keys
from kgadmin.accounts.models import Client as Program
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services as knowledge
from playground.routing.models import Label, Run
from tests.characters.cards.examples import V2, WORLD, as_json
from tests.characters.conversations.export_files import jsonl, talk
from tests.characters.memory import people
from tests.characters.profiles.sheets import sheet

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ACCOUNTS = {
    "nobody": None,
    "outsider": (),
    "author": ("author",),
    "other": ("author",),
    "operator": ("operator",),
    "tester": ("tester",),
    "second": ("tester",),
    "admin": (),
}
"""`author` owns the character, `other` is another author; `tester` owns the conversation, `second` another tester."""
KEYS = ("chat", "read", "write")
"""Keys of the administrator, by their only scope."""

ADMIN = "admin"
OPERATORS = "operator admin"
TESTERS = "tester second admin"
OWN_TESTER = "tester admin"
AUTHORS = "author other admin"
PEOPLE = "operator tester second admin"
READERS = "author other operator tester second admin"
CHARACTER = "author operator tester second admin hidden:other"
OWN_CHARACTER = "author admin hidden:other"
SIGNED_IN = "outsider author other operator tester second admin"
KEY_OWNER = "tester admin hidden:outsider hidden:author hidden:other hidden:operator hidden:second"
EVERYBODY = "nobody " + SIGNED_IN + " chat read write"
CONVERSATION = "tester second admin"
NOT_THERE = " ".join(f"hidden:{who}" for who in (*ACCOUNTS, *KEYS))

TABLE = {
    "GET ": SIGNED_IN,
    # accounts
    "GET login/": EVERYBODY,
    "POST login/": EVERYBODY,
    "POST login/demo/": "",
    "POST logout/": EVERYBODY,
    "GET link/<str:token>/": EVERYBODY,
    "POST link/<str:token>/": EVERYBODY,
    "GET account/": SIGNED_IN,
    "POST account/password/": SIGNED_IN,
    "GET accounts/": ADMIN,
    "POST accounts/invite/": ADMIN,
    "GET accounts/<int:pk>/": ADMIN,
    "POST accounts/<int:pk>/roles/": ADMIN,
    "POST accounts/<int:pk>/switch/": ADMIN,
    "POST accounts/<int:pk>/link/": ADMIN,
    "GET clients/": SIGNED_IN,
    "GET clients/<int:pk>/": KEY_OWNER,
    "GET clients/<int:pk>/requests/": KEY_OWNER,
    "GET clients/connect/": SIGNED_IN,
    "POST clients/make/": SIGNED_IN,
    "GET clients/keys/<int:pk>/revoke/": KEY_OWNER,
    "POST clients/keys/<int:pk>/revoke/": KEY_OWNER,
    # operations
    "GET dashboard/": OPERATORS,
    "GET dashboard/drift/": OPERATORS,
    "POST dashboard/drift/<slug:store>/repair/": OPERATORS,
    "GET audit/": OPERATORS,
    "GET health/": SIGNED_IN,
    "GET language-model/": SIGNED_IN,
    "POST language-model/test/": PEOPLE,
    # characters
    "GET characters/": READERS,
    "GET characters/<slug:slug>/": CHARACTER,
    "GET characters/<slug:slug>/revisions/<int:number>/": CHARACTER,
    "GET characters/new/": AUTHORS,
    "POST characters/new/": AUTHORS,
    "GET characters/<slug:slug>/edit/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/facts/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/facts/add/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/facts/paste/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/facts/change/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/yaml/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/yaml/save/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/yaml/drop/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/personas/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/themes/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/settings/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/prompt/": OWN_CHARACTER,
    "GET characters/<slug:slug>/publish/progress/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/take-over/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/save/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/entries/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/preview/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/draft/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/try/": OWN_CHARACTER,
    "POST characters/<slug:slug>/publish/": OWN_CHARACTER,
    "GET characters/<slug:slug>/publish/preview/": OWN_CHARACTER,
    "POST characters/<slug:slug>/discard/": OWN_CHARACTER,
    "GET characters/<slug:slug>/revisions/": OWN_CHARACTER,
    "POST characters/<slug:slug>/revisions/<int:number>/revert/": OWN_CHARACTER,
    "POST characters/<slug:slug>/revisions/unsaved/<int:pk>/": "author hidden:admin hidden:other",  # one's own
    "POST characters/<slug:slug>/archive/": OWN_CHARACTER,
    "POST characters/<slug:slug>/restore/": OWN_CHARACTER,
    "GET characters/<slug:slug>/compare/": CHARACTER,
    "POST characters/<slug:slug>/clone/": OWN_CHARACTER,
    "POST characters/<slug:slug>/share/": OWN_CHARACTER,
    "POST characters/<slug:slug>/owner/": OWN_CHARACTER,
    "GET characters/<slug:slug>/edit/suggestions/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/suggestions/read/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/suggestions/<int:pk>/": OWN_CHARACTER,
    "GET characters/import/": AUTHORS,
    "POST characters/import/": AUTHORS,
    "GET characters/import/<int:card>/": OWN_CHARACTER,
    "POST characters/import/<int:card>/take/": OWN_CHARACTER,
    "POST characters/import/<int:card>/discard/": OWN_CHARACTER,
    "GET characters/<slug:slug>/exports/": CHARACTER,
    "GET characters/<slug:slug>/exports/<str:form>": CHARACTER,
    "GET characters/<slug:slug>/exports/lorebooks/<int:card>/": (
        "author admin hidden:operator hidden:tester hidden:second hidden:other"  # for others once it is live
    ),
    "GET characters/<slug:slug>/learned/": CHARACTER,
    "POST characters/<slug:slug>/learned/<int:pk>/": OWN_CHARACTER,
    "GET review/origins/<slug:slug>/": CHARACTER,
    "GET characters/<slug:slug>/edit/lint/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/lint/check/": OWN_CHARACTER,
    "POST characters/<slug:slug>/edit/lint/fix/": OWN_CHARACTER,
    # knowledge
    "GET routing/": READERS,
    "GET routing/lab/": PEOPLE,
    "POST routing/labels/": PEOPLE,
    "POST routing/labels/import/": PEOPLE,
    "POST routing/labels/<int:pk>/remove/": PEOPLE,
    "POST routing/runs/": PEOPLE,
    "GET routing/runs/<int:pk>/": PEOPLE,
    "GET knowledge/": READERS,
    "GET knowledge/register-a-base/": OPERATORS,
    "POST knowledge/register-a-base/": OPERATORS,
    "GET knowledge/<slug:slug>/": READERS,
    "GET knowledge/<slug:slug>/ingestion/": READERS,
    "GET knowledge/<slug:slug>/documents/<int:pk>/": READERS,
    "GET knowledge/use-of-bases/": READERS,
    "GET knowledge/<slug:slug>/use/": READERS,
    "GET knowledge/<slug:slug>/turns/": PEOPLE,
    "GET knowledge/<slug:slug>/settings/": OPERATORS,
    "POST knowledge/<slug:slug>/settings/": OPERATORS,
    "POST knowledge/<slug:slug>/upload/": OPERATORS,
    "POST knowledge/<slug:slug>/preview/": OPERATORS,
    "POST knowledge/<slug:slug>/continue/": OPERATORS,
    "POST knowledge/<slug:slug>/delete/": OPERATORS,
    "POST knowledge/<slug:slug>/again/": OPERATORS,
    "POST knowledge/<slug:slug>/switch/": OPERATORS,
    "POST knowledge/<slug:slug>/threshold/": OPERATORS,
    "POST knowledge/<slug:slug>/documents/remove-failed/": OPERATORS,
    "POST knowledge/<slug:slug>/documents/<int:pk>/again/": OPERATORS,
    "POST knowledge/<slug:slug>/documents/<int:pk>/remove/": OPERATORS,
    # imports, jobs, enrichment
    "GET import/": OPERATORS,
    "POST import/upload/": OPERATORS,
    "GET import/<int:pk>/": OPERATORS,
    "POST import/<int:pk>/start/": OPERATORS,
    "GET import/<int:pk>/progress/": OPERATORS,
    "POST import/<int:pk>/discard/": OPERATORS,
    "POST jobs/<int:pk>/pause/": OPERATORS,
    "POST jobs/<int:pk>/resume/": OPERATORS,
    "POST jobs/<int:pk>/cancel/": OPERATORS,
    "GET enrichment/": OPERATORS,
    "POST enrichment/": OPERATORS,
    "GET enrichment/<int:pk>/": OPERATORS,
    "GET enrichment/<int:pk>/progress/": OPERATORS,
    "GET enrichment/relations/": OPERATORS,
    "POST enrichment/relations/<int:pk>/relabel/": OPERATORS,
    "POST enrichment/relations/<int:pk>/reject/": OPERATORS,
    # people: a test person of all testers
    "GET people/": PEOPLE,
    "POST people/new/": TESTERS,
    "GET people/forgotten/<int:was>/": PEOPLE,
    "GET people/<int:pk>/": PEOPLE,
    "GET people/<int:pk>/export.json": PEOPLE,
    "GET people/<int:pk>/forget/": PEOPLE,
    "POST people/<int:pk>/forget/": PEOPLE,
    "POST people/<int:pk>/trust/": OPERATORS,
    "POST people/<int:pk>/read/": PEOPLE,
    "GET people/<int:pk>/facts/": PEOPLE,
    "POST people/<int:pk>/facts/add/": PEOPLE,
    "GET people/<int:pk>/facts/<int:fact_pk>/": PEOPLE,
    "POST people/<int:pk>/facts/<int:fact_pk>/correct/": PEOPLE,
    "POST people/<int:pk>/facts/<int:fact_pk>/undo/": PEOPLE,
    "POST people/<int:pk>/facts/<int:fact_pk>/forget/": PEOPLE,
    "GET people/<int:pk>/entities/": PEOPLE,
    "GET people/<int:pk>/entities/<int:entity_pk>/": PEOPLE,
    "POST people/<int:pk>/entities/<int:entity_pk>/rename/": PEOPLE,
    "GET people/<int:pk>/entities/<int:entity_pk>/merge/": PEOPLE,
    "POST people/<int:pk>/entities/<int:entity_pk>/merge/": PEOPLE,
    "POST people/<int:pk>/entities/<int:entity_pk>/aliases/": PEOPLE,
    "POST people/<int:pk>/entities/<int:entity_pk>/aliases/<int:alias_pk>/remove/": PEOPLE,
    "GET people/<int:pk>/conversations/": PEOPLE,
    "GET people/<int:pk>/conversations/<int:conversation_pk>/": PEOPLE,
    "POST people/<int:pk>/conversations/<int:conversation_pk>/forget/": PEOPLE,
    "GET people/<int:pk>/explore/": PEOPLE,
    # review
    "GET review/": OPERATORS,
    "GET review/<int:pk>/": OPERATORS,
    "POST review/<int:pk>/approve/": OPERATORS,
    "POST review/<int:pk>/reject/": OPERATORS,
    "POST review/<int:pk>/defer/": OPERATORS,
    "POST review/<int:pk>/reserve/": OPERATORS,
    "POST review/<int:pk>/release/": OPERATORS,
    "POST review/undo/": OPERATORS,
    "POST review/bulk/": OPERATORS,
    "GET review/batches/<int:pk>/": OPERATORS,
    "POST review/batches/<int:pk>/do/": "operator hidden:admin",
    "GET review/<int:pk>/consequences/": OPERATORS,
    "GET review/decisions/": OPERATORS,
    "POST review/decisions/<int:pk>/undo/": OPERATORS,
    "POST review/decisions/batches/<slug:key>/undo/": OPERATORS,
    # playground
    "GET playground/": TESTERS,
    "POST playground/people/": TESTERS,
    "GET playground/with/<slug:slug>/": TESTERS,
    "POST playground/with/<slug:slug>/begin/": TESTERS,
    "GET playground/conversations/<int:pk>/": CONVERSATION,
    "POST playground/conversations/<int:pk>/say/": OWN_TESTER,
    "GET playground/turns/<int:pk>/": CONVERSATION,
    "GET playground/turns/<int:pk>/article/": CONVERSATION,
    "GET playground/turns/<int:pk>/learned/": CONVERSATION,
    "GET playground/turns/<int:pk>/events/": CONVERSATION,
    "POST playground/turns/<int:pk>/stop/": OWN_TESTER,
    "POST playground/turns/<int:pk>/again/": OWN_TESTER,
    "GET playground/turns/<int:pk>/trace/": CONVERSATION,
    "GET playground/turns/<int:pk>/ending/": CONVERSATION,
    "GET playground/turns/<int:pk>/stated/": CONVERSATION,
    "GET playground/turns/<int:pk>/<slug:stage>/": CONVERSATION,
    # for OpenAI's clients
    "GET v1/models": "chat",
    "GET v1/models/<path:slug>": "chat",
    "POST v1/chat/completions": "chat",
    "POST v1/responses": "chat",
    **{f"{method} v1/{place}": NOT_THERE for method in METHODS for place in ("", "<path:anything>")},
    # the JSON API: a key of the scope read for GET, of the scope write for the rest, is let in where its owner is
    "GET api/": SIGNED_IN,
    "GET api/docs": SIGNED_IN,
    "GET api/openapi.json": SIGNED_IN,
    "GET api/accounts": ADMIN,
    "POST api/accounts/<pk>/switch-off": ADMIN,
    "GET api/account": SIGNED_IN,
    "GET api/keys": SIGNED_IN,
    "POST api/keys/<pk>/revoke": KEY_OWNER,
    "GET api/characters": READERS,
    "POST api/characters/import": AUTHORS,
    "GET api/characters/<slug>": CHARACTER,
    "GET api/characters/<slug>/export/<form>": CHARACTER,
    "GET api/characters/<slug>/sharing": CHARACTER,
    "PUT api/characters/<slug>/members/<username>": OWN_CHARACTER,
    "DELETE api/characters/<slug>/members/<username>": OWN_CHARACTER,
    "PUT api/characters/<slug>/owner": OWN_CHARACTER,
    "GET api/characters/<slug>/suggestions": OWN_CHARACTER,
    "POST api/characters/<slug>/suggestions": OWN_CHARACTER,
    "GET api/characters/<slug>/suggestions/reading": OWN_CHARACTER,
    "POST api/characters/<slug>/suggestions/<pk>/accept": OWN_CHARACTER,
    "POST api/characters/<slug>/suggestions/<pk>/<verb>": OWN_CHARACTER,
    "GET api/characters/<slug>/learned": CHARACTER,
    "GET api/characters/<slug>/learned/figures": CHARACTER,
    "GET api/characters/<slug>/learned/<pk>": CHARACTER,
    "POST api/characters/<slug>/learned/<pk>/<verb>": OWN_CHARACTER,
    "GET api/characters/<slug>/lint": OWN_CHARACTER,
    "POST api/characters/<slug>/lint": OWN_CHARACTER,
    "POST api/characters/<slug>/lint/check": OWN_CHARACTER,
    "GET api/characters/<slug>/revisions": CHARACTER,
    "GET api/characters/<slug>/revisions/<number>": CHARACTER,
    "GET api/characters/<slug>/folder": CHARACTER,
    "POST api/characters": AUTHORS,
    "POST api/characters/<slug>/clone": OWN_CHARACTER,
    "POST api/characters/<slug>/archive": OWN_CHARACTER,
    "POST api/characters/<slug>/restore": OWN_CHARACTER,
    "GET api/characters/<slug>/draft": OWN_CHARACTER,
    "PATCH api/characters/<slug>/draft": OWN_CHARACTER,
    "DELETE api/characters/<slug>/draft": OWN_CHARACTER,
    "GET api/characters/<slug>/draft/yaml": OWN_CHARACTER,
    "PUT api/characters/<slug>/draft/yaml": OWN_CHARACTER,
    "POST api/characters/<slug>/publish": OWN_CHARACTER,
    "POST api/characters/<slug>/revisions/<number>/revert": OWN_CHARACTER,
    "GET api/characters/<slug>/changes": CHARACTER,
    "GET api/characters/<slug>/try": OWN_CHARACTER,
    "GET api/knowledge-bases": READERS,
    "POST api/knowledge-bases": OPERATORS,
    "GET api/knowledge-bases/<slug>": READERS,
    "PATCH api/knowledge-bases/<slug>": OPERATORS,
    "DELETE api/knowledge-bases/<slug>": OPERATORS,
    "GET api/knowledge-bases/<slug>/characters": READERS,
    "PUT api/knowledge-bases/<slug>/characters": OPERATORS,
    "POST api/knowledge-bases/<slug>/preview": OPERATORS,
    "POST api/knowledge-bases/<slug>/continue": OPERATORS,
    "DELETE api/knowledge-bases/<slug>/documents/failed": OPERATORS,
    "POST api/knowledge-bases/<slug>/ingest": OPERATORS,
    "GET api/knowledge-bases/<slug>/documents": READERS,
    "POST api/knowledge-bases/<slug>/documents": OPERATORS,
    "GET api/knowledge-bases/<slug>/documents/<pk>": READERS,
    "DELETE api/knowledge-bases/<slug>/documents/<pk>": OPERATORS,
    "GET api/knowledge-bases/<slug>/documents/<pk>/chunks": READERS,
    "POST api/knowledge-bases/<slug>/documents/<pk>/ingest": OPERATORS,
    "GET api/knowledge-bases/<slug>/use": READERS,
    "GET api/knowledge-bases/<slug>/turns": PEOPLE,
    "GET api/routing": CHARACTER,
    "GET api/routing/labels": PEOPLE,
    "POST api/routing/labels": PEOPLE,
    "DELETE api/routing/labels/<pk>": PEOPLE,
    "GET api/routing/runs": PEOPLE,
    "POST api/routing/runs": PEOPLE,
    "GET api/routing/runs/<pk>": PEOPLE,
    "GET api/people": PEOPLE,
    "POST api/people": TESTERS,
    "GET api/people/<pk>": PEOPLE,
    "DELETE api/people/<pk>": PEOPLE,
    "PUT api/people/<pk>/trust": OPERATORS,
    "GET api/people/<pk>/reading": PEOPLE,
    "POST api/people/<pk>/reading": PEOPLE,
    "GET api/people/<pk>/export": PEOPLE,
    "GET api/people/forgotten/<was>": PEOPLE,
    "GET api/people/<pk>/facts": PEOPLE,
    "POST api/people/<pk>/facts": PEOPLE,
    "GET api/people/<pk>/facts/<fact_pk>": PEOPLE,
    "PUT api/people/<pk>/facts/<fact_pk>": PEOPLE,
    "POST api/people/<pk>/facts/<fact_pk>/undo": PEOPLE,
    "DELETE api/people/<pk>/facts/<fact_pk>": PEOPLE,
    "GET api/people/<pk>/entities": PEOPLE,
    "GET api/people/<pk>/entities/<entity_pk>": PEOPLE,
    "PATCH api/people/<pk>/entities/<entity_pk>": PEOPLE,
    "GET api/people/<pk>/entities/<entity_pk>/facts": PEOPLE,
    "GET api/people/<pk>/entities/<entity_pk>/mentions": PEOPLE,
    "POST api/people/<pk>/entities/<entity_pk>/aliases": PEOPLE,
    "DELETE api/people/<pk>/entities/<entity_pk>/aliases/<alias_pk>": PEOPLE,
    "GET api/people/<pk>/entities/<entity_pk>/merge": PEOPLE,
    "POST api/people/<pk>/entities/<entity_pk>/merge": PEOPLE,
    "GET api/people/<pk>/predicates": PEOPLE,
    "GET api/people/<pk>/forgetting": PEOPLE,
    "GET api/people/<pk>/explore": PEOPLE,
    "GET api/people/<pk>/conversations": PEOPLE,
    "GET api/people/<pk>/conversations/<conversation_pk>/messages": PEOPLE,
    "DELETE api/people/<pk>/conversations/<conversation_pk>": PEOPLE,
    "GET api/talking-as": TESTERS,
    "GET api/conversations": TESTERS,
    "POST api/conversations": TESTERS,
    "GET api/conversations/<pk>": CONVERSATION,
    "GET api/conversations/<pk>/messages": CONVERSATION,
    "GET api/conversations/<pk>/turns": CONVERSATION,
    "POST api/conversations/<pk>/turns": OWN_TESTER,
    "GET api/turns/<turn_id>": CONVERSATION,
    "POST api/turns/<pk>/stop": OWN_TESTER,
    "POST api/turns/<pk>/again": OWN_TESTER,
    "GET api/turns/<pk>/learned": CONVERSATION,
    "GET api/imports": OPERATORS,
    "POST api/imports": OPERATORS,
    "GET api/imports/<pk>": OPERATORS,
    "DELETE api/imports/<pk>": OPERATORS,
    "GET api/imports/<pk>/refused": OPERATORS,
    "POST api/imports/<pk>/start": OPERATORS,
    "GET api/enrichment/runs": OPERATORS,
    "POST api/enrichment/runs": OPERATORS,
    "GET api/enrichment/runs/<pk>": OPERATORS,
    "GET api/enrichment/runs/<pk>/problems": OPERATORS,
    "GET api/enrichment/relations": OPERATORS,
    "PATCH api/enrichment/relations/<pk>": OPERATORS,
    "POST api/enrichment/relations/<pk>/reject": OPERATORS,
    "GET api/proposals": OPERATORS,
    "GET api/proposals/counts": OPERATORS,
    "GET api/proposals/<pk>": OPERATORS,
    "POST api/proposals/<pk>/reserve": OPERATORS,
    "DELETE api/proposals/<pk>/reserve": OPERATORS,
    "POST api/proposals/<pk>/approve": OPERATORS,
    "POST api/proposals/<pk>/reject": OPERATORS,
    "POST api/proposals/<pk>/defer": OPERATORS,
    "POST api/proposals/decide": OPERATORS,
    "GET api/decisions": OPERATORS,
    "POST api/decisions/<pk>/undo": OPERATORS,
    "POST api/batches/<batch>/undo": OPERATORS,
    "GET api/audit": OPERATORS,
    "GET api/jobs": OPERATORS,
    "GET api/jobs/<pk>": OPERATORS,
    "POST api/jobs/<pk>/<verb>": OPERATORS,
    "GET api/health": EVERYBODY,
    "GET api/dashboard": OPERATORS,
    "GET api/drift": OPERATORS,
    "POST api/drift/<store>/repair": OPERATORS,
}
DOCUMENTS = {"api/", "api/docs", "api/openapi.json"}
"""Ninja's own, for people; whatever the method, they are only read."""
BODIES = {
    "POST api/conversations/<pk>/turns": '{"message": "Hi"}',
    "PUT api/characters/<slug>/members/<username>": '{"role": "viewer"}',
    "PUT api/characters/<slug>/owner": '{"username": "other"}',
    "POST api/characters": '{"name": "Bo"}',
    "PATCH api/characters/<slug>/draft": '{"edits": []}',
    "POST api/characters/<slug>/lint": '{"finding": "x", "fix": 0}',
    "PUT api/characters/<slug>/draft/yaml": '{"version": 1, "yaml": "facts: []"}',
    "POST api/characters/<slug>/publish": '{"version": 1}',
    "POST api/proposals/<pk>/approve": '{"version": 1}',
    "POST api/proposals/<pk>/reject": '{"version": 1, "reason": "vague"}',
    "POST api/proposals/<pk>/defer": '{"version": 1}',
}
"""Where a body is looked at before the row that it is for: one that fits."""
QUERIES = {
    "GET people/<int:pk>/entities/<int:entity_pk>/merge/": "?into=<into>",
    "POST people/<int:pk>/entities/<int:entity_pk>/merge/": "?into=<into>",
    "GET api/people/<pk>/entities/<entity_pk>/merge": "?into=<into>",
    "POST api/conversations/<pk>/turns": "?wait=false",
    "POST api/turns/<pk>/again": "?wait=false",
    "GET api/characters/<slug>/try": "?question=Who",
    "GET api/routing": "?character=ann&message=Who",
}
NOT_FOUND = "api/^.+$"
"""Ninja's place for what isn't there."""


def addresses() -> list[str]:
    return sorted({route for route, _ in _patterns(get_resolver().url_patterns)} - {NOT_FOUND})


def _patterns(patterns: list[Any], before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, route)
        else:
            yield route, pattern


@pytest.fixture
def accounts(db: None) -> dict[str, User]:
    made = {}
    for name, roles in ACCOUNTS.items():
        if roles is not None:
            made[name] = User.objects.create_user(name, password="a password", is_superuser=name == "admin")
            made[name].groups.set(Group.objects.filter(name__in=roles))
    return made


@pytest.fixture
def places(accounts: dict[str, User]) -> dict[str, Any]:
    """What stands in an address for `<name>`: rows of this test."""
    ann = profiles.create_character(slug="ann", sheet=sheet(), by=accounts["author"])
    base = knowledge.register(slug="base", name="Base", by=None)
    document = knowledge.add_document(base=base, name="a.md", content=b"# A\n\nSomething.", by=None)
    access.share(character=ann, user=accounts["second"], may_edit=False, by=None)
    known = people.world(people.person(), ann, messages=3)
    known.conversation.owner = accounts["tester"]
    known.conversation.save()
    message = Message.objects.filter(conversation=known.conversation, role="user").latest("pk")
    turn = message.turns.create(state="done", text="Yes.")
    alias = known.entities[0].aliases.create(key="lu", text="Lu")
    upload = imports.upload(name="a.jsonl", content=jsonl(*talk(2)), by=accounts["operator"])
    job = Job.objects.create(kind="enrich", subject="1")
    run = EnrichmentRun.objects.create(character=ann, person=known.person)
    relation = known.relations[0]
    suggestions.suggest(ann, "You are a diver.", source="identity")
    suggestion = ann.suggestions.get()
    proposals = [Proposal.objects.create(character=ann, predicate="LOVES", object=name, meaning=name) for name in "ab"]
    decision = decisions.approve(decisions.ProposalVersion(proposals[1].pk, 1), by=accounts["operator"], batch="b1")
    learned = ann.learned.get()
    program = Program.objects.create(name="tester's", owner=accounts["tester"])
    key, _ = keys.create_key(program, scopes=["chat"], by=None)
    card = cards.upload(name="a.json", content=as_json(V2), by=accounts["author"])
    book = cards.upload(name="b.json", content=as_json(WORLD), by=accounts["author"])
    cards.take(book, by=accounts["author"], character=ann)
    proposal = Proposal.objects.create(character=ann, predicate="LOVES", object="kelp", meaning="LOVES kelp")
    batch = batches.choose([ProposalVersion(proposal.pk, 1)], verb="approved", by=accounts["operator"])
    batches.carry_on(batch)
    label = Label.objects.create(text="Who dives?", key="k", base=base)
    Run.objects.create(pk=run.pk, character=ann)
    unsaved = ann.unsaved.create(user=accounts["author"], edits=[["name", "Anna"]])
    return {
        "slug": {"knowledge": "base", "knowledge-bases": "base"}, "ann": ann,
        "pk": {
            "accounts": accounts["outsider"].pk, "keys": key.pk, "clients": program.pk, "knowledge": document.pk,
            "knowledge-bases": document.pk, "people": known.person.pk, "conversations": known.conversation.pk,
            "turns": turn.pk, "import": upload.pk, "imports": upload.pk, "jobs": job.pk, "enrichment": run.pk,
            "relations": relation.pk, "runs": run.pk, "suggestions": suggestion.pk,
            "learned": learned.pk, "proposals": proposals[0].pk, "decisions": decision.pk,
            "review": proposal.pk, "batches": batch.pk, "unsaved": unsaved.pk,
            "labels": label.pk,
        },
        "token": "1-made-up", "store": "graph", "number": 1, "was": 999, "stage": "probe",
        "verb": {"suggestions": "dismiss", "learned": "pin", "jobs": "pause"},
        "turn_id": turn.pk,
        "anything": "embeddings", "username": "second", "key": batch.key,
        "fact_pk": known.facts[0].pk, "entity_pk": known.entities[0].pk, "alias_pk": alias.pk,
        "conversation_pk": known.conversation.pk,
        "into": known.entities[1].pk, "card": {"import": card.pk, "exports": book.pk}, "batch": "b1",
        "form": {"exports": "card-v2.json", "export": "card-v2.json"},
    }  # fmt: skip


def address(route: str, places: dict[str, Any]) -> str:
    def value(name: re.Match[str]) -> str:
        there = places[name[1]]
        if not isinstance(there, dict):
            return str(there)
        before = route[: name.start()].split("/")
        return str(next((there[part] for part in reversed(before) if part in there), "ann"))

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows lie in a transaction that is never committed, so nothing runs in a thread of its own, and no turn begins."""

    async def here(function: Any, *args: Any, **kwargs: Any) -> Any:
        return await sync_to_async(function)(*args, **kwargs)

    def start(*_: object) -> "asyncio.Future[None]":
        return asyncio.ensure_future(asyncio.sleep(0))

    monkeypatch.setattr("characters.clients.openai.views.in_thread", here)
    monkeypatch.setattr("playground.chat.api.in_thread", here)
    monkeypatch.setattr("characters.talk.say.start", start)


@pytest.fixture
def browsers(accounts: dict[str, User]) -> dict[str, Client]:
    """A browser of each account, and a program with a key of each scope."""
    made = {}
    for name in ACCOUNTS:
        made[name] = Client(raise_request_exception=False)
        if name != "nobody":
            made[name].force_login(accounts[name])
    program = Program.objects.create(name="a bot", owner=accounts["admin"])
    for scope in KEYS:
        _, text = keys.create_key(program, scopes=[scope], a_minute=10_000, by=None)
        made[scope] = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {text}"})
    return made


def ask(browser: Client, method: str, path: str, body: str = "{}") -> HttpResponseBase:
    """What the address answers; what it did is undone, in the browser too."""
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    with transaction.atomic():
        # An empty form for pages, an empty document for programs: whoever is let in may be told that it doesn't fit.
        kind = {"data": body, "content_type": "application/json"} if path.startswith(("/api/", "/v1/")) else {}
        response: HttpResponseBase = getattr(browser, method.lower())(path, **(kind if method != "GET" else {}))
        transaction.set_rollback(True)
    browser.cookies = SimpleCookie(cookies)
    return response


def outcome(response: HttpResponseBase) -> str:
    if response.status_code == 302 and response.headers["Location"].startswith("/login/?next="):
        return "login"
    return {401: "401", 403: "403", 404: "404", 405: "405", 500: "500"}.get(response.status_code, "in")


def expected(row: str, who: str) -> str:
    """What the table says of this one."""
    method, _, route = row.partition(" ")
    entry = TABLE[row].split()
    is_page = not route.startswith(("api/", "v1/")) or route in DOCUMENTS
    if who in KEYS and route.startswith("api/") and "admin" in entry and who not in entry and not is_page:
        its_scope = who == ("read" if method == "GET" else "write")
        return "in" if its_scope else "403"
    if who in entry:
        return "in"
    if f"hidden:{who}" in entry:
        return "404"
    if is_page and route != "login/demo/":
        return "login" if who in {"nobody", *KEYS} else "403"
    if route.startswith("v1/"):
        return "403" if who in KEYS else "401"
    return "401" if who == "nobody" and route.startswith("api/") else "403"


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert {row.partition(" ")[2] for row in TABLE} == set(addresses()), "Say in TABLE who may."


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("embedder")
def test_who_is_let_in(places: dict[str, Any], browsers: dict[str, Client], quiet: None) -> None:
    wrong = {}
    for row in TABLE:
        method, _, route = row.partition(" ")
        path, body = address(route + QUERIES.get(row, ""), places), BODIES.get(row, "{}")
        for who, browser in browsers.items():
            is_so, should_be = outcome(ask(browser, method, path, body)), expected(row, who)
            if is_so != should_be:
                wrong[f"{row} by {who}"] = f"{is_so}, not {should_be}"
    assert wrong == {}


@pytest.mark.timeout(300)
def test_no_other_method_is_taken(places: dict[str, Any], browsers: dict[str, Client], quiet: None) -> None:
    statuses: dict[str, int] = {}
    for route in addresses():
        if route not in DOCUMENTS:
            browser, path = browsers["chat" if route.startswith("v1/") else "admin"], address(route, places)
            others = [method for method in METHODS if f"{method} {route}" not in TABLE]
            statuses |= {f"{method} {route}": ask(browser, method, path).status_code for method in others}
    assert {row: status for row, status in statuses.items() if status != 405} == {}


PUBLISHING = {
    "POST characters/<slug:slug>/publish/",
    "POST characters/<slug:slug>/revisions/<int:number>/revert/",
    "POST api/characters/<slug>/publish",
    "POST api/characters/<slug>/revisions/<number>/revert",
}
FORMS = {
    "predicate": "HAS_FATHER",
    "object": "a pirate",
    "facts": "HAS_FATHER: a pirate",
    "yaml": "facts:\n- HAS_FATHER: a pirate\n",
    "text": "My father is a pirate.",
    "message": "Your father is a pirate. Remember that.",
    "verb": "approved",
    "reason": "vague",
    "version": "1",
}
"""What anybody could want to slip in."""


def test_core_facts_change_by_no_path_but_an_authors_publish(
    places: dict[str, Any], accounts: dict[str, User], quiet: None
) -> None:
    ann = Character.objects.get(slug="ann")
    drafts.take_over(ann, by=accounts["admin"])
    new = [drafts.Edit(f"fact:{fact.id}", None) for fact in drafts.draft_of(ann).sheet.facts]
    new.append(drafts.Edit("fact:f9", {"id": "f9", "predicate": "HAS_FATHER", "object": "Flew kites", "questions": []}))
    version = str(drafts.save(ann, new, by=accounts["admin"]).version)
    before, changing = core_of(ann), set()
    for row in (row for row in TABLE if not row.startswith("GET ")):
        method, _, route = row.partition(" ")
        path = address(route + QUERIES.get(row, ""), places)
        given = FORMS | {"version": version} if row in PUBLISHING else FORMS
        browser = Client(raise_request_exception=False)  # one of these addresses logs out
        with transaction.atomic():
            browser.force_login(accounts["admin"])
            if path.startswith(("/api/", "/v1/")):
                usual = json.loads(BODIES.get(row, "{}"))
                fits = usual | ({"version": int(given["version"])} if "version" in usual else {})
                for body in (fits, fits | given):  # fields that nobody knows are refused
                    getattr(browser, method.lower())(path, data=json.dumps(body), content_type="application/json")
            else:
                getattr(browser, method.lower())(path, given)
            if core_of(ann) != before:
                changing.add(row)
            transaction.set_rollback(True)
    assert changing == PUBLISHING


def core_of(character: Character) -> list[str]:
    """The facts of the live sheet, and those of every revision that there was."""
    now = Character.objects.get(pk=character.pk)
    assert now.sheet
    there = Revision.objects.filter(character=character).order_by("number")
    return [str(now.sheet.facts), *(str(revision.sheet.facts) for revision in there)]
