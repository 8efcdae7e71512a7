"""The audit log of a study, and of the whole site: narrowed by a form whose answers stand in the address."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.models import Study
from judging.pages.console.filtering import DayField, FilterForm
from judging.pages.console.guard import console_page, find_study, refuse
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.selectors.audit_list import AuditFilter, actors_and_verbs, matching, rows_of


class AuditForm(FilterForm):
    """What is looked for, among those who did something and what was done."""

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
        self.fields["actor"].choices = [("", "anybody"), *((name, name) for name in actors)]
        self.fields["verb"].choices = [("", "anything"), *((verb, verb.replace("_", " ")) for verb in verbs)]

    @property
    def wanted(self) -> AuditFilter:
        """What a valid form asks for."""
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
    context: dict[str, Any] = {"study": study, "form": form}
    if not form.is_valid():
        return render(request, "console/audit.html", context, status=form.status)
    columns = ("-at", "actor", "verb", *(() if study else ("study",)))
    sorting = sorting_of(request, *columns, default="-at")
    found = matching(study, form.wanted, sort=sorting.key, descending=sorting.descending)
    page = page_of(request, found.count())
    context |= {
        "page": page,
        "sorting": sorting,
        "entries": rows_of(found, page.places.start, page.places.stop),
    }
    return render(request, "console/audit.html", context, status=max(page.status, sorting.status))
