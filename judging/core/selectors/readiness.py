"""The faults that prevent a study from opening, the study's planned work, and its cost."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.db.models import Count
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from judging.core.selectors.adaptive import most_units
from judging.core.selectors.plans import Planned, planned_by_topic
from judging.core.selectors.texts import unfinished_texts
from judging.core.words import translated
from judging.models import PoolDocument, Question, Setup, Study, Topic
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.estimates import fee_on
from judging.protocol.planning import units_needed
from judging.protocol.platforms import PLATFORM_KEYS, ignored_keys
from judging.protocol.scales import compares_pairs, judging_of
from judging.protocol.settings import SETTINGS
from judging.protocol.states import StudyState

_NEEDED: Final = ("requester", "contact", "information", "consent")
"""The texts that every study needs, besides the instructions."""


@dataclass(frozen=True)
class TopicReadiness:
    """The planned work for a topic. `documents` is the number to judge, not counting anchors."""

    number: str
    title: str
    documents: int
    units: int
    judgments: int


@dataclass(frozen=True)
class Work:
    """A number of units, with the number of judgments, the cost and the working time.

    `minutes` is the working time of all workers together. `cost` is the workers' pay. `fee` is the platform's
    fee, which `cost` does not include.
    """

    units: int
    judgments: int
    cost: Decimal
    fee: Decimal
    minutes: int

    @classmethod
    def of(cls, study: Study, units: int) -> "Work":
        cost = units * study.pay_per_unit
        return cls(
            units,
            units * study.unit_size,
            cost,
            fee_on(cost, study.platform_fee),
            units * study.expected_minutes,
        )

    @property
    def total(self) -> Decimal:
        """Return the pay plus the fee."""
        return self.cost + self.fee


@dataclass(frozen=True)
class Readiness:
    """Whether a study can open, and its planned work and cost.

    `faults` holds sentences in the active language. The study can open if `faults` is empty. `planned` is the
    work that is planned when the study opens. `most` is the maximum work of an adaptive study, or None for
    other studies.
    """

    faults: list[str]
    topics: list[TopicReadiness]
    planned: Work
    most: Work | None = None


def readiness(study: Study, *, now: datetime | None) -> Readiness:
    """Return whether a stored study can open, and its planned work and cost. Ignore retired topics.

    If `now` is None, do not check the closing date. This takes seven queries, and a few more for an adaptive
    study.
    """
    topics = _topics(study)
    pools = _pools(topics)
    planned = planned_by_topic(study, topics, wanted=study.judgments_per_document)
    work = [_work(study, topic, pools.get(topic.pk, 0), planned.get(topic.pk)) for topic in topics]
    units = sum(topic.units for topic in work)
    return Readiness(
        faults=_faults(study, topics, pools, now),
        topics=work,
        planned=Work.of(study, units),
        most=Work.of(study, max(units, most_units(study))) if study.is_adaptive else None,
    )


def opening_faults(study: Study, *, now: datetime) -> list[str]:
    """Return the faults that prevent a study from opening.

    This takes at most five queries, and one more for an adaptive study.
    """
    topics = _topics(study)
    return _faults(study, topics, _pools(topics), now)


def _topics(study: Study) -> list[Topic]:
    return list(Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place"))


def _pools(topics: list[Topic]) -> dict[int, int]:
    """Return a dict from each topic's key to the number of documents to judge, not counting anchors.

    These are the sampled documents. This takes one query.
    """
    pools = PoolDocument.objects.filter(topic__in=topics, anchor="", sampled=True).order_by()
    return dict(pools.values_list("topic_id").annotate(count=Count("pk")))


def _work(study: Study, topic: Topic, documents: int, planned: Planned | None) -> TopicReadiness:
    wanted = documents * study.judgments_per_document
    missing = wanted - (planned.judgments if planned else 0)
    units = units_needed(missing, judgments=1, others=study.others_per_unit)
    units += planned.units if planned else 0
    return TopicReadiness(topic.number, topic.title, documents, units, units * study.unit_size)


def missing_texts(study: Study) -> list[str]:
    """Return the keys of the texts that are required for opening a study but are still empty."""
    needed = (*_NEEDED, *judging_of(study).instructions, "instructions_task")
    return [key for key in needed if not getattr(study, key).strip()]


def study_faults(study: Study, now: datetime | None) -> list[str]:
    """Return the faults of a study's settings. If `now` is None, do not check the closing date."""
    faults = [
        _("“{label}” ({key}) is empty. Fill it in.").format(label=gettext(SETTINGS[key].label), key=key)
        for key in missing_texts(study)
    ]
    faults += [fault.sentence for fault in unfinished_texts(study)]
    if ignored := ignored_keys({key: getattr(study, key) for key in ("platform", *PLATFORM_KEYS)}):
        faults.append(
            _(
                "Platform {platform} ignores these settings: {keys}. With this platform, the study "
                "would not store the ids of its workers, so you could not pay them. Choose the "
                "platform that these settings belong to, or clear the settings."
            ).format(platform=study.platform, keys=", ".join(ignored))
        )
    if study.pays and study.paid_within is None:
        faults.append(
            _("“{label}” (paid_within) is empty. Say within how many days you pay the workers.").format(
                label=gettext(SETTINGS["paid_within"].label)
            )
        )
    if now and study.closes_at and study.closes_at <= now:
        faults.append(
            _("The closing date {date} UTC is in the past. Choose a later closes_at.").format(
                date=f"{study.closes_at:%Y-%m-%d %H:%M}"
            )
        )
    return faults


