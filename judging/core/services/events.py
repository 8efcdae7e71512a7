"""Record events and audit entries. Events contain the worker, unit and time, but no answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypedDict

from django.db import transaction

from judging.models import Actor, Assignment, AuditEntry, Event, Participation, Study, check_of_kind
from judging.models.event import path_of_fact


class By(TypedDict):
    """The arguments that tell a service who acts and when. `actor` is None on the command line."""

    now: datetime
    actor: Actor


def record(kind: str, *, participation: Participation, now: datetime, **facts: object) -> Event:
    """Record an event of a participation. For an event in a unit, use `record_in_unit`.

    Facts for which the model has no column are kept in the column `facts`.
    """
    further = {name: facts.pop(name) for name in list(facts) if path_of_fact(name) != name}
    return Event.objects.create(
        study_id=participation.study_id,
        participation=participation,
        kind=kind,
        check_name=check_of_kind(kind),
        at=now,
        facts=further,
        **facts,
    )


def record_in_unit(kind: str, *, assignment: Assignment, now: datetime, **facts: object) -> Event:
    """Record an event of an assignment, including its topic and unit."""
    return record(
        kind,
        participation=assignment.participation,
        now=now,
        topic_id=assignment.topic_id,
        unit_id=assignment.unit_id,
        assignment=assignment,
        **facts,
    )


def audit(verb: str, *, study: Study | None, actor: Actor, now: datetime, **detail: object) -> AuditEntry:
    """Write an entry in the audit log.

    `study` is None for an action that concerns the whole site. `actor` is None for an action on the command
    line. Entries remain after a study or an account is deleted, so `detail` must not contain platform ids or
    e-mail addresses.
    """
    return AuditEntry.objects.create(
        study=study,
        study_slug=study.slug if study else "",
        actor=actor,
        actor_name=actor.get_username() if actor else "",
        at=now,
        verb=verb,
        detail=detail,
    )


def difference(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the detail of an audit entry about a change: the changed values, before and after the change."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {
        "before": {name: before.get(name) for name in names},
        "after": {name: after.get(name) for name in names},
    }


@transaction.atomic
def record_export(
    *, study: Study, what: str, form: str, now: datetime, actor: Actor = None, **detail: object
) -> None:
    """Write an audit entry just before data is exported. `actor` is None on the command line."""
    audit("exported", study=study, actor=actor, now=now, what=what, format=form, **detail)
