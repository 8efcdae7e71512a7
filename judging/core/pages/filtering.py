"""Forms that filter a list. Their fields are parameters of the page's address."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django import forms
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from judging.core.pages.paging import KEY
from judging.core.pages.text_fields import UncutField

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WORTH_NARROWING = 10
M = TypeVar("M", bound=Model)
Choices = Sequence[tuple[str, "StrOrPromise"]]


class DayField(forms.DateField):
    """A field in which people enter a day, such as 2026-03-31.

    The field's value is this day at the time `moment`, in UTC.
    """

    widget = forms.DateInput(attrs={"type": "date", "placeholder": "2026-03-31"}, format="%Y-%m-%d")

    def __init__(self, label: "StrOrPromise", moment: time) -> None:
        wrong = format_lazy(
            _("The date in “{label}” is not valid. Enter a date such as 2026-03-31."), label=label
        )
        super().__init__(
            label=label, required=False, input_formats=["%Y-%m-%d"], error_messages={"invalid": wrong}
        )
        self.moment = moment

    def clean(self, value: object) -> datetime | None:
        day: date | None = super().clean(value)
        return None if day is None else datetime.combine(day, self.moment, UTC)


class TextField(UncutField):
    """A text field for part of a name."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def __init__(self, label: "StrOrPromise") -> None:
        super().__init__(label=label, required=False, max_length=200)


class ChosenField(forms.ChoiceField):
    """A field with choices to filter by, and an additional choice that does not filter.

    `anything` is the label of the additional choice. `wrong` is the error message for a value that is not a
    choice.
    """

    def __init__(
        self,
        label: "StrOrPromise",
        choices: Choices | Callable[[], Choices],
        *,
        anything: "StrOrPromise" = _("any"),  # noqa: B008 - lazy, so translated when shown
        wrong: "StrOrPromise" = "",
    ) -> None:
        wrong = wrong or format_lazy(
            _("“%(value)s” is not a choice for “{label}”. Choose one from the list."), label=label
        )
        super().__init__(
            label=label,
            required=False,
            error_messages={"invalid_choice": wrong},
        )
        self._anything = anything
        self.offer(choices)

    def offer(self, choices: Choices | Callable[[], Choices]) -> None:
        """Offer these choices, listed after the additional choice that does not filter."""
        self.choices = lambda: [("", self._anything), *(choices() if callable(choices) else choices)]


class FilterForm(forms.Form):
    """A form that filters a list. Fields are not required, and an empty field does not filter.

    `narrows` maps each field to a lookup such as `title__icontains`, or to a function that returns a
    condition for the field's value. A form can have the fields `first` and `last`, which are the first and
    last days to include. If the form is invalid, the page shows no rows. The page leaves out the form for
    lists of at most `worth_narrowing` rows, unless the form already filters the list.
    """

    worth_narrowing = WORTH_NARROWING
    narrows: ClassVar[Mapping[str, str | Callable[[Any], Q]]] = {}

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request.GET, auto_id="%s", label_suffix="")
        self.query = request.GET

    def clean(self) -> None:
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and first > last:
            self.add_error("last", gettext("The last day is before the first day. Swap the two days."))

    def filter(self, rows: QuerySet[M]) -> QuerySet[M]:
        """Return the rows that match the form.

        If the form is invalid, do not filter the rows, because the page does not show them in that case.
        """
        answers = self.cleaned_data if self.is_valid() else {}
        for name, value in answers.items():
            if value:
                condition = self.narrows[name]
                rows = rows.filter(
                    Q(**{condition: value}) if isinstance(condition, str) else condition(value)
                )
        return rows

    @property
    def narrowed(self) -> bool:
        """Whether the form currently filters the list, or is invalid."""
        return bool(self.errors or any(self.cleaned_data.values()))

    @property
    def other_parameters(self) -> list[tuple[str, str]]:
        """The URL parameters that stay when the filter changes. The page number does not stay."""
        left_out = {*self.fields, KEY}
        return [
            (name, value) for name in self.query if name not in left_out for value in self.query.getlist(name)
        ]

    @property
    def everything(self) -> str:
        """The address of the list without a filter."""
        query = QueryDict(mutable=True)
        for name, value in self.other_parameters:
            query.appendlist(name, value)
        return f"?{query.urlencode()}"

    def is_worth(self, count: int) -> bool:
        """Return whether the page should show the form for a list of `count` rows."""
        return self.narrowed or count > self.worth_narrowing

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        return 400 if self.errors else 200
