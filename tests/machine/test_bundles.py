"""Machine judges come back with a bundle: what they did, what it cost, and what they said of documents."""

from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.urls import reverse

from judging.core.selectors.labels import families_of, labels_of_judges, predictions_of
from judging.core.selectors.machine import calls_of, judge_named, sittings_of
from judging.core.selectors.machine_summary import machines_of
from judging.core.selectors.payments import totals
from judging.machine.sittings import judge_all
from judging.machine.spending import StoppedError
from judging.models import Assignment, MachineJudge, Participation, Study
from judging.protocol.judges import SIMULATED
from judging.setup.study_files.importing import import_study
from tests.archive.bundles.conftest import everything, exported, rows_of
from tests.archive.exports.conftest import add_run
from tests.factories import NOW, judge_unit, make_study, make_worker
from tests.machine.conftest import Written, begun, client_of, study_on, teach
from tests.machine.stand_in import KEY, StandIn
from tests.support.databases import ON_SQLITE, as_default
from tests.support.empty_database import empty_tables
from tests.support.integrity import broken_invariants
from tests.support.preferences import prefers
from tests.support.rehearsals import into_rehearsal

CALL = (
    "judge__participation__pseudonym",
    "key",
    "purpose",
    "topic__number",
    "document__document__document_id",
    "other__document__document_id",
    "attempt",
    "asked_again",
    "answer",
    "number",
    "input_tokens",
    "output_tokens",
    "seconds",
    "money",
    "outcome",
    "fault",
    "at",
)
JUDGE = (
    "name",
    "sitting",
    "first__name",
    "participation__pseudonym",
    "model",
    "prompt_name",
    "prompt_version",
    "prompt_text",
    "prompt_sha256",
    "temperature",
    "seed",
    "judgments",
    "answer_tokens",
    "most_tokens",
    "most_money",
    "most_seconds",
    "input_price",
    "output_price",
    "family",
    "asked_at",
    "began_at",
)


def sat(study: Study, server: StandIn, written: Written, **changes: object) -> MachineJudge:
    teach(server, study)
    judge, file = begun(study, written(**changes))
    judge_all(judge, file, client_of(server), rng=Random(judge.name))
    return judge


def imported(study: Study, bundle: Path) -> Study:
    bundle.write_bytes(exported(study, "bundle", "zip"))
    return import_study(bundle, slug="again", now=NOW).study


def judges_of(study: Study) -> list[tuple[object, ...]]:
    judges = MachineJudge.objects.filter(participation__study=study)
    return list(judges.order_by("name", "sitting").values_list(*JUDGE))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return tmp_path / "bundle.zip"


@ON_SQLITE
def test_machine_judges_come_back_whole(
    database: str, stand_in: StandIn, written: Written, bundle: Path, client: Client
) -> None:
    """Two judges, of whom one takes part twice, beside people, with answers of no use."""
    study = study_on("magnitude")
    add_run(study, "run")
    judge_unit(make_worker(study))
    stand_in.noise = 0.3
    stand_in.fail_next(["unparsable", *[""] * 8, "refusal", "key", "address", "no lines"])
    sat(study, stand_in, written, judgments=2, family=["run"], price_per_million_input_tokens=0.12345678)
    stand_in.knows = False
    sat(study, stand_in, written, name="Blind Ü", model="stand-in-2", most_seconds=1000)
    people = everything(study)

    again = imported(study, bundle)
    assert machines_of(again) == machines_of(study)
    assert judges_of(again) == judges_of(study)
    assert [judge[:2] for judge in judges_of(again)] == [("Blind Ü", 1), ("gauge", 1), ("gauge", 2)]
    before, after = labels_of_judges(study), labels_of_judges(again)
    assert [*after] == [*before] == ["gauge"]
    assert after["gauge"].table.equals(before["gauge"].table)
    assert families_of(again) == families_of(study) == {"run": "gauge"}
    for name in ("gauge", "Blind Ü"):
        judge, copy = judge_named(study, name), judge_named(again, name)
        assert judge is not None
        assert copy is not None
        assert [*calls_of(copy).values_list(*CALL)] == [*calls_of(judge).values_list(*CALL)]
        assert copy.units.count() == judge.units.count() > 0
        assert sittings_of(copy).count() == sittings_of(judge).count()
    assert everything(again) == people
    assert rows_of(again) == rows_of(study)
    assert broken_invariants(again) == []
    assert totals(again).due.count == 0
    assert not Participation.objects.filter(study=again, kind="machine", paid_at__isnull=False).exists()
    assert not Assignment.objects.filter(unit__kind="machine", paid_at__isnull=False).exists()
    client.force_login(get_user_model().objects.create_superuser("root"))
    page = client.get(reverse("console:judge", args=[again.slug]), {"name": "gauge"})
    assert page.status_code == 200
    assert client.get(reverse("console:judges", args=[again.slug])).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_from_one_database_to_the_other_machine_judges_stay_the_same(
    database: str, sqlite_settings: dict[str, Any], stand_in: StandIn, written: Written, bundle: Path
) -> None:
    study = study_on("magnitude")
    stand_in.noise = 0.3
    sat(study, stand_in, written, price_per_million_input_tokens=0.12345678, temperature=0.7)
    result = rows_of(study)
    bundle.write_bytes(exported(study, "bundle", "zip"))
    with as_default(sqlite_settings):
        assert connection.vendor == "sqlite"
        try:
            assert rows_of(import_study(bundle, now=NOW).study) == result
        finally:
            empty_tables()


