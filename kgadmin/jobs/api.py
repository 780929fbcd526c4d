"""The API of background jobs."""

from datetime import datetime
from typing import Literal

from django.db.models import QuerySet
from ninja import Field, Query, Router, Schema

from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs import services
from kgadmin.jobs.models import Job
from kgadmin.rest.schemas import Page, Paging, PathId, Text, changes, page, reads

router = Router(tags=["jobs"])
operators = door("operator")


class JobOut(Schema):
    """A job on one subject; `error` says why it failed."""

    id: int = Field(examples=[1])
    kind: str = Field(examples=["ingest"])
    subject: str = Field(examples=["marine_biology"])
    state: str = Field(examples=["running"])
    done: int = Field(examples=[3])
    total: int = Field(examples=[12])
    note: str = Field(examples=["reef.md"])
    error: str = Field(examples=[""])
    attempts: int = Field(examples=[1])
    created_at: datetime
    finished_at: datetime | None


class JobFilter(Schema):
    """All are optional."""

    kind: Text = Field("", max_length=40, examples=["ingest"])
    subject: Text = Field("", max_length=100, examples=["marine_biology"])
    state: Literal["queued", "running", "paused", "done", "failed", "cancelled"] | None = None


@router.get("/jobs", auth=operators, response=reads(Page[JobOut]), summary="Jobs, the newest first")
def jobs(request: ApiRequest, paging: Paging, asked: Query[JobFilter]) -> object:
    """Waiting, running and ended jobs, by kind, subject or state."""
    rows: QuerySet[Job] = Job.objects.filter(**{name: value for name, value in asked.dict().items() if value})
    return page(rows, paging)


@router.get("/jobs/{pk}", auth=operators, response=reads(JobOut), summary="One job")
def job(request: ApiRequest, pk: PathId) -> Job:
    """Its progress."""
    return services.job_for(pk)


@router.post("/jobs/{pk}/{verb}", auth=operators, response=changes(JobOut), summary="Pause, resume or cancel a job")
def act(request: ApiRequest, pk: PathId, verb: Literal["pause", "resume", "cancel"]) -> Job:
    """A paused job resumes where it stopped; a cancelled one is over, and its work stays. 409 if it is too late."""
    return services.act(pk, verb)
