"""The form that filters the list of the documents of all topics."""

from typing import TYPE_CHECKING, Final, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.models import Report, Study
from judging.models.fields import choices
from judging.protocol.grades import gain_of
from judging.protocol.verdicts import Verdict
from judging.understanding.reports.stored_table import StoredTable, find_table

if TYPE_CHECKING:
    from judging.core.pages.filtering import Choices

NONE: Final = "none"
"""The choice of documents without a grade, and of disagreements without a verdict."""


class PooledRow(NamedTuple):
    """A row of the report's list: a document of a pool, and how it disagrees with its grade.

    `grade` is "" without a grade. `nearest` is "" and `difference` is None for a document that fits its own
    grade. `gain` is None without judgments.
    """

    topic: str
    document: str
    grade: str
    nearest: str
    difference: float | None
    gain: float | None
    judgments: int


class AllDocumentsForm(FilterForm):
    """Filters the documents of all topics, and chooses the set of known grades to compare them with.

    `report` is the report with the list, or None if there is none yet.
    """

    grades = ChosenField(_("Set of known grades"), [])
    topic = ChosenField(_("Topic"), [])
    document = TextField(_("Document"))
    grade = ChosenField(_("Known grade"), [])
    verdict = ChosenField(_("Verdict"), [*choices(Verdict), (NONE, _("disagreement without a verdict"))])

    def __init__(self, request: HttpRequest, study: Study, report: Report | None) -> None:
        super().__init__(request)
        self._tables: list[StoredTable] = report.content["tables"] if report else []
        names = [table["key"] for table in self._tables]
        if len(names) > 1:
            # The first set is the choice that does not filter.
            self.fields["grades"] = ChosenField(
                _("Set of known grades"), [(name, name) for name in names[1:]], anything=names[0]
            )
        else:
            del self.fields["grades"]
        topics = study.topics.order_by("place").defer("description", "narrative")
        self._offer("topic", [(topic.number, str(topic)) for topic in topics])
        of_sets: dict[str, list[str]] = report.content["levels"] if report else {}
        levels = sorted({level for of_set in of_sets.values() for level in of_set}, key=gain_of)
        self._offer("grade", [*((level, level) for level in levels), (NONE, _("no grade"))])

    def _offer(self, name: str, offered: "Choices") -> None:
        field = self.fields[name]
        assert isinstance(field, ChosenField)
        field.offer(offered)

    @property
    def table(self) -> StoredTable | None:
        """The table of the chosen set of known grades, or None without a report."""
        chosen = self.cleaned_data.get("grades", "") if self.is_valid() else ""
        return find_table(self._tables, chosen) or next(iter(self._tables), None)

    @property
    def leaves_out(self) -> bool:
        """Whether the form leaves out rows of the table. The form must be valid."""
        return any(value for name, value in self.cleaned_data.items() if name != "grades")

    def matches(self, row: PooledRow, verdict: str) -> bool:
        """Return whether a row matches the form. The form must be valid."""
        wanted = self.cleaned_data
        open_question = NONE if row.difference is not None else ""
        return (
            wanted["topic"] in {"", row.topic}
            and wanted["document"].lower() in row.document.lower()
            and wanted["grade"] in {"", row.grade or NONE}
            and wanted["verdict"] in {"", verdict or open_question}
        )
