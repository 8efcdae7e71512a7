"""How far studies and topics have come, in a number of queries that does not grow with them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from judging.models import PoolDocument, Study, Topic, Unit
from judging.protocol.states import UnitState
from judging.selectors.judgments import accepted_judgments


@dataclass(frozen=True)
class Progress:
    """Units by state, those of them excluded, and the judgments that count."""

    open: int = 0
    reserved: int = 0
    done: int = 0
    retired: int = 0
    excluded: int = 0
    judgments: int = 0

    @property
    def wanted(self) -> int:
        """Units to be done in all; retired ones are given to nobody any more."""
        return self.open + self.reserved + self.done

    @property
    def percent(self) -> int:
        """Whole percent done, rounded down: 100 only when nothing is left."""
        return 100 * self.done // self.wanted if self.wanted else 0


@dataclass(frozen=True)
class TopicProgress:
    topic: Topic
    documents: int
    units: Progress


def study_progress(studies: Sequence[Study]) -> dict[int, Progress]:
    """Study → progress, in two queries."""
    judgments = _judgments("assignment__topic__study_id", Q(assignment__topic__study__in=studies))
    return _progress(_units("topic__study_id", Q(topic__study__in=studies)), judgments)


def topic_progress(study: Study) -> list[TopicProgress]:
    """The topics in the study's order, in four queries."""
    judgments = _judgments("assignment__topic_id", Q(assignment__topic__study=study))
    units = _progress(_units("topic_id", Q(topic__study=study)), judgments)
    pools = PoolDocument.objects.filter(topic__study=study).order_by()
    documents = dict(pools.values_list("topic_id").annotate(count=Count("pk")))
    return [
        TopicProgress(topic, documents.get(topic.pk, 0), units.get(topic.pk, Progress()))
        for topic in study.topics.order_by("place").defer("description", "narrative")
    ]


def units_by_topic(study: Study) -> dict[int, Progress]:
    """Topic → its units alone: no judgment is counted. One query."""
    return _progress(_units("topic_id", Q(topic__study=study)), {})


def total(parts: Sequence[Progress]) -> Progress:
    """The sum of several."""
    return Progress(**{name: sum(getattr(part, name) for part in parts) for name in Progress.__annotations__})


_Counts = dict[int, dict[str, int]]


def _units(key: str, which: Q) -> _Counts:
    counts: _Counts = defaultdict(dict)
    rows = Unit.objects.filter(which).order_by().values_list(key, "state")
    for owner, state, number, excluded in rows.annotate(number=Count("pk"), excluded=Count("excluded_at")):
        counts[owner][UnitState(state).value] = number
        counts[owner]["excluded"] = counts[owner].get("excluded", 0) + excluded
    return counts


def _judgments(key: str, which: Q) -> dict[int, int]:
    return dict(accepted_judgments().filter(which).values_list(key).annotate(count=Count("pk")))


def _progress(units: _Counts, judgments: dict[int, int]) -> dict[int, Progress]:
    return {owner: Progress(**counts, judgments=judgments.get(owner, 0)) for owner, counts in units.items()}
