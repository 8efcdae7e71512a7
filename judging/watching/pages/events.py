"""The list of a study's events, with its filter."""

from datetime import time

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from judging.core.pages.filtering import ChosenField, DayField, FilterForm
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import Table
from judging.core.published.events import label_of
from judging.core.selectors.kinds import events_of
from judging.models import Participation, Study, Topic, event_kinds
from judging.protocol.checks import CHECKS
from judging.watching.pages.cells import event_columns
from judging.watching.selectors.event_list import LATEST_FIRST, counts_by_kind, rows_of

UNKNOWN = "unknown"


class EventForm(FilterForm):
    """Filters the events of a study. If the topic or worker is unknown, the error has the code `UNKNOWN`."""

    worth_narrowing = 0

    check = ChosenField(
        _("Check"),
        lambda: [(check.letter, gettext(check.heading)) for check in CHECKS.values()],
        anything=_("any or none"),
        wrong=_("There is no check “%(value)s”. Choose a check from the list."),
    )
    kind = ChosenField(
        _("Event"),
        lambda: [(kind, label_of(kind)) for kind in event_kinds()],
        anything=_("any"),
        wrong=_("There is no event “%(value)s”. Choose an event from the list."),
    )
    topic = forms.CharField(label=_("Topic"), required=False, strip=False, widget=forms.Select)
    worker = forms.CharField(
        label=_("Worker"), required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    first = DayField(_("From (UTC)"), time.min)
    last = DayField(_("To (UTC)"), time.max)
    narrows = {
        "check": "check_name",
        "kind": "kind",
        "topic": "topic",
        "worker": "participation",
        "first": "at__gte",
        "last": "at__lte",
    }

    def __init__(self, study: Study, request: HttpRequest) -> None:
        super().__init__(request)
        self.study = study
        self.topics = {
            topic.number: topic for topic in study.topics.order_by("place").defer("description", "narrative")
        }
        self.fields["topic"].widget.choices = [
            ("", gettext("any or none")),
            *((number, str(topic)) for number, topic in self.topics.items()),
        ]

    def clean_topic(self) -> Topic | None:
        number = self.cleaned_data["topic"]
        if number and number not in self.topics:
            message = gettext("This study has no topic {topic}. Choose a topic from the list.")
            raise forms.ValidationError(message.format(topic=number), UNKNOWN)
        return self.topics.get(number)

    def clean_worker(self) -> Participation | None:
        pseudonym = self.cleaned_data["worker"]
        if not pseudonym:
            return None
        worker = Participation.objects.filter(study=self.study, pseudonym=pseudonym).first()
        if worker is None:
            message = gettext("This study has no worker {worker}. Check the spelling of the pseudonym.")
            raise forms.ValidationError(message.format(worker=pseudonym), UNKNOWN)
        return worker

    @property
    def status(self) -> int:
        """Return the HTTP status of the response, which is 404 for an unknown topic or worker."""
        is_unknown = any(self.has_error(field, UNKNOWN) for field in ("topic", "worker"))
        return 404 if is_unknown else super().status


@require_safe
@console_page
def events(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    form = EventForm(study, request)
    table = Table(
        request,
        event_columns(study),
        heading="found",
        of=_("events"),
        sort="-at",
        form=form,
        css="",
        note=_("Times are in UTC."),
    )
    matching = form.filter(events_of(study))
    counts = counts_by_kind(matching)
    # Rows that sort equally are listed newest first, unless the list is sorted by time with the oldest first.
    ties = () if table.sorting.key == "at" else LATEST_FIRST
    shown = table.stored(matching, rows_of, ties=ties, count=sum(counts.values()))
    context = {
        "study": study,
        "events": shown,
        "form": form,
        "counts": [(kind, label_of(kind), counts[kind]) for kind in event_kinds() if kind in counts],
    }
    return render(request, "watching/events.html", context, status=shown.status)
