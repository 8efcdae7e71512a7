"""The audit log of a study, and of the whole site: narrowed by a form whose answers stand in the address."""

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.pages.filtering import DayField, FilterForm
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.tables import Column, Table, moment
from judging.models import Study
from judging.people.selectors.audit_list import AuditFilter, AuditRow, actors_and_verbs, matching, rows_of


class AuditForm(FilterForm):
    """What is looked for, among those who did something and what was done."""

    worth_narrowing = 0

    actor = forms.ChoiceField(
        label="Who",
        required=False,
        error_messages={"invalid_choice": "“%(value)s” did nothing here: choose one of the list."},
    )
    verb = forms.ChoiceField(
        label="What",
        required=False,
        error_messages={"invalid_choice": "“%(value)s” was never done here: choose one of the list."},
    )
    first = DayField("From (UTC)")
    last = DayField("To (UTC)")

    def __init__(self, study: Study | None, request: HttpRequest) -> None:
        super().__init__(request)
        actors, verbs = actors_and_verbs(study)
        self._offer("actor", [("", "anybody"), *((name, name) for name in actors)])
        self._offer("verb", [("", "anything"), *((verb, verb.replace("_", " ")) for verb in verbs)])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def wanted(self) -> AuditFilter:
        """What the form asks for; nothing if it is at fault."""
        if not self.is_valid():
            return AuditFilter()
        given = self.cleaned_data
        return AuditFilter(given["actor"], given["verb"], given["first"], given["last"])


@require_safe
@console_page
def study_audit(request: HttpRequest, slug: str) -> HttpResponseBase:
    return _show(request, find_study(request, slug))


@require_safe
@console_page
def site_audit(request: HttpRequest) -> HttpResponseBase:
    if not access.may_administer(request.user):
        return refuse(request, "Only admins of the site may see the audit log of all studies.")
    return _show(request, None)


def _show(request: HttpRequest, study: Study | None) -> HttpResponseBase:
    form = AuditForm(study, request)
    table = Table(
        request,
        _columns(study),
        heading="found",
        of="the audit log",
        sort="-at",
        form=form,
        css="log",
        note="Times in UTC. Entries are only ever added: nobody can change or delete one",
    )
    found = matching(study, form.wanted, sort=table.sorting.key, descending=table.sorting.descending)
    shown = table.read(found.count, lambda order, places: rows_of(found, places.start, places.stop))
    context = {"study": study, "entries": shown, "form": form}
    return render(request, "people/audit.html", context, status=shown.status)


def _columns(study: Study | None) -> list[Column[AuditRow]]:
    of_study: list[Column[AuditRow]] = [Column("study", "Study", lambda entry: entry.study)]
    return [
        Column("-at", "When", lambda entry: moment(entry.at, "%Y-%m-%d %H:%M:%S")),
        Column("actor", "Who", lambda entry: entry.actor),
        Column("verb", "What", lambda entry: entry.words),
        *([] if study else of_study),
        Column("", "Details", _details),
    ]


def _details(entry: AuditRow) -> SafeString:
    changes = (
        render_to_string("people/_audit_changes.html", {"changes": entry.changes}) if entry.changes else ""
    )
    return format_html("{}{}", entry.details, changes)
