"""The commands simulate, study_state and expire_assignments, as people call them."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from judging.core.clock import now
from judging.models import Assignment, Participation, Study, Unit
from tests.factories import make_study, make_worker

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def refused(*arguments: str) -> str:
    """The one line of a refusal."""
    with pytest.raises(CommandError) as refusal:
        said(*arguments)
    line = str(refusal.value)
    assert line.strip()
    assert "\n" not in line
    return line


def test_simulate_opens_a_draft_judges_it_and_sums_up() -> None:
    make_study(opened=False, judgments_per_document=2)
    output = said("simulate", "study", "--workers", "8", "--seed", "1", "--crowd", "careful")
    assert Study.objects.get().state == "open"
    assert "4 of 4 " in output
    assert "spammer" not in output
    table = dict(line.split()[:2] for line in output.splitlines()[1:] if line.split()[1].isdigit())
    assert int(table["reader"]) > int(table.get("careless", 0))
    assert table["all"] == "8"


def test_simulate_says_what_is_left_for_lack_of_workers() -> None:
    make_study()
    output = said("simulate", "study", "--workers", "1", "--seed", "1")
    left = Unit.objects.filter(state="open").count()
    assert re.search(rf"^{left} ", output, re.MULTILINE)


def test_simulate_begins_when_it_is_told_to() -> None:
    make_study(judgments_per_document=1)
    said("simulate", "study", "--workers", "1", "--seed", "1", "--start", "2031-05-04T10:00")
    assert Participation.objects.get().consented_at.isoformat().startswith("2031-05-04T10:0")


def test_simulate_refuses_a_study_with_real_participations() -> None:
    make_worker(make_study())
    assert "study" in refused("simulate", "study", "--workers", "1", "--seed", "1")
    assert not Participation.objects.filter(kind="simulated").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--workers", "0", "--seed", "1"), "--workers"),
        (("--workers", "2", "--seed", "x"), "--seed"),
        (("--workers", "2", "--seed", "1", "--crowd", "clever"), "clever"),
        (("--workers", "2", "--seed", "1", "--start", "soon"), "soon"),
        (("--workers", "2"), "--seed"),
    ],
)
def test_simulate_refuses_bad_arguments_in_one_line(arguments: tuple[str, ...], named: str) -> None:
    make_study()
    assert named in refused("simulate", "study", *arguments)


def test_simulate_names_the_studies_there_are() -> None:
    make_study(slug="only")
    assert re.search(r"\bonly\b", refused("simulate", "other", "--workers", "1", "--seed", "1"))


def test_study_state_opens_pauses_and_closes() -> None:
    study = make_study(opened=False)
    for verb, state, shown in (
        ("open", "open", "/s/study/"),
        ("pause", "paused", "paused"),
        ("open", "open", "20 open"),
        ("close", "closed", "closed"),
    ):
        output = said("study_state", "study", verb)
        study.refresh_from_db()
        assert study.state == state
        assert shown in output
    assert "closed" in refused("study_state", "study", "open")


def test_a_forced_close_names_whom_to_pay() -> None:
    study = make_study(pay_per_unit="0.20", currency="EUR")
    worker = make_worker(study, upto="judging", now=now())
    output = said("study_state", "study", "close", "--force")
    (line,) = [line for line in output.splitlines() if worker.pseudonym in line]
    assert "0.20 EUR" in line


def test_force_belongs_to_close() -> None:
    make_study()
    assert "--force" in refused("study_state", "study", "pause", "--force")
    assert Study.objects.get().state == "open"


def test_expire_assignments_counts_what_it_frees() -> None:
    study = make_study(lapse_minutes=60)
    make_worker(study, upto="judging", now=now() - timedelta(minutes=61))
    make_worker(study, upto="judging", now=now())
    for freed in (1, 0):
        assert said("expire_assignments").startswith(f"{freed} ")
    assert Assignment.objects.filter(state="lapsed").count() == 1
