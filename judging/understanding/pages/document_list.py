"""The list of a topic's documents: its columns, its filter and its order.

The page of a document has links to the previous and the next document in the list. So the address of the
document's page holds the order and the filter of the list, in the same parameters as the address of the list.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import attrgetter
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, link
from judging.core.pages.sorting import PARAMETER, Sorting, sorting_of
from judging.core.selectors.magnitudes import gains_have_ratios
from judging.models import Report, Study, Topic
from judging.protocol.anchor_pairs import gold
from judging.protocol.grades import GAINS, gain_of
from judging.protocol.scales import compares_pairs, scale_of
from judging.understanding.reports.stored_table import DocumentRow

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_CARRIED: Final = (PARAMETER, "document", "grade")
"""The parameters of an address that hold the order and the filter of the list."""


class Listed(NamedTuple):
    """A document of the list.

    `of_grade` is the median gain of the topic's judged documents with the same known grade. `disagreement`
    compares the document's own gain with `of_grade`. The result is a factor of at least 1 or, for ratings, a
    difference. Both fields are None if the document has no known grade or no judgments.
    """

    row: DocumentRow
    of_grade: float | None
    disagreement: float | None


class Neighbours(NamedTuple):
    """The addresses of the documents before and after a document in the list.

    At an end of the list, the missing address is "". `place` is the place of the document, counted from 1.
    `total` is the number of documents in the list.
    """

    before: str
    after: str
    place: int
    total: int


class DocumentForm(FilterForm):
    """Filters the documents of a topic."""

    document = TextField(gettext_lazy("Document"))
    grade = ChosenField(gettext_lazy("Known grade"), [])

    def __init__(self, request: HttpRequest, rows: Sequence[Listed]) -> None:
        super().__init__(request)
        grades = sorted({row["grade"] for row, *_ in rows if row["grade"]} | GAINS.keys(), key=gain_of)
        field = self.fields["grade"]
        assert isinstance(field, ChosenField)
        field.offer([*((grade, grade) for grade in grades), ("none", gettext_lazy("no grade"))])

    def narrow(self, rows: list[Listed]) -> list[Listed]:
        """Return the rows that match the form, or no rows if the form is invalid."""
        if not self.is_valid():
            return []
        name, grade = self.cleaned_data["document"].lower(), self.cleaned_data["grade"]
        return [
            listed
            for listed in rows
            if name in listed.row["document"].lower() and grade in ("", listed.row["grade"] or "none")
        ]


def listed_documents(study: Study, report: Report | None) -> list[Listed]:
    """Return the documents in the report of a topic, sorted by id."""
    rows: list[DocumentRow] = report.content["documents"] if report else []
    gains: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row["gain"] is not None:
            gains[row["grade"]].append(row["gain"])
    medians = {grade: median(of_grade) for grade, of_grade in gains.items() if grade}
    return [_listed(study, row, medians.get(row["grade"])) for row in sorted(rows, key=_name_of)]


def _name_of(row: DocumentRow) -> str:
    return row["document"]


def _listed(study: Study, row: DocumentRow, of_grade: float | None) -> Listed:
    gain = row["gain"]
    if gain is None or of_grade is None:
        return Listed(row, None, None)
    if not gains_have_ratios(study):
        return Listed(row, of_grade, abs(gain - of_grade))
    return Listed(row, of_grade, max(gain / of_grade, of_grade / gain))


def first_sort(rows: Sequence[Listed]) -> str:
    """Return the column that sorts the list if the address names no column.

    This is "-disagreement" (the largest first) if a judged document has a known grade, else "document".
    """
    return "-disagreement" if any(row.disagreement is not None for row in rows) else "document"


def order_of(request: HttpRequest, study: Study, topic: Topic, rows: Sequence[Listed]) -> Sorting:
    """Return the order that the address requests for the list."""
    names = [column.name for column in document_columns(request, study, topic)]
    return sorting_of(request, *names, default=first_sort(rows))


def neighbours_of(
    request: HttpRequest, study: Study, topic: Topic, name: str, rows: Sequence[Listed], order: Sorting
) -> Neighbours | None:
    """Return the neighbours of the document `name` in the list, or None if this document is not in the list.

    The list contains `rows`, which are the documents that match the filter.
    """
    by = {column.name: column.by or column.cell for column in document_columns(request, study, topic)}
    names = [listed.row["document"] for listed in order.rows(rows, by)]
    if name not in names:
        return None
    place = names.index(name)

    def address(position: int) -> str:
        if not 0 <= position < len(names):
            return ""
        return document_address(request, study, topic, names[position])

    return Neighbours(address(place - 1), address(place + 1), place + 1, len(names))


def document_address(request: HttpRequest, study: Study, topic: Topic, name: str) -> str:
    """Return the address of the page of a document, with the order and the filter of the list."""
    query = {"topic": topic.number, "id": name, **_carried(request)}
    return f"{reverse('console:document', args=[study.slug])}?{urlencode(query)}"


def list_address(request: HttpRequest, study: Study, topic: Topic) -> str:
    """Return the address of the list, with the order and the filter from the address of the request."""
    query = {"topic": topic.number, **_carried(request)}
    return f"{reverse('console:documents', args=[study.slug])}?{urlencode(query)}"


def _carried(request: HttpRequest) -> dict[str, str]:
    return {name: value for name in _CARRIED if (value := request.GET.get(name))}


def shown_disagreement(study: Study, value: float | None) -> SafeString | str:
    """Return a disagreement as pages show it, such as `3.2 ×`.

    The exact number is in the attribute `value` of the HTML element.
    """
    if value is None or not gains_have_ratios(study):
        return exact(value)
    return format_html(
        '<data value="{}">{} ×</data>', repr(value), f"{value:#.2g}" if value < 10 else f"{value:.0f}"
    )


def disagreement_note(study: Study) -> str:
    """Return a sentence that explains the column of disagreements."""
    return _(scale_of(study).words.disagreement)


def _width_of(listed: Listed) -> float | None:
    """Return the width of the interval of a document's median."""
    low, high = listed.row["low"], listed.row["high"]
    return None if low is None or high is None else high - low