def test_predictions_of_an_imported_study_are_the_same(
    study: Study, stand_in: StandIn, written: Written, bundle: Path
) -> None:
    sat(study, stand_in, written)
    again = imported(study, bundle)
    (before,), (after,) = predictions_of(study).values(), predictions_of(again).values()
    assert after.table.equals(before.table)


def test_a_machine_judge_in_a_rehearsal_comes_back(stand_in: StandIn, written: Written, bundle: Path) -> None:
    study = into_rehearsal(study_on("magnitude"), simulated=True)
    judge_unit(make_worker(study, kind=SIMULATED, behaviour="careful"))
    sat(study, stand_in, written)
    again = imported(study, bundle)
    assert machines_of(again) == machines_of(study)
    assert rows_of(again) == rows_of(study)
    assert {*again.participations.values_list("kind", flat=True)} == {"machine", "simulated"}
    assert broken_invariants(again) == []


def test_neither_the_address_nor_the_key_of_the_model_is_in_a_bundle(
    study: Study, stand_in: StandIn, written: Written, bundle: Path
) -> None:
    stand_in.fail_next([*[""] * 6, "key", "address"])
    sat(study, stand_in, written)
    bundle.write_bytes(exported(study, "bundle", "zip"))
    tokens = Participation.objects.filter(study=study).values_list("token", flat=True)
    codes = Assignment.objects.exclude(completion_code=None).values_list("completion_code", flat=True)
    with ZipFile(bundle) as whole:
        members = {name: whole.read(name).decode() for name in whole.namelist()}
    assert members["machine_calls.jsonl"].count("\n") == len(stand_in.requests)
    for secret in (KEY, stand_in.url, str(stand_in.port), *tokens, *codes):
        assert [name for name, text in members.items() if secret in text] == []


def test_a_machine_judge_changes_no_file_about_people(
    study: Study, stand_in: StandIn, written: Written
) -> None:
    judge_unit(make_worker(study))
    before = rows_of(study)
    sat(study, stand_in, written)
    after = rows_of(study)
    assert {name: after[name] for name in before} == before
    assert {name for name in after if name not in before} == {
        f"machine_{name}.jsonl" for name in ("judges", "units", "workers", "attempts", "judgments", "calls")
    }


def test_a_judge_that_is_not_done_comes_back_with_what_has_ended(
    study: Study, stand_in: StandIn, written: Written, bundle: Path
) -> None:
    stand_in.fail_next([*[""] * 15, "401"])
    with pytest.raises(StoppedError):
        sat(study, stand_in, written)
    assert Assignment.objects.filter(participation__kind="machine", ended_at=None).exists()
    again = imported(study, bundle)
    (before,), (after,) = machines_of(study), machines_of(again)
    assert (after.calls, after.money, after.documents) == (before.calls, before.money, before.documents)
    assert after.units_left == before.units_left + 1
    assert rows_of(again) == rows_of(study)
    assert broken_invariants(again) == []


def test_comparisons_come_back_with_their_order_bias(
    db: None, stand_in: StandIn, written: Written, bundle: Path
) -> None:
    study = make_study(slug="pairs", scale="preference", topics=1, documents=12)
    judge_unit(make_worker(study), magnitude=prefers)
    stand_in.follows_place = 0.5
    sat(study, stand_in, written, prompt="preference")
    again = imported(study, bundle)
    (before,), (after,) = machines_of(study), machines_of(again)
    assert before.order is not None
    assert sum(before.order[1:]) > 0
    assert after == before
    assert rows_of(again) == rows_of(study)
    assert broken_invariants(again) == []
