"""Read the rows of the members with the work of some kinds of judges."""

from collections.abc import Callable, Iterator
from functools import partial
from operator import itemgetter

from judging.archive.bundles.fields import Work
from judging.archive.bundles.judged_members import failed_field
from judging.archive.bundles.reading import Row, grouped, read_rows, topics_in_order
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import accepted_judgments
from judging.core.selectors.kinds import attempts_of, by_counted, events_of, units_of, workers_of
from judging.models import PracticeAttempt, Study, UnitDocument, Visit
from judging.models.fields import values
from judging.protocol.checks import unit_checks
from judging.protocol.judges import is_simulated
from judging.protocol.states import LIVE, UnitState


def unit_rows(study: Study, work: Work) -> Iterator[Row]:
    """Yield the units of the plan.

    A reserved unit is not finished, so it counts as open, or as retired if its topic is retired.
    """
    for topic in topics_in_order(study):
        documents: dict[int, list[str]] = {}
        planned = UnitDocument.objects.filter(unit__topic=topic).order_by("pk")
        for unit, document in planned.values_list("unit_id", "pool_document__document__document_id"):
            documents.setdefault(unit, []).append(document)
        units = read_rows(work.units.fields, units_of(study, work.kinds).filter(topic=topic).order_by(), "pk")
        for row in sorted(units, key=itemgetter("number")):
            if row["state"] == UnitState.RESERVED:
                row["state"] = (UnitState.RETIRED if topic.retired_at else UnitState.OPEN).value
            yield row | {"documents": documents.get(row.pop("pk"), [])}


def worker_rows(study: Study, work: Work) -> Iterator[Row]:
    own = by_counted(study, kinds=work.kinds)
    practice = PracticeAttempt.objects.filter(own, participation__study=study).order_by()
    tries = read_rows(work.workers.parts("practice"), practice, "participation_id")
    attempts = grouped("participation_id", sorted(tries, key=itemgetter("number")))
    workers = read_rows(work.workers.fields, workers_of(study, work.kinds).order_by(), "pk", "kind")
    for row in sorted(workers, key=itemgetter("worker")):
        simulated = is_simulated(row.pop("kind"))
        yield row | {"simulated": simulated, "practice": attempts.get(row.pop("pk"), [])}


def attempt_rows(study: Study, work: Work) -> Iterator[Row]:
    """Yield the attempts that have ended. The work in other attempts is not accepted yet."""
    ended = attempts_of(study, work.kinds).exclude(state__in=values(LIVE)).order_by()
    rows = read_rows(work.attempts.fields, ended, "failed_checks")
    for row in sorted(rows, key=itemgetter("worker", "attempt")):
        counts = failures_by_check(row.pop("failed_checks"))
        yield row | dict(zip(map(failed_field, unit_checks()), counts, strict=True))


def judgment_rows(study: Study, work: Work) -> Iterator[Row]:
    """Yield the judgments worker by worker, so that only one worker's judgments are in memory at a time."""
    workers = workers_of(study, work.kinds).order_by()
    accepted = accepted_judgments(study, with_excluded=True, kinds=work.kinds)
    for _, worker in sorted(workers.values_list("pseudonym", "pk")):
        opened = Visit.objects.filter(assignment__participation=worker).order_by("pk")
        visits = grouped("judgment_id", read_rows(work.judgments.parts("visits"), opened, "judgment_id"))
        judgments = accepted.filter(assignment__participation=worker)
        for row in sorted(read_rows(work.judgments.fields, judgments, "pk"), key=_place):
            yield row | {"visits": visits.get(row.pop("pk"), [])}


def _place(row: Row) -> tuple[int, int, str, str]:
    """Return the key by which to sort the judgments of one worker.

    An imported judgment may have no position. Such judgments come first in their attempt.
    """
    position = -1 if row["position"] is None else row["position"]
    return row["attempt"], position, row["document"], row["compared_with"] or ""


def event_rows(study: Study, work: Work) -> Iterator[Row]:
    events = events_of(study, work.kinds).order_by("pk")
    live = set(values(LIVE))
    for row in read_rows(work.events.fields, events, "assignment__state"):
        if row.pop("assignment__state") in live:
            row["attempt"] = None
        yield row


def readers_of(work: Work) -> dict[str, Callable[[Study], Iterator[Row]]]:
    """Return a dict from the name of each member with this work to the function that yields its rows."""
    return {
        work.units.name: partial(unit_rows, work=work),
        work.workers.name: partial(worker_rows, work=work),
        work.attempts.name: partial(attempt_rows, work=work),
        work.judgments.name: partial(judgment_rows, work=work),
        work.events.name: partial(event_rows, work=work),
    }