def _setup_faults(study: Study) -> list[str]:
    setup = Setup.objects.filter(study=study).first()
    if study.state != StudyState.DRAFT or setup is None or setup.is_read:
        return []
    return [_("The set-up has problems, or it has changed since the last check. Check it in the console.")]


def _faults(study: Study, topics: list[Topic], pools: dict[int, int], now: datetime | None) -> list[str]:
    faults = [
        *study_faults(study, now),
        *_setup_faults(study),
        *_measure_faults(study),
        *_adaptive_faults(study),
    ]
    if not topics:
        return [*faults, _("The study has no topics. Add a topic.")]
    by_topic = _faults_by_topic(study, topics, pools)
    return [*faults, *(fault for of_topic in by_topic.values() for fault in of_topic)]


def _measure_faults(study: Study) -> list[str]:
    """Return the faults in the study's measure and baseline."""
    from evaluation.errors import InputError  # loads numpy and polars
    from evaluation.scores import score

    faults = []
    try:
        # Gains are rarely whole numbers, and some measures need more parameters for such gains.
        score({"topic": {"document": 1.5}}, {"run": {"topic": {"document": 1}}}, study.ranked_by)
    except InputError as error:
        faults.append(_("ranked_by: {fault}").format(fault=translated(error)))
    tags = sorted(study.runs.values_list("tag", flat=True)) if study.baseline else []
    if study.baseline and study.baseline not in tags:
        faults.append(
            _("The baseline “{run}” is not a run of the study. Choose one of these: {runs}.").format(
                run=study.baseline, runs=", ".join(tags) or "–"
            )
        )
    return faults


def _adaptive_faults(study: Study) -> list[str]:
    """Return the faults in the runs and settings of an adaptive study, or an empty list for other studies."""
    if not study.is_adaptive:
        return []
    faults = []
    if compares_pairs(study):
        faults.append(
            _(
                "An adaptive study cannot use the scale {scale}, because its further units follow from the"
                " numbers of single documents. Set allocation to “fixed”, or choose another scale."
            ).format(scale=study.scale)
        )
    if study.runs.count() < 2:
        faults.append(_("An adaptive study needs two or more runs. Add runs, or set allocation to “fixed”."))
    if study.most_judgments < study.judgments_per_document:
        faults.append(
            _(
                "most_judgments is {most}, but each document gets {first} judgments at first. Raise "
                "most_judgments to {first} or more."
            ).format(most=study.most_judgments, first=study.judgments_per_document)
        )
    return faults


def faults_by_topic(study: Study) -> dict[Topic, list[str]]:
    """Return the faults of each topic, with the topics in the study's order. Ignore retired topics."""
    topics = _topics(study)
    return _faults_by_topic(study, topics, _pools(topics))


def _faults_by_topic(study: Study, topics: list[Topic], pools: dict[int, int]) -> dict[Topic, list[str]]:
    questions = Question.objects.filter(topic__in=topics, right_option__isnull=False)
    topics_with_question = set(questions.values_list("topic_id", flat=True))
    anchors: dict[int, set[str]] = {topic.pk: set() for topic in topics}
    for topic_id, anchor in (
        PoolDocument.objects.filter(topic__in=topics).exclude(anchor="").values_list("topic_id", "anchor")
    ):
        anchors[topic_id].add(anchor)
    by_topic = {}
    for topic in topics:
        faults = by_topic[topic] = list[str]()
        if topic.pk not in topics_with_question:
            faults.append(_("Topic {topic} has no question. Write one.").format(topic=topic.number))
        if not anchors[topic.pk] and not pools.get(topic.pk):
            faults.append(
                _("Topic {topic} has no documents. Add some to its pool.").format(topic=topic.number)
            )
            continue
        missing = [anchor for anchor in study.anchors if anchor not in anchors[topic.pk]]
        faults += [_missing_anchor(topic.number, anchor) for anchor in missing]
        if pools.get(topic.pk, 0) < study.others_per_unit:
            small = small_sample if study.is_sampled else small_pool
            faults.append(small(topic.number, pools.get(topic.pk, 0), study.others_per_unit))
    return by_topic


def _missing_anchor(topic: str, anchor: Anchor) -> str:
    if anchor.pair == 1:
        text = _("Topic {topic} has no {anchor} anchor. Choose one.")
    else:
        text = _(
            "Topic {topic} has no {anchor} anchor, but the study has two pairs of anchors. Add a document "
            "with the known grade {grade}, choose an {anchor} anchor, or set anchor_pairs to 1."
        )
    return text.format(topic=topic, anchor=anchor.value, grade=anchor.grade.value)


def small_pool(topic: str, documents: int, others: int) -> str:
    """Return the fault for a topic whose pool is too small for a unit."""
    return ngettext(
        "Topic {topic} has {number} document besides its anchors, but a unit needs {others}. Add documents to"
        " the pool, or choose a smaller unit_size.",
        "Topic {topic} has {number} documents besides its anchors, but a unit needs {others}. Add documents"
        " to the pool, or choose a smaller unit_size.",
        documents,
    ).format(topic=topic, number=documents, others=others)


def small_sample(topic: str, documents: int, others: int) -> str:
    """Return the fault for a topic with too few sampled documents for a unit."""
    return ngettext(
        "The sample has {number} document of topic {topic} besides its anchors, but a unit needs {others}."
        " Judge more documents (budget, or added for a later topic), or choose a smaller unit_size.",
        "The sample has {number} documents of topic {topic} besides its anchors, but a unit needs {others}."
        " Judge more documents (budget, or added for a later topic), or choose a smaller unit_size.",
        documents,
    ).format(topic=topic, number=documents, others=others)
