"""The thresholds that a study has reached.

A share is checked only if it is computed from at least `LEAST` units, answers or workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from judging.core.selectors.kinds import workers_of
from judging.core.selectors.payments import totals
from judging.models import Study, Watch, WorkerFigures
from judging.models.watch import FAILED_UNITS, share_of
from judging.protocol.checks import practice
from judging.watching.selectors.reported import reported_documents
from judging.watching.selectors.topic_quality import TopicQuality, failed_of, topic_quality

LEAST: Final = 20
MOST_NAMES: Final = 20


@dataclass(frozen=True)
class Reached:
    """A threshold that a study has reached. Only one notice is sent for each `key`.

    `title` and `sentence` are in English, for e-mails and webhooks.
    """

    key: str
    title: str
    sentence: str
    value: str = ""
    limit: str = ""

    @property
    def facts(self) -> dict[str, object]:
        """Return the threshold as parameters for the job that sends the notice."""
        return {
            "what": self.title,
            "said": self.sentence,
            "value": self.value,
            "limit": self.limit,
        }


def reached(watch: Watch) -> Iterator[Reached]:
    """Yield the thresholds that are reached now. This takes a constant number of queries."""
    quality = topic_quality(watch.study)
    for field, title, part, whole in _shares(watch, quality):
        limit = watch.shares.get(field)
        if limit is None or whole < LEAST or 100 * part < limit * whole:
            continue
        percent = f"{100 * part / whole:.1f}"
        yield Reached(
            f"{field} {limit} of study {watch.study_id}",
            f"{title}: {percent} %",
            f"{title}: {part} of {whole}, which is {percent} %. The threshold is {limit} %.",
            percent,
            str(limit),
        )
    yield from _spent(watch)
    for topic in quality:
        for pair in topic.bad_pairs if watch.bad_anchor else ():
            second = "" if pair.number == 1 else f", pair {pair.number}"
            documents = f"{pair.h} {pair.h_id} and {pair.n} {pair.n_id}"
            yield Reached(
                f"bad_anchor of topic {topic.topic.pk}{second}",
                f"topic {topic.topic.number} may have bad anchors",
                f"The anchors of topic {topic.topic}, {documents}, may be bad. {pair.bad_anchor}",
            )
        if watch.bad_question and topic.bad_question:
            yield Reached(
                f"bad_question of topic {topic.topic.pk}",
                f"topic {topic.topic.number} may have a bad question",
                f"The question of topic {topic.topic} may be bad. {topic.bad_question}",
            )
    if watch.reported:
        for document in reported_documents(watch.study):
            yield Reached(
                f"report of document {document.key}",
                f"document {document.document} cannot be judged",
                f"A worker cannot judge document {document.document} of topic {document.topic}."
                " The Quality page says why.",
            )
    if watch.flagged_worker:
        yield from _flagged(watch.study)


def _shares(watch: Watch, quality: list[TopicQuality]) -> Iterator[tuple[str, str, int, int]]:
    """Yield a tuple for each share: its field, its title, the number that failed, and the number checked.

    The numbers count units, answers or workers.
    """
    finished = sum(topic.pair.workers for topic in quality)
    failed_units = sum(topic.failed_units for topic in quality)
    yield FAILED_UNITS, "units that failed a check", failed_units, finished
    if watch.shares.get(share_of(practice.CHECK)) is not None:
        yield share_of(practice.CHECK), practice.CHECK.failed, *_practice(watch.study)
    for check, failed, checked in failed_of(quality):
        yield share_of(check), check.failed, failed, checked


def _practice(study: Study) -> tuple[int, int]:
    """Return how many workers failed a practice attempt, and how many finished one. This takes one query."""
    ended = Q(practice_attempts__passed__isnull=False)
    counts = workers_of(study).aggregate(
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
            f"{spent} {currency} are paid or due. The threshold is {watch.spent} {currency}.",
            str(spent),
            str(watch.spent),
        )


def _flagged(study: Study) -> Iterator[Reached]:
    """Yield the threshold for flagged workers if any worker is flagged.

    The key of the threshold changes when the number of flagged workers reaches 1, 2, 4, 8 and so on. So a
    notice is sent for the first flagged worker, and again each time the number has doubled.
    """
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
            "1 flagged worker" if len(names) == 1 else f"{len(names)} flagged workers",
            f"Workers worth checking: {', '.join(names[:MOST_NAMES])}{more}. Their pages give the reasons.",
            str(len(names)),
        )
