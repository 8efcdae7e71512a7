"""Which thresholds of a study have been reached. Shares are looked at once `LEAST` things were counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from judging.core.selectors.payments import totals
from judging.models import Participation, Study, Watch, WorkerFigures
from judging.models.watch import FAILED_UNITS, share_of
from judging.protocol.checks import practice
from judging.watching.selectors.topic_quality import TopicQuality, failed_of, topic_quality

LEAST: Final = 20
MOST_NAMES: Final = 20


@dataclass(frozen=True)
class Reached:
    """`key` is the same whenever the same is found again: it is told once."""

    key: str
    what: str
    said: str
    value: str = ""
    limit: str = ""

    @property
    def facts(self) -> dict[str, object]:
        """For a job's parameters."""
        return {"what": self.what, "said": self.said, "value": self.value, "limit": self.limit}


def reached(watch: Watch) -> Iterator[Reached]:
    """The thresholds that are reached as things stand; a constant number of queries."""
    quality = topic_quality(watch.study)
    for field, what, part, whole in _shares(watch, quality):
        limit = watch.shares.get(field)
        if limit is None or whole < LEAST or 100 * part < limit * whole:
            continue
        percent = f"{100 * part / whole:.1f}"
        yield Reached(
            f"{field} {limit} of study {watch.study_id}",
            f"{what}: {percent} %",
            f"{what}: {part} of {whole}, which is {percent} %; the threshold is {limit} %.",
            percent,
            str(limit),
        )
    yield from _spent(watch)
    if watch.bad_anchor:
        for one in quality:
            if one.bad_anchor:
                what = f"bad anchor? Topic {one.topic.number}"
                said = f"The anchors of topic {one.topic}, H {one.h_id} and N {one.n_id}, may be bad."
                yield Reached(f"bad_anchor of topic {one.topic.pk}", what, f"{said} {one.bad_anchor}")
    if watch.bad_question:
        for one in quality:
            if one.bad_question:
                what = f"bad question? Topic {one.topic.number}"
                said = f"The question of topic {one.topic} may be bad. {one.bad_question}"
                yield Reached(f"bad_question of topic {one.topic.pk}", what, said)
    if watch.flagged_worker:
        yield from _flagged(watch.study)


def _shares(watch: Watch, quality: list[TopicQuality]) -> Iterator[tuple[str, str, int, int]]:
    """Yield the field of each share, what it counts, how many failed, and of how many."""
    finished = sum(one.pair.workers for one in quality)
    yield FAILED_UNITS, "units that failed a check", sum(one.failed_units for one in quality), finished
    if watch.shares.get(share_of(practice.CHECK)) is not None:
        yield share_of(practice.CHECK), practice.CHECK.failed, *_practice(watch.study)
    for check, failed, checked in failed_of(quality):
        yield share_of(check), check.failed, failed, checked


def _practice(study: Study) -> tuple[int, int]:
    """Workers who failed an attempt, of those who came to the end of one; in one query."""
    ended = Q(practice_attempts__passed__isnull=False)
    counts = Participation.objects.filter(study=study).aggregate(
        ended=Count("pk", filter=ended, distinct=True),
        failed=Count("pk", filter=Q(practice_attempts__passed=False), distinct=True),
    )
    return counts["failed"], counts["ended"]


def _spent(watch: Watch) -> Iterator[Reached]:
    if watch.spent is None:
        return
    spent, currency = totals(watch.study).spent, watch.study.currency
    if spent >= watch.spent:
        yield Reached(
            f"spent {watch.spent} of study {watch.study_id}",
            f"{spent} {currency} spent",
            f"{spent} {currency} are spent, paid or due; the threshold is {watch.spent} {currency}.",
            str(spent),
            str(watch.spent),
        )


def _flagged(study: Study) -> Iterator[Reached]:
    """Told for the first flagged worker, and again whenever their number has doubled."""
    rows = WorkerFigures.objects.filter(participation__study=study, flagged__gt=0)
    names = list(
        rows.order_by("-flagged", "participation__pseudonym").values_list(
            "participation__pseudonym", flat=True
        )
    )
    if names:
        level = 1 << (len(names).bit_length() - 1)
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        yield Reached(
            f"flagged_worker {level} of study {study.pk}",
            f"{len(names)} flagged worker{'s' if len(names) > 1 else ''}",
            f"Worth a look: {', '.join(names[:MOST_NAMES])}{more}. Their pages say why.",
            str(len(names)),
        )
