"""Pages of the audit log: one for each study, and one for the whole site. The address contains the filter."""

from datetime import time

from django import forms
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, NullIf
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.pages.filtering import ChosenField, DayField, FilterForm
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.page_table import Column, Table, moment
from judging.models import AuditEntry, Study
from judging.people.selectors.audit_list import (
    COMMAND_LINE,
    actors_and_verbs,
    changes_of,
    entries_of,
    facts_of,
)
from judging.people.selectors.verbs import label_of


class AuditForm(FilterForm):
    """Filters the audit log by person, action and day."""

    worth_narrowing = 0

    actor = ChosenField(
        gettext_lazy("Person"),
        [],
        wrong=gettext_lazy("“%(value)s” is not in this log. Choose a person from the list."),
    )
    verb = ChosenField(
        gettext_lazy("Action"),
        [],
        wrong=gettext_lazy("“%(value)s” is not in this log. Choose an action from the list."),
    )
    first = DayField(gettext_lazy("From (UTC)"), time.min)
    last = DayField(gettext_lazy("To (UTC)"), time.max)
    narrows = {
        "actor": lambda name: Q(actor_name="" if name == COMMAND_LINE else name),
        "verb": "verb",
        "first": "at__gte",
        "last": "at__lte",
    }

    def __init__(self, study: Study | None, request: HttpRequest) -> None:
        super().__init__(request)
        actors, verbs = actors_and_verbs(study)
        self._offer("actor", [("", _("anyone")), *((name, _shown_actor(name)) for name in actors)])
        self._offer("verb", [("", _("any")), *((verb, gettext(label_of(verb))) for verb in verbs)])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


@require_safe
@console_page
def study_audit(request: HttpRequest, slug: str) -> HttpResponseBase:
    return _show(request, find_study(request, slug))


@require_safe
@console_page
def site_audit(request: HttpRequest) -> HttpResponseBase:
    if not access.may_administer(request.user):
        return refuse(request, _("Only admins of the site can see the audit log of all studies."))
    return _show(request, None)


def _show(request: HttpRequest, study: Study | None) -> HttpResponseBase:
    form = AuditForm(study, request)
    table = Table(
        request,
        _columns(study),
        heading="found",
        of=_("the audit log"),
        sort="-at",
        form=form,
        css="log",
        note=_("Times are in UTC. Nobody can change or delete an entry."),
    ).stored(form.filter(entries_of(study)), list, ties=["-pk"])
    context = {"study": study, "entries": table, "form": form}
    return render(request, "people/audit.html", context, status=table.status)


def _columns(study: Study | None) -> list[Column[AuditEntry]]:
    of_study: list[Column[AuditEntry]] = [
        Column("study", _("Study"), lambda entry: entry.study_slug, order=[NullIf("study_slug", Value(""))])
    ]
    return [
        Column("-at", _("Time"), lambda entry: moment(entry.at, "%Y-%m-%d %H:%M:%S"), order=["pk"]),
        Column(
            "actor",
            _("Person"),
            lambda entry: _shown_actor(entry.actor_name or COMMAND_LINE),
            order=[Coalesce(NullIf("actor_name", Value("")), Value(COMMAND_LINE))],
        ),
        Column("verb", _("Action"), _verb, order=["verb"]),
        *([] if study else of_study),
        Column("", _("Details"), _details),
    ]


def _shown_actor(name: str) -> str:
    return gettext(COMMAND_LINE) if name == COMMAND_LINE else name


def _verb(entry: AuditEntry) -> SafeString:
    label = gettext(label_of(entry.verb))
    return format_html('<span data-verb="{}">{}</span>', entry.verb, label)


def _details(entry: AuditEntry) -> SafeString:
    changes = changes_of(entry.detail)
    changes_html = render_to_string("people/_audit_changes.html", {"changes": changes}) if changes else ""
    return format_html("{}{}", facts_of(entry.detail), changes_html)
