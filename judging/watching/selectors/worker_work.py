"""The data for worker statistics, read topic by topic, so that the whole study need not fit in memory."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from django.db.models import Count, Q

from judging.core.selectors.judgments import ACCEPTED, accepted_judgments, time_spent, topics_sorted
from judging.core.selectors.kinds import by_counted, events_of
from judging.core.selectors.records import FINISHED
from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.checks import anchors, comprehension, letter_of_event, practice
from judging.protocol.record import REDRAWN
from judging.protocol.states import LIVE
from judging.protocol.unit_flags import Judged, Side


class Work(NamedTuple):
    """An accepted judgment.

    `judged` holds the values of the judgment. The other fields hold the primary keys of its worker, attempt
    and document, and say whether its unit is excluded. `compared_with` is the key of the second document of a
    pair, or None.
    """

    participation: int
    assignment: int
    document: int
    compared_with: int | None
    excluded: bool
    judged: Judged


class Attempts(NamedTuple):
    """A worker's counts of begun, ended and completed units, and of failures of checks (b) to (d).

    `checked` is the number of attempts whose failures are known. It does not include imported attempts. The
    numbers from `finished` to `corrected` are those of a `Record`, without the topics in `bad_anchors`.
    """

    participation: int
    pseudonym: str
    begun: int
    ended: int
    completed: int
    checked: int
    finished: int
    passed: int
    redrawn: int
    corrected: int
    failures: int


def work_by_topic(study: Study) -> Iterator[list[Work]]:
    """Yield a list for each topic: its accepted judgments, in any order.

    Judgments of excluded units are included.
    """
    for topic in topics_sorted(study):
        spent = time_spent(Q(assignment__topic=topic))
        rows = accepted_judgments(study, with_excluded=True).filter(assignment__topic=topic)
        columns = rows.values_list(
            "pk",
            "assignment__participation_id",
            "assignment_id",
            "pool_document_id",
            "compared_with_id",
            "assignment__unit__excluded_at",
            "number",
            "justification",
            "pool_document__anchor",
            "pool_document__grade",
            "compared_with__anchor",
            "compared_with__grade",
        )
        work = []
        for pk, worker, attempt, first, second, excluded_at, number, *rest in columns.iterator():
            if number is not None:
                words, anchor, grade, other_anchor, other_grade = rest
                seconds = spent[pk].seconds if pk in spent else 0.0
                other = None if second is None else Side(bool(other_anchor), other_grade)
                judged = Judged(number, words, seconds, bool(anchor), grade, other)
                work.append(Work(worker, attempt, first, second, excluded_at is not None, judged))
        yield work


def attempts_by_worker(
    study: Study, *, bad_anchors: Collection[int] = (), bad_questions: Collection[int] = ()
) -> list[Attempts]:
    """Return a row for each worker who has begun a unit. This takes two queries.

    `bad_anchors` and `bad_questions` hold the primary keys of topics. Failures of check (c) on topics in
    `bad_anchors` do not count, nor do failures of check (b) on topics in `bad_questions`. Such failures are
    the fault of the topic, and would make the workers look careless.
    """
    in_units = [kind for kind in letter_of_event() if kind != practice.CHECK.event]
    events = (
        events_of(study)
        .filter(kind__in=in_units)
        .exclude(kind=anchors.CHECK.event, topic__in=bad_anchors)
        .exclude(kind=comprehension.CHECK.event, topic__in=bad_questions)
        .order_by()
    )
    failures = dict(events.values_list("participation_id").annotate(number=Count("pk")))
    finished = FINISHED & Q(failed_finishes__isnull=False) & ~Q(topic__in=bad_anchors)
    rows = Assignment.objects.filter(by_counted(study), participation__study=study).order_by()
    groups = rows.values_list("participation_id", "participation__pseudonym").annotate(
        begun=Count("pk"),
        ended=Count("pk", filter=~Q(state__in=values(LIVE))),
        completed=Count("pk", filter=ACCEPTED),
        checked=Count("failed_finishes"),
        finished=Count("pk", filter=finished),
        passed=Count("pk", filter=finished & Q(failed_finishes=0)),
        redrawn=Count("pk", filter=finished & Q(lowest_tau__lt=REDRAWN)),
        corrected=Count("pk", filter=finished & Q(lowest_tau__gte=REDRAWN)),
    )
    return [Attempts._make((*row, failures.get(row[0], 0))) for row in groups]