def _grade(name: Literal["grade", "anchor"]) -> Callable[[Listed], float | None]:
    def gain(listed: Listed) -> float | None:
        letter = listed.row[name] if name == "grade" else gold(listed.row[name])
        return gain_of(letter) if letter else None

    return gain


def document_columns(request: HttpRequest, study: Study, topic: Topic) -> list[Column[Listed]]:
    """Return the columns of the list."""

    def document(listed: Listed) -> SafeString:
        name = listed.row["document"]
        return link(document_address(request, study, topic, name), name)

    def number(
        name: Literal["gain", "low", "high", "spread", "least", "most"], heading: "StrOrPromise"
    ) -> Column[Listed]:
        return Column(
            f"-{name}", heading, lambda listed: exact(listed.row[name]), by=lambda listed: listed.row[name]
        )

    of_own_numbers = (
        number("spread", _("Spread")),
        number("least", _("Smallest")),
        number("most", _("Largest")),
    )
    return [
        Column("document", _("Document"), document, by=lambda listed: listed.row["document"]),
        Column(
            "-grade",
            _("Known grade"),
            lambda listed: exact(listed.row["grade"]),
            by=_grade("grade"),
            css="text",
        ),
        Column(
            "-anchor",
            _("Anchor"),
            lambda listed: exact(listed.row["anchor"]),
            by=_grade("anchor"),
            css="text",
        ),
        Column("-judgments", _("Judgments"), lambda listed: listed.row["judgments"]),
        Column(
            "-disagreement",
            _("Disagreement"),
            lambda listed: shown_disagreement(study, listed.disagreement),
            by=attrgetter("disagreement"),
        ),
        number("gain", _(scale_of(study).words.gain)),
        number("low", _("Interval from")),
        number("high", _("Interval to")),
        Column("-width", _("Width"), lambda listed: exact(_width_of(listed)), by=_width_of),
        *(() if compares_pairs(study) else of_own_numbers),
    ]
