"""A page needs as many queries for a large study as for a small one."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from judging.models import Study
from tests.factories import answer_wrongly, judge_unit, later, make_study, make_worker

SESSION_AND_USER = 2


def fill(study: Study, *, workers: int) -> None:
    for _ in range(workers):
        worker = make_worker(study)
        for unit in range(study.topics.count()):
            judge_unit(worker, now=later(minutes=30 * unit))
        answer_wrongly(make_worker(study, upto="question"))


@pytest.fixture(params=["small", "large"])
def studies(request: pytest.FixtureRequest, db: None) -> None:
    if request.param == "small":
        make_study(slug="first", topics=1, opened=False)
    else:
        fill(make_study(slug="first", topics=3, judgments_per_document=3), workers=2)
        for number in range(3):
            make_study(slug=f"other-{number}")


def test_the_list(console: Client, studies: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(SESSION_AND_USER + 4):  # their number, studies, units, judgments
        console.get("/console/")


def test_what_opening_means(
    console: Client, studies: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Study.objects.filter(slug="first").update(state="open")
    # the study, members, the clock, units, judgments, the frame
    with django_assert_num_queries(SESSION_AND_USER + 6):
        console.get("/console/studies/first/state/pause/")


def test_a_page_in_the_frame(
    console: Client, studies: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # the study, members, whether it has a set-up if it is a draft, the clock, the units of the frame
    drafts = Study.objects.filter(slug="first", state="draft").count()
    with django_assert_num_queries(SESSION_AND_USER + 4 + drafts):
        console.get("/console/studies/first/set-up/")
