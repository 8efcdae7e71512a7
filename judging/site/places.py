"""The places of a study in the console: what its navigation shows, and which pages each place has."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from judging.models import Study

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Page:
    """A page in the navigation. `name` is the name of its URL, and `also` has the names of pages below it.

    Studies for analysis have only the pages with `of_analysis`.
    """

    name: str
    label: "StrOrPromise"
    also: tuple[str, ...] = ()
    of_analysis: bool = False

    def holds(self, name: str) -> bool:
        """Return whether `name` is this page or a page below it. All pages `setup_…` are below `set_up`."""
        return name == self.name or name in self.also or (self.name == "set_up" and name.startswith("setup_"))


@dataclass(frozen=True)
class Place:
    """An entry of the navigation: its label and its pages. The entry leads to the first page."""

    label: "StrOrPromise"
    pages: tuple[Page, ...]

    def holds(self, name: str) -> bool:
        return any(page.holds(name) for page in self.pages)


PLACES: Final = (
    Place(_("Overview"), (Page("study", _("Overview"), also=("state", "search"), of_analysis=True),)),
    Place(_("Set-up"), (Page("set_up", _("Set-up")), Page("way_in", _("Worker links")))),
    Place(
        _("Workers"),
        (
            Page("workers", _("Workers"), also=("worker", "worker_pair"), of_analysis=True),
            Page("worker_statistics", _("Worker statistics"), of_analysis=True),
        ),
    ),
    Place(
        _("Quality"),
        (
            Page("quality", _("Checks"), also=("mend_topic",)),
            Page("events", _("Events")),
            Page("table1", _("Table 1")),
        ),
    ),
    Place(
        _("Judgments"),
        (
            Page("understanding", _("Documents"), also=("documents", "document"), of_analysis=True),
            Page("grades", _("Grades and agreement"), of_analysis=True),
        ),
    ),
    Place(
        _("Results"),
        (
            Page("scores", _("Scores of the runs"), of_analysis=True),
            Page("figures", _("Figures"), also=("figure",), of_analysis=True),
        ),
    ),
    Place(_("Data"), (Page("jobs", _("Data"), also=("job",), of_analysis=True),)),
)
SETTINGS: Final = Place(
    _("Settings"),
    (
        Page("members", _("Members"), of_analysis=True),
        Page("payments", _("Payments")),
        Page("thresholds", _("Thresholds")),
        Page("audit", _("Audit log"), of_analysis=True),
    ),
)


def places_of(study: Study) -> Iterator[Place]:
    """Yield the places that a study has, each with its pages; the settings are the last."""
    for place in (*PLACES, SETTINGS):
        pages = tuple(page for page in place.pages if page.of_analysis or not study.is_for_analysis)
        if pages:
            yield replace(place, pages=pages)
