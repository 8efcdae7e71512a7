"""Events of a study, for lists of the console."""

from django.db.models import Count, QuerySet

from judging.core.published.events import EventRow, listed
from judging.core.selectors.ordering import cut_first
from judging.models import Event

# By time: a simulated crowd, worker after worker, does not write its events in the order of its clocks.
LATEST_FIRST = ("-at", "-pk")


def counts_by_kind(events: QuerySet[Event]) -> dict[str, int]:
    """Kind → number of these events, for the kinds that there are; in one query."""
    return dict(events.order_by().values_list("kind").annotate(count=Count("pk")))


def rows_of(page: QuerySet[Event]) -> list[EventRow]:
    """The events of a page in their order; in one query."""
    return listed(cut_first(page))
