"""What mending a topic would do: which documents can be its anchors, and what the copy would take."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, Sum

from judging.core.selectors.payments import lost_on
from judging.models import PoolDocument, Study, Topic
from judging.protocol.planning import units_needed
from judging.protocol.states import StudyState, UnitState


@dataclass(frozen=True)
class Mending:
    """Units of the topic by state, what a copy takes in `planned` units and `cost`, and who `lost` a unit.

    `counted` are the done units that are not excluded. `judged` says whether a copy would be judged at all.
    """

    done: int
    counted: int
    live: int
    open: int
    planned: int
    cost: Decimal
    judged: bool
    lost: int
    lost_pay: Decimal | None


def mending_of(topic: Topic) -> Mending:
    """Return what mending the topic would do, with the numbers of this moment."""
    study = topic.study
    others = topic.pool.filter(anchor="").count()
    planned = units_needed(others, judgments=study.judgments_per_document, others=study.others_per_unit)
    done = Q(state=UnitState.DONE.value)
    lost = lost_on(topic).aggregate(number=Count("pk"), pay=Sum("pay"))
    return Mending(
        **topic.units.aggregate(
            done=Count("pk", filter=done),
            counted=Count("pk", filter=done & Q(excluded_at=None)),
            live=Count("pk", filter=Q(state=UnitState.RESERVED.value)),
            open=Count("pk", filter=Q(state=UnitState.OPEN.value)),
        ),
        planned=planned,
        cost=planned * study.pay_per_unit,
        judged=is_judged(study),
        lost=lost["number"],
        lost_pay=lost["pay"],
    )


def is_judged(study: Study) -> bool:
    """Whether topics of the study are judged now, so that a copy would be."""
    return study.state in (StudyState.OPEN, StudyState.PAUSED)


def may_be_anchor(row: PoolDocument, anchor: str) -> bool:
    """Whether a document of the pool can be this anchor: it has that grade, or none."""
    return row.grade in ("", anchor)
