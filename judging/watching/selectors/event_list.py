"""Events of a study for lists in the console."""

from django.db.models import Count, QuerySet

from judging.core.published.events import EventRow, listed
from judging.core.selectors.ordering import cut_first
from judging.models import Event

# Sorted by time first: a simulated crowd stores its events worker by worker, not in the order of their times.
LATEST_FIRST = ("-at", "-pk")


def counts_by_kind(events: QuerySet[Event]) -> dict[str, int]:
    """Return the number of events of each kind, without the kinds that do not occur. This takes one query."""
    return dict(events.order_by().values_list("kind").annotate(count=Count("pk")))


def rows_of(page: QuerySet[Event]) -> list[EventRow]:
    """Return the events of a page, in the order of the page. This takes one query."""
    return listed(cut_first(page))
