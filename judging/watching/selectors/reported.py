"""The documents that workers could not judge."""

from typing import NamedTuple

from django.db.models import Count, Max

from judging.core.selectors.kinds import events_of
from judging.models import EventKind, Study
from judging.protocol.reported import Fault


class Reported(NamedTuple):
    """A document, and how many workers reported each fault."""

    key: int
    topic: str
    document: str
    faults: dict[Fault, int]

    @property
    def workers(self) -> int:
        return sum(self.faults.values())


def reported_documents(study: Study) -> list[Reported]:
    """Return the reported documents, the most recently reported first. This takes one query."""
    events = events_of(study).filter(kind=EventKind.REPORTED)
    rows = (
        events.values("document", "topic__number", "document__document__document_id", "fault")
        .annotate(workers=Count("participation", distinct=True), last=Max("pk"))
        .order_by("-last")
    )
    documents: dict[int, Reported] = {}
    for row in rows:
        key = row["document"]
        names = (row["topic__number"], row["document__document__document_id"])
        documents.setdefault(key, Reported(key, *names, {})).faults[Fault(row["fault"])] = row["workers"]
    return list(documents.values())
