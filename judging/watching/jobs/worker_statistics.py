"""`figures`: how each worker of a study works, and who stands far out from the others."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from statistics import median
from typing import Final

from django.db import transaction

from judging.core.clock import now
from judging.core.services.jobs import Progress
from judging.models import Job, Result, Study, WorkerFigures
from judging.protocol.agreement import Agreements, Centred, centre
from judging.protocol.unit_flags import unit_flags, unit_signs
from judging.protocol.worker_flags import Signs, flags
from judging.watching.selectors.topic_quality import topic_quality
from judging.watching.selectors.worker_work import Attempts, Work, attempts_by_worker, work_by_topic

FAVOURITES: Final = (5.0, 10.0, 50.0, 100.0)
_BATCH: Final = 1000


def compute_worker_statistics(job: Job, progress: Progress) -> Result:
    """Compute the statistics of the job's study; returns what `compute_statistics` does."""
    study = job.own_study
    topics = study.topics.count()
    return compute_statistics(study=study, now=now(), progress=lambda done: progress(done, topics))


def compute_statistics(
    *, study: Study, now: datetime, progress: Callable[[int], object] = lambda done: None
) -> Result:
    """Compute the statistics of all workers anew; returns `{"workers": n, "flagged": n}`.

    `progress` is called with the number of topics read.
    """
    tallies: dict[int, _Tally] = {}
    agreements = Agreements()
    for done, work in enumerate(work_by_topic(study), start=1):
        agreements.add_topic(_centred(work, tallies, study.seconds_per_document))
        progress(done)
    quality = topic_quality(study)
    attempts = attempts_by_worker(
        study,
        bad_anchors=[one.topic.pk for one in quality if one.bad_anchor],
        bad_questions=[one.topic.pk for one in quality if one.bad_question],
    )
    rows = {
        one.pseudonym: _statistics(one, tallies.get(one.participation, _Tally()), agreements, now)
        for one in attempts
    }
    found = flags({name: _signs(row) for name, row in rows.items()})
    for name, row in rows.items():
        own = tallies.get(row.participation_id, _Tally()).signs
        row.flags = [str(reason) for reason in found[name] or unit_flags(own)]
        row.flagged = len(row.flags)
    _keep(study, rows)
    return {"workers": len(rows), "flagged": sum(1 for row in rows.values() if row.flagged)}


@transaction.atomic
def _keep(study: Study, rows: Mapping[str, WorkerFigures]) -> None:
    WorkerFigures.objects.filter(participation__study=study).delete()
    WorkerFigures.objects.bulk_create(rows.values(), _BATCH)


class _Tally:
    """What one worker has done, added up over topics."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.ranges: list[float] = []
        self.magnitudes: Counter[float] = Counter()
        self.justifications: Counter[int] = Counter()
        self.signs: list[set[str]] = []

    def add_unit(self, work: list[Work], least_seconds: float) -> None:
        judged = [one.judged for one in work]
        magnitudes = [one.magnitude for one in judged]
        self.seconds += [one.seconds for one in judged if one.seconds]
        self.ranges.append(max(magnitudes) / min(magnitudes))
        self.magnitudes.update(magnitudes)
        self.signs.append(unit_signs(judged, least_seconds=least_seconds))
        self.justifications.update(hash(" ".join(one.justification.casefold().split())) for one in judged)


def _centred(work: list[Work], tallies: dict[int, _Tally], least_seconds: float) -> list[Centred]:
    """Tally the units of a topic; the values of their documents but the anchors, for the agreements."""
    by_unit = attrgetter("assignment")
    found = []
    for _, of_unit in groupby(sorted(work, key=by_unit), key=by_unit):
        unit = list(of_unit)
        tallies.setdefault(unit[0].participation, _Tally()).add_unit(unit, least_seconds)
        found += [
            Centred(one.participation, one.document, value, counts=not one.excluded)
            for one, value in zip(unit, centre([one.judged.magnitude for one in unit]), strict=True)
            if not one.judged.anchor
        ]
    return found


def _statistics(attempts: Attempts, tally: _Tally, agreements: Agreements, now: datetime) -> WorkerFigures:
    given = tally.magnitudes.total()
    commonest, times = min(tally.magnitudes.items(), key=lambda one: (-one[1], one[0]), default=(None, 0))
    return WorkerFigures(
        participation_id=attempts.participation,
        computed_at=now,
        begun=attempts.begun,
        ended=attempts.ended,
        completed=attempts.completed,
        seconds=median(tally.seconds) if tally.seconds else None,
        range=median(tally.ranges) if tally.ranges else None,
        favourites=sum(tally.magnitudes[value] for value in FAVOURITES) / given if given else None,
        commonest=commonest,
        commonest_share=times / given if given else None,
        agreement=agreements.of(attempts.participation),
        shared=agreements.shared(attempts.participation),
        repeats=1 - len(tally.justifications) / given if given else None,
        failures=attempts.failures / attempts.checked if attempts.checked else None,
    )


def _signs(row: WorkerFigures) -> Signs:
    return Signs(
        begun=row.begun,
        completed=row.completed,
        seconds=row.seconds,
        range=row.range,
        commonest=row.commonest_share,
        agreement=row.agreement,
        shared=row.shared,
        repeats=row.repeats,
        failures=row.failures,
    )
