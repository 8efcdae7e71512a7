"""The lists of a study: topics, judgments, gains, units and events.

Each list has the same columns as the export of the same table.
"""

from abc import ABC, abstractmethod
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django_filters.rest_framework import DjangoFilterBackend, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api import filters
from judging.api.base_views import ApiView, StudyView
from judging.api.columns import serializer_of
from judging.api.paging import KeyPages
from judging.api.serializers import Described
from judging.core.formats import export_table
from judging.core.formats.texts import json_rows
from judging.core.published.events import EVENTS
from judging.core.published.gains import GAINS
from judging.core.published.judgments import JUDGMENTS
from judging.core.published.table import AnyPublished
from judging.core.published.units import UNITS
from judging.core.selectors.judgments import accepted_judgments
from judging.core.selectors.kinds import attempts_of, events_of
from judging.models import Assignment, Event, Judgment, PoolDocument, Study, Topic
from judging.protocol.scales import compares_pairs
from judging.understanding.selectors.topic_rows import TOPICS


class PagedView(ApiView, ListModelMixin, GenericAPIView[Any]):
    """The base class of lists that are split into pages.

    `keys` are the columns that the rows are sorted by. The last one is the primary key.
    """

    keys: tuple[str, ...] = ("pk",)
    pagination_class = KeyPages
    filter_backends = (DjangoFilterBackend,)
    filterset_class: type[FilterSet] | None = None

    def known_parameters(self) -> list[str]:
        filters = self.filterset_class.base_filters if self.filterset_class else ()
        return [*filters, *KeyPages.parameters]

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)

    def page(self, rows: QuerySet[Model]) -> list[int]:
        """Return the primary keys of the rows on the requested page."""
        assert isinstance(self.paginator, KeyPages)
        keys = self.paginator.paginate_queryset(self.filter_queryset(rows), self.request, view=self)
        return [key[-1] for key in keys]


class StudyList(PagedView, StudyView, ABC):
    """The base class of lists that show a published table of a study."""

    table: AnyPublished

    @abstractmethod
    def all_rows(self, study: Study) -> QuerySet[Model]:
        """Return all rows of the study, before filtering."""

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        study = self.study()
        assert self.table.chosen is not None  # true for every table of the API
        rows = self.table.chosen(study, self.page(self.all_rows(study)))
        return self.get_paginated_response([*json_rows(export_table.of(self.table, study, rows))])

    def get_serializer_class(self) -> type[Described]:
        return serializer_of(self.table)


@extend_schema(tags=["topics"], summary="Topics in the order of their import")
class Topics(StudyList):
    """List the topics, each with its anchors and its numbers of documents and units."""

    queryset = Topic.objects.none()
    table = TOPICS
    filterset_class = filters.TopicFilters

    def all_rows(self, study: Study) -> QuerySet[Model]:
        return Topic.objects.filter(study=study)


@extend_schema(tags=["judgments"], summary="Judgments of completed units, by topic and attempt")
class Judgments(StudyList):
    """List the judgments. Normalised scores do not depend on the page or the filters."""

    queryset = Judgment.objects.none()
    table = JUDGMENTS
    filterset_class = filters.JudgmentFilters
    keys = ("assignment__topic_id", "assignment_id", "pk")

    def all_rows(self, study: Study) -> QuerySet[Model]:
        # With this condition, the database can read the rows of a page in order from an index.
        topics = Topic.objects.filter(study=study).order_by()
        return accepted_judgments(study, with_excluded=True).filter(assignment__topic__in=topics)


@extend_schema(tags=["gains"], summary="Gains of judged documents, by topic")
class Gains(StudyList):
    """List the gain of each document that has judgments."""

    queryset = PoolDocument.objects.none()
    table = GAINS
    filterset_class = filters.GainFilters
    keys = ("topic_id", "pk")

    def all_rows(self, study: Study) -> QuerySet[Model]:
        # The document implies the topic, but the database needs the topic to use its index.
        topic = OuterRef("topic")
        judgments = accepted_judgments(study).filter(assignment__topic=topic)
        judged = Exists(judgments.filter(pool_document=OuterRef("pk")))
        second = Exists(judgments.filter(compared_with=OuterRef("pk")))
        condition = Q(judged) | Q(second) if compares_pairs(study) else Q(judged)
        return PoolDocument.objects.filter(condition, topic__study=study)


@extend_schema(tags=["units"], summary="Attempts at units, by topic")
class Units(StudyList):
    """List all attempts at units, with their states, times and failed checks."""

    queryset = Assignment.objects.none()
    table = UNITS
    filterset_class = filters.UnitFilters
    keys = ("topic_id", "pk")

    def all_rows(self, study: Study) -> QuerySet[Model]:
        return attempts_of(study)


@extend_schema(tags=["events"], summary="Failed checks and other incidents, the oldest first")
class Events(StudyList):
    """List the events of the study."""

    queryset = Event.objects.none()
    table = EVENTS
    filterset_class = filters.EventFilters

    def all_rows(self, study: Study) -> QuerySet[Model]:
        return events_of(study)
