"""The commands by which a researcher steps in: retire_topic, exclude_unit, block_worker, erase_identity."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judging.core.selectors.judgments import unit_id
from judging.management.commands.exclude_unit import Command as ExcludeUnit
from judging.management.study_command import StudyCommand
from judging.models import Assignment, AuditEntry, PlatformIdentity, Study, Topic, Unit
from tests.factories import judge_unit, live_assignment, make_study, make_worker
from tests.support.named import assert_names, numbers_in

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        run(*arguments)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def verbs() -> list[str]:
    return list(AuditEntry.objects.exclude(verb="opened").values_list("verb", flat=True))


def name(unit: Unit) -> str:
    return unit_id(unit.topic.number, unit.number)


@pytest.fixture
def study() -> Study:
    return make_study(topics=1, judgments_per_document=3)


@pytest.fixture
def done(study: Study) -> Assignment:
    """A unit that a worker of a platform has completed."""
    return judge_unit(make_worker(study, platform_id="person-1", submission_id="visit-1"))


def test_retire_topic(study: Study, done: Assignment) -> None:
    make_worker(study, upto="judging")
    result = run("retire_topic", "study", "401")
    assert_names(result, "401", "study")
    assert numbers_in(result) == ["401", "1", "1"], "one unit done and one in work"
    assert Topic.objects.get().retired_at is not None
    assert sorted(Unit.objects.values_list("state", flat=True)) == ["done", "reserved", "retired"]
    assert verbs() == ["topic_retired"]
    assert_names(refusal("retire_topic", "study", "401"), "401", "study")
    assert verbs() == ["topic_retired"]


def test_exclude_unit_and_undo(done: Assignment) -> None:
    unit = done.unit
    assert_names(run("exclude_unit", "study", name(unit), "--reason", "Not read."), name(unit), "study")
    unit.refresh_from_db()
    assert (unit.excluded_at is not None, unit.exclusion_reason) == (True, "Not read.")
    assert Unit.objects.count() == 3
    assert_names(run("exclude_unit", "study", name(unit), "--undo"), name(unit), "study")
    unit.refresh_from_db()
    assert unit.excluded_at is None
    assert_names(refusal("exclude_unit", "study", name(unit), "--undo"), "401", "1")
    assert verbs() == ["unit_excluded", "unit_included"]


def test_exclude_unit_and_collect_it_again_once(done: Assignment) -> None:
    excluding = ("exclude_unit", "study", name(done.unit), "--reason", "Not read.", "--collect-again")
    assert_names(run(*excluding), "401-0004")
    assert Unit.objects.get(number=4).copy_of == done.unit
    assert_names(refusal(*excluding), "401", "4")
    assert Unit.objects.count() == 4


def test_a_unit_of_another_size_is_not_collected_again(done: Assignment) -> None:
    """As one that was judged elsewhere may be: no page here shows it whole."""
    done.unit.unit_documents.first().delete()
    again = ("exclude_unit", "study", name(done.unit), "--reason", "Not read.", "--collect-again")
    assert_names(refusal(*again), "401", "1", "8")
    done.unit.refresh_from_db()
    assert done.unit.excluded_at is None
    assert not done.unit.copies.exists()


def test_block_worker(study: Study) -> None:
    worker = make_worker(study, upto="judging")
    assert_names(run("block_worker", "study", worker.pseudonym), worker.pseudonym, "study")
    worker.refresh_from_db()
    assert (worker.state, live_assignment(worker).state) == ("blocked", "cancelled")
    assert verbs() == ["blocked"]
    assert_names(refusal("block_worker", "study", worker.pseudonym), worker.pseudonym, "study")
    assert verbs() == ["blocked"]


def test_erase_identity(done: Assignment) -> None:
    worker = done.participation
    result = run("erase_identity", "study", worker.pseudonym)
    assert_names(result, worker.pseudonym, "study")
    assert "person-1" not in result
    assert not PlatformIdentity.objects.exists()
    assert done.judgments.count() == 8
    assert verbs() == ["identity_erased"]
    assert "person-1" not in str(AuditEntry.objects.get(verb="identity_erased").detail)
    assert_names(refusal("erase_identity", "study", worker.pseudonym), worker.pseudonym, "study")
    assert verbs() == ["identity_erased"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("retire_topic", "nope", "401"), ["nope", "study"]),
        (("retire_topic", "study", "40"), ["study", "40", "401"]),
        (("exclude_unit", "study", "401-0099", "--undo"), ["study", "401-0099"]),
        (("exclude_unit", "study", "402-0001", "--undo"), ["study", "402-0001"]),
        (("exclude_unit", "study", "401-999999999", "--undo"), ["study", "401-999999999"]),
        (("exclude_unit", "study", f"401-{'9' * 5000}", "--undo"), []),
        (("exclude_unit", "study", "401", "--undo"), ["401"]),
        (("exclude_unit", "study", "401-0001", "--reason", "x"), ["1", "401"]),
        (("exclude_unit", "study", "401-0001", "--undo", "--collect-again"), ["--collect-again", "--reason"]),
        (("block_worker", "study", "w1"), ["study", "w1", "export study --what workers"]),
        (("erase_identity", "study", "w1"), ["study", "w1", "export study --what workers"]),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    study: Study, arguments: tuple[str, ...], named: list[str]
) -> None:
    assert_names(refusal(*arguments), *named)
    assert verbs() == []


def test_a_reason_of_blanks_is_none(done: Assignment) -> None:
    refusal("exclude_unit", "study", name(done.unit), "--reason", "  ")
    done.unit.refresh_from_db()
    assert done.unit.excluded_at is None
    assert verbs() == []


def test_a_topic_with_a_hyphen_in_its_number(done: Assignment) -> None:
    Topic.objects.update(number="CAsT-31-2")
    run("exclude_unit", "study", f"CAsT-31-2-{done.unit.number:04}", "--reason", "Odd.")
    done.unit.refresh_from_db()
    assert done.unit.exclusion_reason == "Odd."


def test_a_shell_gets_one_line_and_exit_1(
    study: Study, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command closes its connections when it ends; the test's own must stay.
    monkeypatch.setattr("django.core.management.base.connections.close_all", lambda: None)
    command: StudyCommand = ExcludeUnit()
    for arguments in (
        ["study", "401-0001"],
        ["study", "401-0001", "--reason", "x", "--undo"],
        ["study", "1"],
    ):
        with pytest.raises(SystemExit) as ended:
            command.run_from_argv(["manage.py", "exclude_unit", *arguments])
        assert ended.value.code == 1
        assert len(capsys.readouterr().err.splitlines()) == 1
