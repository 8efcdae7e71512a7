"""A study with two pairs of anchors, from its set-up on the pages to its exports, judged over real HTTP."""

import csv
from collections import Counter
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.http import QueryDict
from pytest_django.live_server_helper import LiveServer

from evaluation.files import read_judgments
from evaluation.magnitudes import normalise, unit_ratios
from judging.archive.catalogue import export_chunks
from judging.core.clock import now
from judging.core.services.studies import open_study
from judging.models import Assignment, PoolDocument, Setup, Study, Topic, UnitDocument
from judging.setup.estimating import terms_of
from judging.setup.pages.settings_form import SettingsForm
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.setup.conftest import SAMPLE
from tests.setup.driving import Driver, at, zipped
from tests.setup.intake.folder import StudyFolder
from tests.support.http_crowd import judge_over_http, memory_of, pace_for
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 0.02


def anchors(study: Study) -> dict[tuple[str, str], str]:
    rows = PoolDocument.objects.filter(topic__study=study).exclude(anchor="")
    return {
        (topic, anchor): document
        for topic, anchor, document in rows.values_list("topic__number", "anchor", "document__document_id")
    }


def exported(study: Study, what: str, form: str) -> bytes:
    return b"".join(export_chunks(study, what, form))


def judged(study: Study) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(exported(study, "judgments", "csv").decode())))


@pytest.fixture
def study(driver: Driver) -> Study:
    """The sample, set up on the pages with two pairs of anchors, and opened."""
    setup = driver.upload_study("sample.zip", zipped(SAMPLE))
    assert setup is not None
    terms = {
        "units.anchor_pairs": "2",
        "units.judgments_per_document": "1",
        "checks.seconds_per_document": str(SECONDS),
    }
    driver.post(at(setup, "terms/"), **terms)
    assert driver.refused == []
    driver.get(at(setup))
    assert driver.check == "sound"
    study = Study.objects.get(setup=setup)
    open_study(study=study, now=now())
    study.refresh_from_db()
    return study


def test_from_the_set_up_to_the_exports(study: Study, live_server: LiveServer, tmp_path: Path) -> None:
    assert {anchor for _topic, anchor in anchors(study)} == {"H", "N", "H2", "N2"}
    sizes = Counter(UnitDocument.objects.filter(unit__topic__study=study).values_list("unit", flat=True))
    assert set(sizes.values()) == {4}
    judge_over_http(live_server.url, study.slug, memory_of(study), workers=6, seed=1, pace=pace_for(SECONDS))
    assert Assignment.objects.filter(state="completed").count() > 5
    assert broken_invariants(study) == []

    rows = judged(study)
    units: dict[str, Counter[str]] = {}
    for row in rows:
        units.setdefault(row["unit_id"], Counter())[row["gold"]] += 1
    assert all(unit == {"H": 2, "N": 2, "": 4} for unit in units.values())
    positions = {row["doc_pos"] for row in rows if row["gold"]}
    assert len(positions) == 8
    table = list(csv.DictReader(StringIO(exported(study, "table1", "csv").decode())))
    of_topic = {row["topic_id"]: (row["h_id"], row["n_id"]) for row in table}
    for topic in study.topics.all():
        named = {
            anchor: document
            for (number, anchor), document in anchors(study).items()
            if number == topic.number
        }
        assert of_topic[topic.number] == (f"{named['H']} {named['H2']}", f"{named['N']} {named['N2']}")

    file = tmp_path / "judgments.csv"
    file.write_bytes(exported(study, "judgments", "csv"))
    judgments = read_judgments(file, gold=True)
    assert (unit_ratios(judgments)["ratio"] > 1).all(), "each H is above its N, so the means are too"
    for method in ("geometric", "n", "anchors"):
        assert (normalise(judgments, method) > 0).all()

    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(exported(study, "bundle", "zip"))
    again = import_study(bundle, slug="again", now=NOW).study
    assert again.anchor_pairs == 2
    assert anchors(again) == anchors(study)
    assert judged(again) == rows
    assert exported(again, "events", "csv") == exported(study, "events", "csv")
    assert broken_invariants(again) == []


def test_check_study_names_a_topic_without_its_second_pair(study: Study) -> None:
    out = StringIO()
    call_command("check_study", study.slug, stdout=out)
    PoolDocument.objects.filter(topic__number="1", anchor="N2").update(anchor="")
    with pytest.raises(Exception, match="N2"):
        call_command("check_study", study.slug, stdout=out)


def test_the_costs_count_four_anchors(study: Study) -> None:
    terms = terms_of(study)
    assert (terms.anchors, terms.others) == (4, 4)
    assert terms.pay_per_unit > Decimal(0)


def small(driver: Driver, folder: StudyFolder) -> Setup:
    """A set-up with two pairs of anchors, and a second document of each grade in topic 007 only."""
    folder.replace("study.toml", "judgments_per_document = 3", "judgments_per_document = 3\nanchor_pairs = 2")
    for name, level in (("H2", 3), ("N2", 0)):
        folder.append("qrels.txt", f"007 0 007-{name} {level}\n")
        folder.append("documents.jsonl", f'{{"id": "007-{name}", "title": "T", "text": "Text of {name}."}}\n')
    setup = driver.upload_study("small.zip", zipped(folder.path))
    assert setup is not None
    return setup


def test_a_topic_without_a_second_pair_is_shown_in_its_step(driver: Driver, folder: StudyFolder) -> None:
    setup = small(driver, folder)
    assert driver.check == "faulty"
    assert driver.step_counts == {"anchors": 2}
    assert [fault.step for fault in driver.faults] == ["anchors", "anchors"]
    assert all("1e5" in fault.item and "anchor_pairs = 1" in fault.item for fault in driver.faults)
    driver.post(at(setup, "terms/"), **{"units.anchor_pairs": "1"})
    driver.get(at(setup))
    assert driver.check == "sound"


def test_the_second_pair_is_chosen_on_the_page(driver: Driver, folder: StudyFolder) -> None:
    setup = small(driver, folder)

    def named() -> dict[Any, str]:
        return Topic.objects.get(number="1e5").named

    address = at(setup, "anchors/?number=1e5")
    page = driver.get(address)
    assert all(f'<select id="{name}"' in page for name in ("H", "N", "H2", "N2"))
    driver.post(address, H2="1e5-R", N2="1e5-R", reason="Read and found good.")
    assert driver.refused == ["H2"]
    driver.post(address, H2="1e5-R", N2="1e5-M")
    assert driver.refused == ["reason"], "the known grades are R and M"
    driver.post(address, H2="1e5-R", N2="1e5-M", reason="Read and found good.")
    assert named() == {"H2": "1e5-R", "N2": "1e5-M"}
    driver.get(at(setup))
    assert driver.check == "sound"
    driver.post(address, draw="yes")
    assert named() == {}


def test_a_unit_too_small_for_two_pairs_is_refused(driver: Driver, folder: StudyFolder) -> None:
    setup = small(driver, folder)
    driver.post(at(setup, "terms/"), **{"units.unit_size": "4"})
    assert driver.refused == ["units.unit_size"]
    assert "5 or more" in driver.text
    study = Study.objects.get(setup=setup)
    assert study.unit_size == 8
    study.unit_size, study.anchor_pairs = 4, 1
    typed = SettingsForm("terms", study, QueryDict("units.unit_size=4&units.anchor_pairs=2"))
    assert typed.fill().others_per_unit == 2, "the costs that the page shows while somebody types"
