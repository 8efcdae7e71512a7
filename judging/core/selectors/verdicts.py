"""Reads researchers' verdicts on documents whose judgments disagree with a known grade."""

from datetime import datetime
from typing import NamedTuple

from judging.models import DisagreementVerdict, Study


class StoredVerdict(NamedTuple):
    """A verdict. `grades` is the name of the set of known grades that it is about."""

    topic: str
    document: str
    grades: str
    verdict: str
    note: str
    decided_at: datetime


_COLUMNS = (
    "pool_document__topic__number",
    "pool_document__document__document_id",
    "grade_set__name",
    "verdict",
    "note",
    "decided_at",
)


def verdicts_of(study: Study) -> list[StoredVerdict]:
    """Return the verdicts of a study, sorted by topic, document and set of grades. This takes one query."""
    rows = DisagreementVerdict.objects.filter(grade_set__study=study).order_by()
    return sorted(map(StoredVerdict._make, rows.values_list(*_COLUMNS)))
