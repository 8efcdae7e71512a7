"""What stands between a study and its opening, how much work it is, and what it will cost."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.db.models import Count

from judging.core.selectors.plans import Planned, planned_by_topic
from judging.models import PoolDocument, Question, Setup, Study, Topic
from judging.protocol.estimates import fee_on
from judging.protocol.planning import units_needed
from judging.protocol.platforms import PLATFORM_KEYS, ignored_keys
from judging.protocol.settings import SETTINGS
from judging.protocol.states import StudyState

_NEEDED: Final = (
    "requester",
    "contact",
    "information",
    "consent",
    "instructions_magnitude",
    "instructions_task",
)


@dataclass(frozen=True)
class TopicReadiness:
    """The work of one topic; `documents` are those of the pool without the anchors."""

    number: str
    title: str
    documents: int
    units: int
    judgments: int


@dataclass(frozen=True)
class Readiness:
    """`faults` are sentences; the study can open when there are none. `minutes` are those of all workers.

    `cost` is what workers get, `fee` what the platform takes on top.
    """

    faults: list[str]
    topics: list[TopicReadiness]
    units: int
    judgments: int
    cost: Decimal
    fee: Decimal
    minutes: int


def readiness(study: Study, *, now: datetime | None) -> Readiness:
    """Look at the study as it is stored; retired topics do not count. Without `now` no date is looked at.

    In seven queries, however many topics there are.
    """
    topics = _topics(study)
    pools = _pools(topics)
    planned = planned_by_topic(topics, wanted=study.judgments_per_document)
    work = [_work(study, topic, pools.get(topic.pk, 0), planned.get(topic.pk)) for topic in topics]
    units = sum(topic.units for topic in work)
    return Readiness(
        faults=_faults(study, topics, pools, now),
        topics=work,
        units=units,
        judgments=sum(topic.judgments for topic in work),
        cost=units * study.pay_per_unit,
        fee=fee_on(units * study.pay_per_unit, study.platform_fee),
        minutes=units * study.expected_minutes,
    )


def opening_faults(study: Study, *, now: datetime) -> list[str]:
    """What keeps a study from being open, whatever units are planned for it; in five queries."""
    topics = _topics(study)
    return _faults(study, topics, _pools(topics), now)


def _topics(study: Study) -> list[Topic]:
    return list(Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place"))


def _pools(topics: list[Topic]) -> dict[int, int]:
    """Topic → documents of its pool without the anchors; in one query."""
    pools = PoolDocument.objects.filter(topic__in=topics, anchor="").order_by()
    return dict(pools.values_list("topic_id").annotate(count=Count("pk")))


def _work(study: Study, topic: Topic, documents: int, planned: Planned | None) -> TopicReadiness:
    wanted = documents * study.judgments_per_document
    missing = wanted - (planned.judgments if planned else 0)
    units = units_needed(missing, judgments=1, others=study.others_per_unit)
    units += planned.units if planned else 0
    return TopicReadiness(topic.number, topic.title, documents, units, units * study.unit_size)


def missing_texts(study: Study) -> list[str]:
    """Return the keys of the settings that a study needs before it opens and does not have."""
    return [key for key in _NEEDED if not getattr(study, key).strip()]


def study_faults(study: Study, now: datetime | None) -> list[str]:
    """What its own texts and dates keep a study from opening."""
    faults = [f"“{SETTINGS[key].label}” ({key}) is empty: fill it in." for key in missing_texts(study)]
    if ignored := ignored_keys({key: getattr(study, key) for key in ("platform", *PLATFORM_KEYS)}):
        them = "it" if len(ignored) == 1 else "them"
        faults.append(
            f"The study sets {' and '.join(ignored)}, but platform {study.platform} makes no use of {them}:"
            " it would not store the ids of its workers, and nobody could pay them. Set another platform, or"
            f" remove {them}."
        )
    if now and study.closes_at and study.closes_at <= now:
        faults.append(
            f"The study closes at {study.closes_at:%Y-%m-%d %H:%M} UTC, which is past: move closes_at."
        )
    return faults


def _setup_faults(study: Study) -> list[str]:
    setup = Setup.objects.filter(study=study).first()
    if study.state != StudyState.DRAFT or setup is None or setup.is_read:
        return []
    return ["The set-up was changed since it was last read, or it has faults: check it in the console."]


def _faults(study: Study, topics: list[Topic], pools: dict[int, int], now: datetime | None) -> list[str]:
    faults = [*study_faults(study, now), *_setup_faults(study)]
    if not topics:
        return [*faults, "The study has no topics: add one."]
    by_topic = _faults_by_topic(study, topics, pools)
    return [*faults, *(fault for of_topic in by_topic.values() for fault in of_topic)]


def faults_by_topic(study: Study) -> dict[Topic, list[str]]:
    """Return the topics that are not retired, in the study's order, and what keeps each from being judged."""
    topics = _topics(study)
    return _faults_by_topic(study, topics, _pools(topics))


def _faults_by_topic(study: Study, topics: list[Topic], pools: dict[int, int]) -> dict[Topic, list[str]]:
    asked = Question.objects.filter(topic__in=topics, right_option__isnull=False)
    asked_topics = set(asked.values_list("topic_id", flat=True))
    anchors = dict.fromkeys([topic.pk for topic in topics], "")
    for topic_id, anchor in (
        PoolDocument.objects.filter(topic__in=topics).exclude(anchor="").values_list("topic_id", "anchor")
    ):
        anchors[topic_id] += anchor
    by_topic = {}
    for topic in topics:
        faults = by_topic[topic] = list[str]()
        if topic.pk not in asked_topics:
            faults.append(f"Topic {topic.number} has no question: write one.")
        if not anchors[topic.pk] and not pools.get(topic.pk):
            faults.append(f"Topic {topic.number} has no documents: pool some.")
            continue
        for grade in "HN":
            if grade not in anchors[topic.pk]:
                faults.append(f"Topic {topic.number} has no {grade} anchor: choose one.")
        if pools.get(topic.pk, 0) < study.others_per_unit:
            faults.append(small_pool(topic.number, pools.get(topic.pk, 0), study.others_per_unit))
    return by_topic


def small_pool(topic: str, documents: int, others: int) -> str:
    """What is said of a topic whose pool does not fill a unit."""
    return (
        f"Topic {topic} has {documents} documents besides its anchors, and a unit needs {others}: pool more,"
        " or lower unit_size."
    )
