"""The events of a study, narrowed by a form whose answers stand in the address."""

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.core.pages.filtering import DayField, FilterForm
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.tables import Table
from judging.models import Participation, Study, Topic, check_of_kind, event_kinds
from judging.protocol.checks import CHECKS
from judging.watching.pages.event_table import event_columns
from judging.watching.selectors.event_list import EventFilter, counts_by_kind, matching, rows_of

UNKNOWN = "unknown"


def in_words(kind: str) -> str:
    """A kind of event, for people, with its check where it belongs to one."""
    check = check_of_kind(kind)
    return f"({check}) {kind.replace('_', ' ')}" if check else kind.replace("_", " ")


class EventForm(FilterForm):
    """What is looked for. Topics and workers that the study has not are told with the code `UNKNOWN`."""

    worth_narrowing = 0

    check = forms.ChoiceField(
        required=False,
        choices=lambda: [("", "any or none"), *((one.letter, one.heading) for one in CHECKS.values())],
        error_messages={"invalid_choice": "There is no check %(value)s: choose one of the list."},
    )
    kind = forms.ChoiceField(
        label="What happened",
        required=False,
        choices=lambda: [("", "anything"), *((kind, in_words(kind)) for kind in event_kinds())],
        error_messages={"invalid_choice": "There is no event %(value)s: choose one of the list."},
    )
    topic = forms.CharField(required=False, strip=False, widget=forms.Select)
    worker = forms.CharField(required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    first = DayField("From (UTC)")
    last = DayField("To (UTC)")

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

    @property
    def wanted(self) -> EventFilter:
        """What the form asks for; nothing if it is at fault."""
        if not self.is_valid():
            return EventFilter()
        given = self.cleaned_data
        return EventFilter(
            given["check"], given["kind"], given["topic"], given["worker"], given["first"], given["last"]
        )


@require_safe
@console_page
def events(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    form = EventForm(study, request)
    table = Table(
        request,
        event_columns(study, sorted_by=("-at", "kind", "check", "unit", "worker")),
        heading="found",
        of="events",
        sort="-at",
        form=form,
        css="",
        note="Times in UTC",
    )
    found = matching(study, form.wanted, sort=table.sorting.key, descending=table.sorting.descending)
    counts = counts_by_kind(found)
    shown = table.read(
        lambda: sum(counts.values()), lambda order, places: rows_of(found, places.start, places.stop)
    )
    context = {
        "study": study,
        "events": shown,
        "form": form,
        "counts": [(kind, in_words(kind), counts[kind]) for kind in event_kinds() if kind in counts],
    }
    return render(request, "watching/events.html", context, status=shown.status)
