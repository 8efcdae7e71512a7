"""What repairing a topic would do. The repair retires the topic and creates a copy with other anchors."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from judging.core.selectors.kinds import counted_kinds
from judging.core.selectors.payments import lost_on
from judging.models import PoolDocument, Study, Topic
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.planning import units_needed
from judging.protocol.states import StudyState, UnitState


@dataclass(frozen=True)
class Mending:
    """The effects of repairing a topic by replacing it with a copy that has other anchors.

    `done`, `live` and `open` are the numbers of the topic's units in these states. `counted` is the number of
    done units that are not excluded. `planned` and `cost` are the number and the cost of the copy's units.
    `judged` says whether workers would judge the copy. `lost` is the number of attempts that failed check (c)
    and ended without full pay. `lost_pay` is the total of the full pay for these attempts.
    """

    done: int
    counted: int
    live: int
    open: int
    planned: int
    cost: Decimal
    judged: bool
    lost: int
    lost_pay: Decimal


def mending_of(topic: Topic) -> Mending:
    """Return what repairing the topic would do now."""
    study = topic.study
    others = topic.pool.filter(anchor="", sampled=True).count()
    planned = units_needed(others, judgments=study.judgments_per_document, others=study.others_per_unit)
    done = Q(state=UnitState.DONE.value)
    lost = list(lost_on(topic).values_list("pay", flat=True))
    return Mending(
        **topic.units.filter(kind__in=counted_kinds(study)).aggregate(
            done=Count("pk", filter=done),
            counted=Count("pk", filter=done & Q(excluded_at=None)),
            live=Count("pk", filter=Q(state=UnitState.RESERVED.value)),
            open=Count("pk", filter=Q(state=UnitState.OPEN.value)),
        ),
        planned=planned,
        cost=planned * study.pay_per_unit,
        judged=is_judged(study),
        lost=len(lost),
        lost_pay=sum(lost, start=Decimal("0.00")),  # in Python, because SQLite would add floats
    )


def already_replaced(topic: str, copy: str) -> str:
    """Return the sentence that says why a topic cannot get another copy. `topic` and `copy` are numbers."""
    return _("Topic {copy} already replaces topic {topic}. Set new anchors for topic {copy} instead.").format(
        topic=topic, copy=copy
    )


def is_judged(study: Study) -> bool:
    """Return whether the study is open or paused. If so, workers would judge the copy of a topic."""
    return study.state in (StudyState.OPEN, StudyState.PAUSED)


def may_be_anchor(row: PoolDocument, anchor: Anchor) -> bool:
    """Return whether a pooled document has the grade of this anchor, or no grade, and is judged.

    The chances of a sample hold only if nobody adds documents to it afterwards.
    """
    return row.sampled and row.grade in ("", anchor.grade)
