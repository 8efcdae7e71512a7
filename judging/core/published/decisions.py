"""Decisions about further units in an adaptive study."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from judging.core.published.table import Column, Published
from judging.models import Reason, Study
from judging.protocol.words import gettext_noop as _


class DecisionRow(NamedTuple):
    """A decision. `record` holds the details that are needed to repeat the decision from the same data."""

    decision: Annotated[int, Column("the number of the decision, from 1")]
    decided_at: Annotated[datetime, Column("when it was made", "UTC")]
    reason: Annotated[
        str,
        Column(
            "`unsettled`: the study goes on; `settled`: it stops; `no-room`: no unit may follow",
            options=tuple(reason.value for reason in Reason),
        ),
    ]
    expected_tau: Annotated[float, Column("the expected Kendall’s τ with the true ranking of the runs")]
    expected_overlap: Annotated[float, Column("the expected overlap with the true top set")]
    judgments: Annotated[int, Column("judgments so far, with those of the anchors", "judgments")]
    units: Annotated[int, Column("units so far", "units")]
    units_planned: Annotated[int, Column("new units", "units")]
    unit_numbers: Annotated[str, Column("the numbers of the new units in their topics, as JSON")]
    record: Annotated[
        str, Column("the rule, seed, settings, checksums, evidence and documents of the new units, as JSON")
    ]


def decision_rows(study: Study) -> Iterator[DecisionRow]:
    """Yield the decisions of a study, sorted by number."""
    for decision in study.decisions.order_by("pk"):
        evidence = decision.record["evidence"]
        yield DecisionRow(
            decision.number,
            decision.at,
            decision.reason,
            evidence["tau"],
            evidence["overlap"],
            evidence["judgments"],
            evidence["units"],
            len(decision.unit_numbers),
            json.dumps(decision.unit_numbers),
            json.dumps(decision.record, ensure_ascii=False, sort_keys=True),
        )


DECISIONS: Final = Published(
    "decisions",
    _("Decisions about further units in an adaptive study."),
    DecisionRow,
    decision_rows,
    place=9,
)
