"""The progress of studies and topics, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from judging.core.selectors.judgments import ACCEPTED, NOT_EXCLUDED
from judging.core.selectors.kinds import by_counted_in, counted_in
from judging.models import Assignment, PoolDocument, Study, Topic, Unit
from judging.protocol.states import UnitState

Studies = Sequence[Study] | QuerySet[Study]


@dataclass(frozen=True)
class Progress:
    """The number of units in each state, of excluded units, and of judgments that count."""

    open: int = 0
    reserved: int = 0
    done: int = 0
    retired: int = 0
    excluded: int = 0
    judgments: int = 0

    @property
    def wanted(self) -> int:
        """The number of units that are done or still to be done. Retired units are left out."""
        return self.open + self.reserved + self.done

    @property
    def percent(self) -> int:
        """The percentage of units that are done. It is rounded down, so 100 means that no unit is left."""
        return 100 * self.done // self.wanted if self.wanted else 0


@dataclass(frozen=True)
class TopicProgress:
    """The progress of a topic. `documents` is the number of documents to judge, including the anchors."""

    topic: Topic
    documents: int
    units: Progress


def study_progress(studies: Studies) -> dict[int, Progress]:
    """Return a dict from primary keys of studies to their progress. Studies without units are left out.

    This takes two queries.
    """
    topics = Topic.objects.filter(study__in=studies)
    units, parts = _units(topics), defaultdict[int, list[Progress]](list)
    for topic in _judged(studies, topics):
        if topic.pk in units:
            parts[topic.study].append(Progress(**units[topic.pk], judgments=topic.judgments))
    return {study: total(of_topics) for study, of_topics in parts.items()}


def topic_progress(study: Study) -> list[TopicProgress]:
    """Return the progress of each topic, in the study's order. This takes four queries."""
    topics = Topic.objects.filter(study=study)
    units, judged = _units(topics), {topic.pk: topic.judgments for topic in _judged([study], topics)}
    pools = PoolDocument.objects.filter(topic__in=topics.order_by(), sampled=True).order_by()
    documents = dict(pools.values_list("topic_id").annotate(count=Count("pk")))
    return [
        TopicProgress(
            topic,
            documents.get(topic.pk, 0),
            Progress(**units.get(topic.pk, {}), judgments=judged.get(topic.pk, 0)),
        )
        for topic in study.topics.order_by("place").defer("description", "narrative")
    ]


def units_by_topic(study: Study) -> dict[int, Progress]:
    """Return a dict from primary keys of topics to their progress, without counting judgments.

    Topics without units are left out. This takes one query.
    """
    units = _units(Topic.objects.filter(study=study))
    return {topic: Progress(**counts) for topic, counts in units.items()}


def total(parts: Sequence[Progress]) -> Progress:
    """Return the progress of all parts together."""
    return Progress(**{name: sum(getattr(part, name) for part in parts) for name in Progress.__annotations__})


class _Judged(NamedTuple):
    """A topic, its study, and the number of its judgments that count."""

    pk: int
    study: int
    judgments: int


# The next two functions count by topic, in the order of an index. Otherwise, the database would first sort
# all rows.


def _units(topics: QuerySet[Topic]) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    of_rehearsals = topics.order_by().filter(study__simulated=True)
    planned = Q(kind__in=counted_in(rehearsal=False)) & ~Q(topic__in=of_rehearsals)
    rehearsed = Q(kind__in=counted_in(rehearsal=True), topic__in=of_rehearsals)
    units = Unit.objects.filter(planned | rehearsed, topic__in=topics.order_by())
    rows = units.order_by().values_list("topic_id", "state")
    for topic, state, number, excluded in rows.annotate(number=Count("pk"), excluded=Count("excluded_at")):
        counts[topic][UnitState(state).value] = number
        counts[topic]["excluded"] = counts[topic].get("excluded", 0) + excluded
    return counts


def _judged(studies: Studies, topics: QuerySet[Topic]) -> list[_Judged]:
    attempts = Assignment.objects.filter(
        by_counted_in(studies), ACCEPTED, NOT_EXCLUDED, topic=OuterRef("pk")
    ).order_by()
    sums = attempts.values("topic").annotate(sum=Sum("judgment_count")).values("sum")
    counted = topics.order_by().annotate(judgments=Coalesce(Subquery(sums), 0))
    return [_Judged(*row) for row in counted.values_list("pk", "study_id", "judgments")]
