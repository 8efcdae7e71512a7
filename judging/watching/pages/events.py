"""The events of a study, narrowed by a form whose answers stand in the address."""

from datetime import time

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.core.pages.filtering import ChosenField, DayField, FilterForm
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.tables import Table
from judging.models import Event, Participation, Study, Topic, check_of_kind, event_kinds
from judging.protocol.checks import CHECKS
from judging.watching.pages.cells import event_columns
from judging.watching.selectors.event_list import LATEST_FIRST, counts_by_kind, rows_of

UNKNOWN = "unknown"


def in_words(kind: str) -> str:
    """A kind of event, for people, with its check where it belongs to one."""
    check = check_of_kind(kind)
    return f"({check}) {kind.replace('_', ' ')}" if check else kind.replace("_", " ")


class EventForm(FilterForm):
    """What is looked for. Topics and workers that the study has not are told with the code `UNKNOWN`."""

    worth_narrowing = 0

    check = ChosenField(
        "Check",
        lambda: [(check.letter, check.heading) for check in CHECKS.values()],
        anything="any or none",
        wrong="There is no check %(value)s: choose one of the list.",
    )
    kind = ChosenField(
        "What happened",
        lambda: [(kind, in_words(kind)) for kind in event_kinds()],
        anything="anything",
        wrong="There is no event %(value)s: choose one of the list.",
    )
    topic = forms.CharField(required=False, strip=False, widget=forms.Select)
    worker = forms.CharField(required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    first = DayField("From (UTC)", time.min)
    last = DayField("To (UTC)", time.max)
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
            ("", "any or none"),
            *((number, str(topic)) for number, topic in self.topics.items()),
        ]

    def clean_topic(self) -> Topic | None:
        number = self.cleaned_data["topic"]
        if number and number not in self.topics:
            raise forms.ValidationError(f"There is no topic {number} in this study.", UNKNOWN)
        return self.topics.get(number)

    def clean_worker(self) -> Participation | None:
        pseudonym = self.cleaned_data["worker"]
        found = Participation.objects.filter(study=self.study, pseudonym=pseudonym) if pseudonym else None
        if found is not None and not found:
            raise forms.ValidationError(f"There is no worker {pseudonym} in this study.", UNKNOWN)
        return found[0] if found else None

    @property
    def status(self) -> int:
        """The HTTP status that its faults amount to."""
        unknown = any(self.has_error(field, UNKNOWN) for field in ("topic", "worker"))
        return 404 if unknown else super().status


@require_safe
@console_page
def events(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    form = EventForm(study, request)
    table = Table(
        request,
        event_columns(study),
        heading="found",
        of="events",
        sort="-at",
        form=form,
        css="",
        note="Times in UTC",
    )
    found = form.filter(Event.objects.filter(study=study))
    counts = counts_by_kind(found)
    # The latest first, unless the list is sorted by time the other way round.
    ties = () if table.sorting.key == "at" else LATEST_FIRST
    shown = table.stored(found, rows_of, ties=ties, count=sum(counts.values()))
    context = {
        "study": study,
        "events": shown,
        "form": form,
        "counts": [(kind, in_words(kind), counts[kind]) for kind in event_kinds() if kind in counts],
    }
    return render(request, "watching/events.html", context, status=shown.status)
