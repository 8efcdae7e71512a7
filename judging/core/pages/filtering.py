"""What narrows a list: a form whose answers stand in the address, beside whatever else stands there."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, ClassVar, TypeVar

from django import forms
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, QueryDict

from judging.core.pages.paging import KEY

WORTH_NARROWING = 10
M = TypeVar("M", bound=Model)
Choices = Sequence[tuple[str, str]]


class DayField(forms.DateField):
    """A day as 2026-03-31, which is what a date field sends; its value is a moment of that day in UTC."""

    widget = forms.DateInput(attrs={"type": "date", "placeholder": "2026-03-31"}, format="%Y-%m-%d")

    def __init__(self, label: str, moment: time) -> None:
        wrong = f"“{label}” is no day: write it as 2026-03-31."
        super().__init__(
            label=label, required=False, input_formats=["%Y-%m-%d"], error_messages={"invalid": wrong}
        )
        self.moment = moment

    def clean(self, value: object) -> datetime | None:
        day: date | None = super().clean(value)
        return None if day is None else datetime.combine(day, self.moment, UTC)


class TextField(forms.CharField):
    """A part of a name, of either case."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def __init__(self, label: str) -> None:
        super().__init__(label=label, required=False, max_length=200)


class ChosenField(forms.ChoiceField):
    """One of several, or `anything`; `wrong` is said of anything else."""

    def __init__(
        self, label: str, choices: Choices | Callable[[], Choices], *, anything: str = "any", wrong: str = ""
    ) -> None:
        wrong = wrong or f"“{label}” cannot be “%(value)s”: choose one of the list."
        super().__init__(
            label=label,
            required=False,
            choices=lambda: [("", anything), *(choices() if callable(choices) else choices)],
            error_messages={"invalid_choice": wrong},
        )


class FilterForm(forms.Form):
    """Fields are not required: what is left empty does not narrow.

    `narrows` says for each field which column or look-up its value is compared with, or how a condition is
    made of it. A form may have `first` and `last`, whole days. Where it is at fault, the list is not shown. A
    list of more than `worth_narrowing` rows has its form.
    """

    worth_narrowing = WORTH_NARROWING
    narrows: ClassVar[Mapping[str, str | Callable[[Any], Q]]] = {}

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request.GET, auto_id="%s", label_suffix="")
        self.asked = request.GET

    def clean(self) -> None:
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and first > last:
            self.add_error("last", "The last day comes before the first: exchange them.")

    def filter(self, rows: QuerySet[M]) -> QuerySet[M]:
        """Return those of the rows that the form asks for; all of them if it is at fault."""
        asked = self.cleaned_data if self.is_valid() else {}
        for name, value in asked.items():
            if value:
                by = self.narrows[name]
                rows = rows.filter(Q(**{by: value}) if isinstance(by, str) else by(value))
        return rows

    @property
    def narrowed(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.errors or any(self.cleaned_data.values()))

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What else the address asks for, as the sorting: it stays. Pages begin again at the first."""
        left_out = {*self.fields, KEY}
        return [
            (name, value) for name in self.asked if name not in left_out for value in self.asked.getlist(name)
        ]

    @property
    def everything(self) -> str:
        """The address of the whole list."""
        query = QueryDict(mutable=True)
        for name, value in self.kept:
            query.appendlist(name, value)
        return f"?{query.urlencode()}"

    def is_worth(self, count: int) -> bool:
        """Whether a list of so many rows is shown with the form."""
        return self.narrowed or count > self.worth_narrowing

    @property
    def status(self) -> int:
        """The HTTP status to answer with."""
        return 400 if self.errors else 200
