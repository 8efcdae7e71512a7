"""Filters for the lists that the API returns. Most filters are named after the column that they filter by."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import extend_schema_field

from judging.models import Assignment, Event, Judgment, PoolDocument, Topic
from judging.models.fields import choices
from judging.protocol.checks import CHECKS
from judging.protocol.states import AssignmentState
from judging.protocol.unit_ids import read_unit_id

CHECK_LETTERS: Final = [(letter, letter) for letter in CHECKS]
EXCLUDED: Final = [(name, name) for name in ("false", "true", "any")]


# At most nine digits, because no unit has a larger number.
@extend_schema_field({"type": "string", "pattern": r"^[^\x00]+-(0(?!000)[0-9]{3}|[1-9][0-9]{3,8})$"})
class UnitFilter(django_filters.CharFilter):
    """Filters by a unit's id, such as `401-0007`. `field_name` is the path to the unit."""

    def filter(self, qs: QuerySet[Model], value: str) -> QuerySet[Model]:
        if not value:
            return qs
        name = read_unit_id(value)
        if name is None:
            raise ValidationError({"unit": ["This is not the id of a unit. Use an id such as 401-0007."]})
        unit = self.field_name
        return qs.filter(**{f"{unit}__topic__number": name.topic, f"{unit}__number": name.number})


class TopicFilters(FilterSet):
    number = django_filters.CharFilter(help_text="The topic's number.")

    class Meta:
        model = Topic
        fields: list[str] = []


class JudgmentFilters(FilterSet):
    topic = django_filters.CharFilter(field_name="assignment__topic__number", help_text="A topic's number.")
    unit = UnitFilter(field_name="assignment__unit", help_text="A unit's id, such as `401-0007`.")
    worker = django_filters.CharFilter(
        field_name="assignment__participation__pseudonym", help_text="A worker's pseudonym."
    )
    document = django_filters.CharFilter(
        method="by_document",
        help_text="A document's id, also that of the second document of a comparison.",
    )
    excluded = django_filters.ChoiceFilter(
        choices=EXCLUDED,
        method="by_exclusion",
        help_text="Whether the unit is excluded: `false` (the default) leaves excluded units out, "
        "`true` returns only them, and `any` returns all units.",
    )

    class Meta:
        model = Judgment
        fields: list[str] = []

    def by_document(self, rows: QuerySet[Model], name: str, value: str) -> QuerySet[Model]:
        documents = PoolDocument.objects.filter(document__document_id=value).order_by().values("pk")
        return rows.filter(Q(pool_document__in=documents) | Q(compared_with__in=documents))

    def by_exclusion(self, rows: QuerySet[Model], name: str, value: str) -> QuerySet[Model]:
        condition = Q() if value == "any" else Q(assignment__unit__excluded_at__isnull=value == "false")
        return rows.filter(condition)

    def filter_queryset(self, queryset: QuerySet[Model]) -> QuerySet[Model]:
        self.form.cleaned_data["excluded"] = self.form.cleaned_data["excluded"] or "false"
        filtered: QuerySet[Model] = super().filter_queryset(queryset)
        return filtered


class GainFilters(FilterSet):
    topic = django_filters.CharFilter(field_name="topic__number", help_text="A topic's number.")
    document = django_filters.CharFilter(field_name="document__document_id", help_text="A document's id.")

    class Meta:
        model = PoolDocument
        fields: list[str] = []


class UnitFilters(FilterSet):
    topic = django_filters.CharFilter(field_name="topic__number", help_text="A topic's number.")
    state = django_filters.ChoiceFilter(choices=choices(AssignmentState), help_text="The attempt's state.")

    class Meta:
        model = Assignment
        fields: list[str] = []


class EventFilters(FilterSet):
    check = django_filters.ChoiceFilter(
        field_name="check_name", choices=CHECK_LETTERS, help_text="The letter of a check."
    )
    topic = django_filters.CharFilter(field_name="topic__number", help_text="A topic's number.")
    worker = django_filters.CharFilter(
        field_name="participation__pseudonym", help_text="A worker's pseudonym."
    )
    day = django_filters.DateFilter(
        method="on_day", input_formats=["%Y-%m-%d"], help_text="A day in UTC, such as `2026-03-02`."
    )

    class Meta:
        model = Event
        fields: list[str] = []

    def on_day(self, rows: QuerySet[Model], name: str, value: date) -> QuerySet[Model]:
        start = datetime.combine(value, time.min, UTC)
        bounds: dict[str, datetime] = {"at__gte": start}
        if value < date.max:
            bounds["at__lt"] = start + timedelta(days=1)
        return rows.filter(**bounds)
