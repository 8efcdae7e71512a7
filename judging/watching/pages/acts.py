"""The buttons of a worker's page: actions on the worker and the worker's units."""

from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from judging.core.pages.guard import row_key
from judging.core.services.errors import RefusedError
from judging.core.services.events import By
from judging.models import Actor, Assignment, Participation
from judging.watching.services.curation import exclude_unit, exclude_units_of, include_unit, include_units_of
from judging.watching.services.workers import block_worker, clear_record, free_reservation, unblock_worker


def perform_action(*, worker: Participation, form: QueryDict, now: datetime, actor: Actor) -> str:
    """Perform the action of a button and return a sentence that confirms it.

    `form` has `action` and, if the action needs them, `number` (of the worker's attempt), `reason` and
    `collect_again`. Raise RefusedError if the action or unit is unknown, or if the action is not possible.
    """
    by: By = {"now": now, "actor": actor}
    action, reason, again = form.get("action", ""), form.get("reason", ""), "collect_again" in form
    if action == "block":
        if not block_worker(participation=worker, **by):
            worker.refresh_from_db()
            raise RefusedError(
                _("The worker was not blocked, because the worker’s state is already “{state}”.").format(
                    state=_(worker.get_state_display())
                )
            )
        return _("Worker {worker} is blocked and gets no more units.").format(worker=worker.pseudonym)
    if action == "unblock":
        unblock_worker(participation=worker, **by)
        return _("Worker {worker} is unblocked and can take units again.").format(worker=worker.pseudonym)
    if action == "clear_record":
        due = clear_record(participation=worker, **by)
        return _("Worker {worker} can take units again. Payments that are now due: {payments}.").format(
            worker=worker.pseudonym, payments=due
        )
    if action == "exclude_all":
        excluded, copies = exclude_units_of(participation=worker, reason=reason, collect_again=again, **by)
        if copies:
            return _("Units excluded: {excluded}. Copies that workers will judge: {copies}.").format(
                excluded=excluded, copies=copies
            )
        return _("Units excluded: {excluded}.").format(excluded=excluded)
    if action == "include_all":
        included = include_units_of(participation=worker, **by)
        return _("Units included again: {included}.").format(included=included)
    attempt = _find_attempt(worker, form.get("number", ""))
    if action == "free":
        free_reservation(participation=worker, number=attempt.number, **by)
        return _("The unit is free. Other workers can take it.")
    if action == "exclude":
        copy = exclude_unit(unit=attempt.unit, worker=worker, reason=reason, collect_again=again, **by)
        if copy:
            return _(
                "The unit is excluded. Workers will judge a copy of it, unit {number} of the topic."
            ).format(number=copy.number)
        return _("The unit is excluded from the analysis.")
    if action == "include":
        include_unit(unit=attempt.unit, worker=worker, **by)
        return _("The unit is included in the analysis again.")
    raise RefusedError(_("Unknown action: nothing was done. Use one of the buttons."))


def _find_attempt(worker: Participation, number: str) -> Assignment:
    attempt = worker.assignments.select_related("unit").filter(number=row_key(number)).first()
    if attempt is None:
        raise RefusedError(_("The worker has never had this unit. Reload the page and try again."))
    return attempt
