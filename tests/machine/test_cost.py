"""What machine judges cost for each document, and the plan that starts with it."""

from decimal import Decimal
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from judging.core.selectors.machine import cost_per_document, used_by
from judging.machine.calling import StoppedError
from judging.machine.sittings import judge_all
from judging.models import PoolDocument, Study
from tests.machine.conftest import Written, begun, client_of, teach
from tests.machine.stand_in import StandIn


def test_the_cost_of_a_document_is_that_of_all_finished_judges(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    assert cost_per_document(study) is None
    documents = PoolDocument.objects.filter(topic__study=study, anchor="").count()
    money, measured = Decimal(0), None
    for name in ("one", "two"):
        judge, file = begun(study, written(name=name))
        assert cost_per_document(study) == measured, "the judge has not finished"
        judge_all(judge, file, client_of(stand_in), rng=Random(name))
        assert used_by(judge).money > 0
        money += used_by(judge).money
        measured = cost_per_document(study)
        assert measured == pytest.approx(money / documents, abs=Decimal("1e-8"))
    page = logged_in().get(reverse("console:plan", args=[study.slug]))
    form = page.context["budgets_form"]
    assert Decimal(form["model_cost"].value()) == measured


def test_a_judge_that_stopped_does_not_say_what_a_document_costs(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    teach(stand_in, study)
    judge, file = begun(study, written(most_tokens=3_000))
    with pytest.raises(StoppedError):
        judge_all(judge, file, client_of(stand_in), rng=Random(1))
    assert used_by(judge).money > 0
    assert cost_per_document(study) is None


def logged_in() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("admin"))
    return client
