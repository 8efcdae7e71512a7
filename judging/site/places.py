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

    `purpose` says in one or two sentences what people do on the page. Studies for analysis have only the
    pages for which `of_analysis` is true.
    """

    name: str
    label: "StrOrPromise"
    purpose: "StrOrPromise"
    also: tuple[str, ...] = ()
    of_analysis: bool = False

    def holds(self, name: str) -> bool:
        """Return whether `name` is the name of this page or of a page below it.

        All pages whose names start with `setup_` are below the page `set_up`.
        """
        return name == self.name or name in self.also or (self.name == "set_up" and name.startswith("setup_"))


@dataclass(frozen=True)
class Place:
    """An entry of the navigation: its label and its pages. The entry leads to the first page."""

    label: "StrOrPromise"
    pages: tuple[Page, ...]

    def holds(self, name: str) -> bool:
        return any(page.holds(name) for page in self.pages)


PLACES: Final = (
    Place(
        _("Overview"),
        (
            Page(
                "study",
                _("Overview"),
                _("See progress, money, checks, judgments and the best runs at a glance."),
                also=("state", "search"),
                of_analysis=True,
            ),
        ),
    ),
    Place(
        _("Set-up"),
        (
            Page("set_up", _("Set-up"), _("Change, preview and rehearse the study before it opens.")),
            Page("plan", _("Plan"), _("Find out how many topics and judgments the study needs.")),
            Page("way_in", _("Worker links"), _("Copy the links that bring workers to the study.")),
        ),
    ),
    Place(
        _("Workers"),
        (
            Page(
                "workers",
                _("Workers"),
                _("Find a worker, read all their answers, and exclude or include their units."),
                also=("worker", "worker_pair"),
                of_analysis=True,
            ),
            Page(
                "worker_statistics",
                _("Worker statistics"),
                _("Compare workers’ times, agreement and numbers, and find unusual workers."),
                of_analysis=True,
            ),
        ),
    ),
    Place(
        _("Quality"),
        (
            Page(
                "quality",
                _("Checks"),
                _("See which checks workers fail, and on which topics. Replace a bad anchor or question."),
                also=("mend_topic",),
            ),
            Page("events", _("Events"), _("Read everything that happened in the study, latest first.")),
            Page(
                "table1", _("Table 1"), _("Count participants and failed checks as the original paper does.")
            ),
        ),
    ),
    Place(
        _("Judgments"),
        (
            Page(
                "understanding",
                _("Documents"),
                _("Read a document with its numbers, reasons, median and interval."),
                also=("documents", "document"),
                of_analysis=True,
            ),
            Page(
                "grades",
                _("Grades and agreement"),
                _("Compare judgments with the known grades, and see how much workers agree."),
                of_analysis=True,
            ),
        ),
    ),
    Place(
        _("Results"),
        (
            Page(
                "results",
                _("Results"),
                _("See which run is best, how sure that is, and which documents make the difference."),
                of_analysis=True,
            ),
            Page(
                "arms",
                _("Scales side by side"),
                _("Compare the arms: cost, time, failures, agreement, and how they rank the runs."),
                of_analysis=True,
            ),
            Page(
                "judges",
                _("Judges beside people"),
                _("See whether models pass the checks, agree with people, and how much work they save."),
                also=("judge", "labels"),
                of_analysis=True,
            ),
            Page(
                "systems",
                _("Systems and measures"),
                _("See how gains and grades affect the ranking, and how reliable each measure is."),
                of_analysis=True,
            ),
            Page(
                "figures",
                _("Figures"),
                _("Make figures and tables for a paper, and download them."),
                also=("figure",),
                of_analysis=True,
            ),
            Page(
                "papers",
                _("Papers"),
                _("Regenerate the numbered tables and figures of five papers from the data of the study."),
                of_analysis=True,
            ),
        ),
    ),
    Place(
        _("Data"),
        (
            Page(
                "jobs",
                _("Data"),
                _("Export judgments, gains and everything else. See what the site is computing."),
                also=("job",),
                of_analysis=True,
            ),
        ),
    ),
)
SETTINGS: Final = Place(
    _("Settings"),
    (
        Page(
            "members",
            _("Members"),
            _("Give colleagues access to the study, or remove their access."),
            of_analysis=True,
        ),
        Page("payments", _("Payments"), _("See what each worker has earned, and record what you paid.")),
        Page("thresholds", _("Thresholds"), _("Choose when Plumbline sends you an e-mail.")),
        Page("audit", _("Audit log"), _("See who changed what, and when."), of_analysis=True),
    ),
)


def places_of(study: Study) -> Iterator[Place]:
    """Yield the places that a study has, each with its pages. The settings come last."""
    for place in (*PLACES, SETTINGS):
        pages = tuple(page for page in place.pages if page.of_analysis or not study.is_for_analysis)
        if pages:
            yield replace(place, pages=pages)
