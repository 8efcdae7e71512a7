"""Workers who copy a machine judge of the study are flagged, and honest ones are not."""

from collections.abc import Callable
from math import exp
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judging.core.selectors.following import followers_of_judges
from judging.machine.sittings import judge_all
from judging.models import Judgment, Participation, Study, WorkerFigures
from judging.watching.jobs.worker_statistics import compute_statistics
from tests.factories import judge_unit, later, make_study, make_worker
from tests.machine.conftest import Written, begun, client_of, study_on, teach, worth
from tests.machine.stand_in import StandIn

TOPICS, HONEST = 3, 10
ANCHORS = {"H": "100", "N": "1"}


def name_of(judgment: Judgment) -> str:
    return judgment.pool_document.document.document_id.rpartition("-")[2]


def reads(worker: str) -> Callable[[Judgment], str]:
    """The true value of each document, as a person sees it."""

    def number(judgment: Judgment) -> str:
        document = judgment.pool_document.document
        error = Random(f"{worker} reads {document.document_id}").gauss(0, 0.6)
        return ANCHORS.get(name_of(judgment)) or f"{worth(document.text) * exp(error):.2f}"

    return number


def copies(judgment: Judgment) -> str:
    """What a machine judge has said of the document."""
    said = Judgment.objects.get(
        assignment__participation__kind="machine", pool_document=judgment.pool_document
    )
    error = Random(f"copy of {judgment.pool_document_id}").gauss(0, 0.1)
    return ANCHORS.get(name_of(judgment)) or f"{(said.number or 0) * exp(error):.2f}"


@pytest.fixture
def study(db: None) -> Study:
    study = make_study(topics=TOPICS, judgments_per_document=HONEST + 1)
    for document in study.documents.all():
        document.text += f" It is {document.document_id}."
        document.save()
    return study


def works(study: Study, magnitude: Callable[[Judgment], str]) -> Participation:
    worker = make_worker(study)
    for turn in range(TOPICS):
        judge_unit(worker, magnitude=magnitude, now=later(hours=turn))
    return worker


def sat(study: Study, server: StandIn, written: Written, **changes: object) -> None:
    teach(server, study)
    judge, file = begun(study, written(**changes))
    assert judge_all(judge, file, client_of(server), rng=Random("the judge sits")) == ""


def judges_followed() -> dict[str, list[str]]:
    """Return the judges that the flags name, by the pseudonyms of the flagged workers."""
    return {
        row.participation.pseudonym: judges
        for row in WorkerFigures.objects.select_related("participation")
        if (judges := [flag["values"]["judge"] for flag in row.flags if "judge" in flag["values"]])
    }


def test_who_copies_a_machine_judge_is_flagged(
    study: Study, stand_in: StandIn, written: Written, client: Client
) -> None:
    stand_in.noise = 0.8
    sat(study, stand_in, written)
    for number in range(HONEST):
        works(study, reads(f"person {number}"))
    copying = works(study, copies)
    compute_statistics(study=study, now=later(hours=9))
    assert judges_followed() == {copying.pseudonym: ["gauge"]}
    figures = WorkerFigures.objects.get(participation=copying)
    assert figures.flagged == len(figures.flags)
    (reason,) = (flag["values"] for flag in figures.flags if "judge" in flag["values"])
    assert float(reason["value"]) > 0.8 > float(reason["median"])
    assert reason["workers"] == HONEST + 1

    client.force_login(get_user_model().objects.create_superuser("root"))
    for address in (
        reverse("console:worker", args=[study.slug, copying.pseudonym]),
        reverse("console:worker_statistics", args=[study.slug]),
    ):
        page = client.get(address).content.decode()
        assert "the labels of gauge: the correlation with them, beyond" in page
        assert f"is {reason['value']}" in page


def test_without_machine_judges_nothing_is_read(
    study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    works(study, reads("one person"))
    with django_assert_num_queries(2):
        assert followers_of_judges(study) == {}
    compute_statistics(study=study, now=later(hours=9))
    assert judges_followed() == {}


def test_a_crowd_in_which_nobody_shares_a_document_is_not_compared(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    sat(study, stand_in, written)
    works(study, reads("one person"))
    assert followers_of_judges(study) == {}
    compute_statistics(study=study, now=later(hours=9))
    assert judges_followed() == {}


def test_pairs_are_not_compared(stand_in: StandIn, written: Written) -> None:
    study = study_on("preference")
    sat(study, stand_in, written, prompt="preference")
    assert followers_of_judges(study) == {}
    assert compute_statistics(study=study, now=later(hours=9))["flagged"] == 0
