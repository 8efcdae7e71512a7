"""The result of a study, as the API sends it."""

import pytest
from django.test import Client

from judging.models import ReportKind, Study
from judging.understanding.reports.catalogue import measures_of
from judging.understanding.selectors.results import find_result
from tests.api.conftest import ROOT, error, logged_in, people, read
from tests.api.test_schema import validator
from tests.understanding.conftest import judged
from tests.understanding.reading import make

pytestmark = pytest.mark.django_db
ADDRESS = f"{ROOT}/studies/study/result/"


def test_the_result_is_the_stored_one(client: Client) -> None:
    study = judged()
    assert error(client, ADDRESS, 404)["code"] == "not_found"
    make(study, ReportKind.SCORES, measures=measures_of(study))
    found = find_result(study)
    assert found is not None
    answer = read(client, ADDRESS)
    validator(read(Client(), f"{ROOT}/schema/"), f"{ROOT}/studies/{{slug}}/result/").validate(answer)
    assert answer["result"] == found.result["summary"]
    assert (answer["judgments"], answer["is_current"]) == (32, True)
    Study.objects.filter(pk=study.pk).update(ranked_by="P(rel=2)@3")
    assert error(client, ADDRESS, 404)["code"] == "not_found", "it is by another measure"


def test_nobody_else_can_read_it() -> None:
    judged()
    assert error(logged_in(people()["stranger"]), ADDRESS, 403)
    assert error(Client(), ADDRESS, 401)
