"""The job `figures`, which computes statistics of a study's workers and flags workers worth checking."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from statistics import median
from typing import Final

from django.db import transaction

from judging.core.clock import now
from judging.core.selectors.following import followers_of_judges
from judging.core.services.jobs import Progress
from judging.core.stored_sentences import to_json
from judging.models import Job, Result, Study, WorkerFigures
from judging.protocol.agreement import Agreements, Centred, centre
from judging.protocol.following_flags import following_flags
from judging.protocol.points import mean_numbers
from judging.protocol.record import Record
from judging.protocol.scales import scale_of
from judging.protocol.unit_flags import unit_flags, unit_signs
from judging.protocol.worker_flags import Signs, flags, guessing_flags
from judging.watching.selectors.topic_quality import topic_quality
from judging.watching.selectors.worker_work import Attempts, Work, attempts_by_worker, work_by_topic

FAVOURITES: Final = (5.0, 10.0, 50.0, 100.0)
_BATCH: Final = 1000


def compute_worker_statistics(job: Job, progress: Progress) -> Result:
    """Call `compute_statistics` for the study of the job, and return the result."""
    study = job.own_study
    topics = study.topics.count()
    return compute_statistics(study=study, now=now(), progress=lambda done: progress(done, topics))


def compute_statistics(
    *, study: Study, now: datetime, progress: Callable[[int], object] = lambda done: None
) -> Result:
    """Compute and store the statistics of all workers, and return `{"workers": n, "flagged": n}`.

    `progress` is called with the number of topics read so far.
    """
    tallies: dict[int, _Tally] = {}
    agreements = Agreements()
    for done, work in enumerate(work_by_topic(study), start=1):
        agreements.add_topic(_centred(work, tallies, study))
        progress(done)
    quality = topic_quality(study)
    attempts = attempts_by_worker(
        study,
        bad_anchors=[topic.topic.pk for topic in quality if topic.bad_anchor],
        bad_questions=[topic.topic.pk for topic in quality if topic.bad_question],
    )
    rows = {
        worker.pseudonym: _statistics(worker, tallies.get(worker.participation, _Tally()), agreements, now)
        for worker in attempts
    }
    with_anchors = any(topic.h_id or topic.n_id for topic in quality)
    compared = flags({name: _signs(row) for name, row in rows.items()})
    following = following_flags(followers_of_judges(study))
    records = {worker.pseudonym: _record(worker, rows[worker.pseudonym], study) for worker in attempts}
    for name, row in rows.items():
        own_signs = tallies.get(row.participation_id, _Tally()).signs
        reasons = [*guessing_flags(records[name], least_units=study.record_units), *compared[name]]
        if name in following:
            reasons.append(following[name])
        row.flags = [
            to_json(reason) for reason in reasons or unit_flags(own_signs, with_anchors=with_anchors)
        ]
        row.flagged = len(row.flags)
    _store(study, rows)
    return {"workers": len(rows), "flagged": sum(1 for row in rows.values() if row.flagged)}


@transaction.atomic
def _store(study: Study, rows: Mapping[str, WorkerFigures]) -> None:
    WorkerFigures.objects.filter(participation__study=study).delete()
    WorkerFigures.objects.bulk_create(rows.values(), _BATCH)


class _Tally:
    """The values from which one worker's statistics are computed, collected over all topics."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.ranges: list[float] = []
        self.magnitudes: Counter[float] = Counter()
        self.justifications: Counter[int] = Counter()
        self.signs: list[set[str]] = []

    def add_unit(self, work: list[Work], study: Study) -> None:
        judged = [judgment.judged for judgment in work]
        magnitudes = [judgment.number for judgment in judged]
        self.seconds += [judgment.seconds for judgment in judged if judgment.seconds]
        if scale_of(study).has_ratios:
            self.ranges.append(max(magnitudes) / min(magnitudes))
        self.magnitudes.update(magnitudes)
        self.signs.append(unit_signs(judged, least_seconds=study.seconds_per_document))
        self.justifications.update(
            hash(" ".join(judgment.justification.casefold().split())) for judgment in judged
        )


def _centred(work: list[Work], tallies: dict[int, _Tally], study: Study) -> list[Centred]:
    """Add the units of one topic to the tallies of their workers.

    Return the topic's centred judgments, which are needed to compute agreement. Anchors are left out.
    """
    by_unit = attrgetter("assignment")
    values = []
    for _, judgments in groupby(sorted(work, key=by_unit), key=by_unit):
        unit = list(judgments)
        tallies.setdefault(unit[0].participation, _Tally()).add_unit(unit, study)
        numbers = mean_numbers(
            (judgment.document, judgment.compared_with, judgment.judged.number) for judgment in unit
        )
        centred = centre(list(numbers.values()), has_ratios=scale_of(study).has_ratios)
        worker, counts, anchors = unit[0].participation, not unit[0].excluded, _anchors(unit)
        values += [
            Centred(worker, document, value, counts=counts)
            for document, value in zip(numbers, centred, strict=True)
            if document not in anchors
        ]
    return values


def _anchors(unit: Sequence[Work]) -> set[int]:
    """Return the keys of the anchors in a unit. Each document of a ring is once the first of a pair."""
    return {judgment.document for judgment in unit if judgment.judged.anchor}


def _statistics(attempts: Attempts, tally: _Tally, agreements: Agreements, now: datetime) -> WorkerFigures:
    total = tally.magnitudes.total()
    commonest, times = min(tally.magnitudes.items(), key=lambda item: (-item[1], item[0]), default=(None, 0))
    return WorkerFigures(
        participation_id=attempts.participation,
        computed_at=now,
        begun=attempts.begun,
        ended=attempts.ended,
        completed=attempts.completed,
        seconds=median(tally.seconds) if tally.seconds else None,
        range=median(tally.ranges) if tally.ranges else None,
        favourites=sum(tally.magnitudes[value] for value in FAVOURITES) / total if total else None,
        commonest=commonest,
        commonest_share=times / total if total else None,
        agreement=agreements.of(attempts.participation),
        shared=agreements.shared(attempts.participation),
        repeats=1 - len(tally.justifications) / total if total else None,
        failures=attempts.failures / attempts.checked if attempts.checked else None,
    )


def _record(worker: Attempts, row: WorkerFigures, study: Study) -> Record:
    return Record(
        worker.finished,
        worker.passed,
        worker.redrawn,
        worker.corrected,
        row.agreement,
        row.shared,
        study.anchor_pairs,
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
