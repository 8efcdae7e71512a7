"""The forms on a document's page in which researchers give their verdicts on its disagreements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from judging.core import access
from judging.core.clock import now
from judging.core.services.errors import RefusedError
from judging.models import DisagreementVerdict, GradeSet, PoolDocument, Report, Study
from judging.understanding.selectors.verdicts import verdicts_on
from judging.understanding.services.verdicts import record_verdict


@dataclass(frozen=True)
class Disagreement:
    """A disagreement of a document with one set of known grades, and the verdict on it.

    `nearest` and `difference` are None if the document fits its own grade now. It then has a `verdict` from
    earlier. `typed` holds the values of a form that was refused, or is None.
    """

    grades: GradeSet
    grade: str
    nearest: str | None
    difference: float | None
    verdict: DisagreementVerdict | None
    typed: Mapping[str, str] | None = None

    @property
    def chosen(self) -> str:
        """The verdict to select in the form."""
        if self.typed is not None:
            return self.typed.get("verdict", "")
        return self.verdict.verdict if self.verdict else ""

    @property
    def note(self) -> str:
        """The note to show in the form."""
        if self.typed is not None:
            return self.typed.get("note", "")
        return self.verdict.note if self.verdict else ""


def disagreements_on(
    study: Study, pooled: PoolDocument, report: Report | None, typed: Mapping[str, str] | None = None
) -> list[Disagreement]:
    """Return what a document's page shows about disagreements, by set of known grades.

    These are the disagreements in the report of the topic, and those with a verdict. This takes two queries.
    """
    by_document = report.content.get("disagreements", {}) if report else {}
    listed = {entry["grades"]: entry for entry in by_document.get(pooled.document.document_id, ())}
    verdicts = verdicts_on(pooled)
    shown = []
    for grades in study.grade_sets.order_by("place"):
        entry, verdict = listed.get(grades.name, {}), verdicts.get(grades.name)
        if entry or verdict:
            refused = typed if typed and typed.get("grades") == grades.name else None
            numbers = entry.get("grade", ""), entry.get("nearest"), entry.get("difference")
            shown.append(Disagreement(grades, *numbers, verdict, refused))
    return shown


def save_verdict(request: HttpRequest, pooled: PoolDocument, offered: Sequence[Disagreement]) -> bool:
    """Save the verdict in a form, and return whether it was accepted. Add a message that says so, or why not.

    `offered` are the disagreements on which the page takes verdicts.
    """
    by_name = {disagreement.grades.name: disagreement.grades for disagreement in offered}
    grades = by_name.get(request.POST.get("grades", ""))
    try:
        if grades is None:
            raise RefusedError(
                _("Nothing was saved: the document fits its own grade now. Reload the page and try again.")
            )
        changed = record_verdict(
            pooled=pooled,
            grades=grades,
            verdict=request.POST.get("verdict", ""),
            note=request.POST.get("note", ""),
            now=now(),
            actor=access.account_of(request.user),
        )
    except RefusedError as refusal:
        messages.error(request, str(refusal), extra_tags=f"verdict-{grades.pk}" if grades else "")
        return False
    messages.success(request, _("The verdict is saved.") if changed else _("The verdict was not changed."))
    return True
