"""The lists below a study: topics, judgments, gains, units, events; in the columns of the exports."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django_filters.rest_framework import DjangoFilterBackend, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api import filters, serializers
from judging.api.base import ApiView, StudyView
from judging.api.paging import KeyPages
from judging.exports import parts, tables
from judging.exports.formats import json_rows
from judging.exports.tables import Table
from judging.models import Assignment, Event, Judgment, PoolDocument, Study, Topic
from judging.selectors.judgments import accepted_judgments
from judging.selectors.topic_rows import TopicRow, topic_rows


class PagedView(ApiView, ListModelMixin, GenericAPIView):
    """A list in pages: rows are chosen by `keys`, the last of which is the primary key; then read whole."""

    keys: tuple[str, ...] = ("pk",)
    pagination_class = KeyPages
    filter_backends = (DjangoFilterBackend,)
    filterset_class: type[FilterSet] | None = None

    def known_parameters(self) -> list[str]:
        narrowing = self.filterset_class.base_filters if self.filterset_class else ()
        return [*narrowing, *KeyPages.parameters]

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)

    def page(self, found: QuerySet) -> list[int]:
        """The primary keys of the rows of the page asked for."""
        return [key[-1] for key in self.paginate_queryset(self.filter_queryset(found))]


class StudyList(PagedView, StudyView, ABC):
    """A list below a study, of which the rows come from a table with the columns of an export."""

    @abstractmethod
    def found(self, study: Study) -> QuerySet:
        """All rows of the study, to be narrowed by filters."""

    @abstractmethod
    def table(self, study: Study, chosen: Sequence[int]) -> Table:
        """The rows with these primary keys."""

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        study = self.study()
        table = self.table(study, self.page(self.found(study)))
        return self.get_paginated_response([*json_rows(table)])


@extend_schema(tags=["topics"], summary="Topics, in the order in which they were imported")
class Topics(StudyList):
    queryset = Topic.objects.none()
    serializer_class = serializers.TopicSerializer
    filterset_class = filters.TopicFilters

    def found(self, study: Study) -> QuerySet:
        return Topic.objects.filter(study=study)

    def table(self, study: Study, chosen: Sequence[int]) -> Table:
        return tables.of(TopicRow, topic_rows(chosen))


@extend_schema(tags=["judgments"], summary="Judgments of completed units, by topic and attempt")
class Judgments(StudyList):
    """Normalised within the whole topic, whatever the page or the filter shows of it."""

    queryset = Judgment.objects.none()
    serializer_class = serializers.JudgmentSerializer
    filterset_class = filters.JudgmentFilters
    keys = ("assignment__topic_id", "assignment_id", "pk")

    def found(self, study: Study) -> QuerySet:
        # By a list of the topics: the index of ended attempts then has these in the order of the pages.
        topics = Topic.objects.filter(study=study).order_by()
        return accepted_judgments(with_excluded=True).filter(assignment__topic__in=topics)

    def table(self, study: Study, chosen: Sequence[int]) -> Table:
        return parts.judgments(study, chosen)


@extend_schema(tags=["gains"], summary="Gains of the judged documents, by topic")
class Gains(StudyList):
    queryset = PoolDocument.objects.none()
    serializer_class = serializers.GainSerializer
    filterset_class = filters.GainFilters
    keys = ("topic_id", "pk")

    def found(self, study: Study) -> QuerySet:
        # Named though the document implies it: by its index of topics the database finds these at once.
        topic = OuterRef("topic")
        judged = accepted_judgments().filter(pool_document=OuterRef("pk"), assignment__topic=topic)
        return PoolDocument.objects.filter(Exists(judged), topic__study=study)

    def table(self, study: Study, chosen: Sequence[int]) -> Table:
        return parts.gains(study, chosen)


@extend_schema(tags=["units"], summary="Attempts at units, by topic")
class Units(StudyList):
    queryset = Assignment.objects.none()
    serializer_class = serializers.UnitSerializer
    filterset_class = filters.UnitFilters
    keys = ("topic_id", "pk")

    def found(self, study: Study) -> QuerySet:
        return Assignment.objects.filter(topic__study=study)

    def table(self, study: Study, chosen: Sequence[int]) -> Table:
        return parts.units(chosen)


@extend_schema(tags=["events"], summary="What went wrong, the oldest first")
class Events(StudyList):
    queryset = Event.objects.none()
    serializer_class = serializers.EventSerializer
    filterset_class = filters.EventFilters

    def found(self, study: Study) -> QuerySet:
        return Event.objects.filter(study=study)

    def table(self, study: Study, chosen: Sequence[int]) -> Table:
        return parts.events_of(chosen)
