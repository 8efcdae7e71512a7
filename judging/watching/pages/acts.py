"""What may be done about a worker and the worker's units: the buttons of a worker's page."""

from datetime import datetime

from django.http import QueryDict

from judging.core.pages.guard import row_key
from judging.core.services.errors import RefusedError
from judging.core.services.events import By
from judging.models import Actor, Assignment, Participation
from judging.watching.services.curation import exclude_unit, exclude_units_of, include_unit, include_units_of
from judging.watching.services.workers import block_worker, free_reservation, unblock_worker


def act(*, worker: Participation, form: QueryDict, now: datetime, actor: Actor) -> str:
    """Do what a button says; returns a sentence on what was done.

    `form` has `action` and, by that, `number` (of the worker's attempt), `reason` and `collect_again`. Raises
    RefusedError for an unknown action or unit, and where the service refuses.
    """
    by: By = {"now": now, "actor": actor}
    action, reason, again = form.get("action", ""), form.get("reason", ""), "collect_again" in form
    if action == "block":
        if not block_worker(participation=worker, **by):
            worker.refresh_from_db()
            raise RefusedError(f"Nothing was done: the worker is {worker.get_state_display()} already.")
        return f"Worker {worker.pseudonym} is blocked and gets no more units."
    if action == "unblock":
        unblock_worker(participation=worker, **by)
        return f"Worker {worker.pseudonym} may take units again."
    if action == "exclude_all":
        done, copies = exclude_units_of(participation=worker, reason=reason, collect_again=again, **by)
        return f"Units left out of the analysis: {done}." + (f" Collected again: {copies}." if copies else "")
    if action == "include_all":
        return f"Units that count again: {include_units_of(participation=worker, **by)}."
    attempt = _attempt(worker, form.get("number", ""))
    if action == "free":
        free_reservation(participation=worker, number=attempt.number, **by)
        return "The unit is open to others."
    if action == "exclude":
        copy = exclude_unit(unit=attempt.unit, worker=worker, reason=reason, collect_again=again, **by)
        return "The unit is left out of the analysis." + (
            f" It is collected again as unit {copy.number} of its topic." if copy else ""
        )
    if action == "include":
        include_unit(unit=attempt.unit, worker=worker, **by)
        return "The unit counts again."
    raise RefusedError("Nothing was done: use one of the buttons.")


def _attempt(worker: Participation, number: str) -> Assignment:
    found = worker.assignments.select_related("unit").filter(number=row_key(number)).first()
    if found is None:
        raise RefusedError("Nothing was done: the worker has had no such unit.")
    return found
