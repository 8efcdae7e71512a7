"""The two commands as a shell sees them: what they print where, and how they end."""

import pytest

from judging.core.selectors.readiness import readiness
from judging.core.services.planning import plan_missing_units
from judging.management.commands.check_study import Command as CheckStudy
from judging.management.commands.import_study import Command as ImportStudy
from judging.management.study_command import StudyCommand
from judging.models import PoolDocument, Question, Study, Topic
from tests.factories import NOW
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder
from tests.support.named import assert_all_name, assert_names, numbers_in

pytestmark = pytest.mark.django_db
Shell = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command closes its connections when it ends; the test's own must stay."""
    monkeypatch.setattr("django.core.management.base.connections.close_all", lambda: None)


def run(command: type[StudyCommand], *arguments: str) -> None:
    name = command.__module__.rpartition(".")[2]
    command().run_from_argv(["manage.py", name, *arguments])


def refused(command: type[StudyCommand], capsys: Shell, *arguments: str) -> list[str]:
    """The lines on stderr of a command that ends with exit 1."""
    with pytest.raises(SystemExit) as ended:
        run(command, *arguments)
    assert ended.value.code == 1
    return capsys.readouterr().err.splitlines()


def test_import_says_what_it_did(folder: StudyFolder, capsys: Shell) -> None:
    folder.append("qrels.txt", "999 0 x 1\n")
    run(ImportStudy, str(folder.path))

    shown = capsys.readouterr()
    assert_all_name(
        shown.out.splitlines(), ("small", "2", "16", "2"), ("python manage.py check_study small",)
    )
    assert numbers_in(shown.out.splitlines()[0]) == ["2", "16", "2"]
    grades = f"{folder.path}/qrels.txt"
    assert_all_name(
        shown.err.splitlines(),
        ("Notice:", f"{folder.path}/topics.txt", "2", "'title of 007'", "'title of 1e5'"),
        ("Notice:", grades, "1"),
        ("Notice:", grades, "0 = N (2", "1 = M (2", "2 = R (2", "3 = H (2"),
    )


def test_faults_are_lines_on_stderr_and_nothing_else(folder: StudyFolder, capsys: Shell) -> None:
    first = folder.replace("qrels.txt", "007 0 007-R 2", "007 0 007-R x")
    second = folder.replace("qrels.txt", "1e5 0 1e5-R 2", "1e5 0 1e5-R y")

    lines = refused(ImportStudy, capsys, str(folder.path / "study.toml"))
    assert len(lines) == 2
    assert_error_line(lines[0], f"{folder.path}/qrels.txt:{first}: grade", "'x'", "0 1 2 3")
    assert_error_line(lines[1], f"{folder.path}/qrels.txt:{second}: grade", "'y'", "0 1 2 3")
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "place", "named"),
    [
        ((), "import_study", ["STUDY.toml|BUNDLE.zip", "--help"]),
        (("a.toml", "--nonsense"), "import_study", ["--nonsense", "--help"]),
        (("b.zip",), "b.zip", []),
        (("absent",), "absent", []),
    ],
)
def test_wrong_arguments_are_one_line(
    arguments: tuple[str, ...], place: str, named: list[str], capsys: Shell
) -> None:
    (line,) = refused(ImportStudy, capsys, *arguments)
    assert_error_line(line, place, *named)


def test_a_study_that_can_open(folder: StudyFolder, capsys: Shell) -> None:
    folder.replace(
        "study.toml",
        "[documents]",
        "[pay]\npay_per_unit = 0.25\npaid_within = 7\nexpected_minutes = 20\n[documents]",
    )
    folder.imported()
    run(CheckStudy, "small")

    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert table[1] == ["007", "title", "of", "007", "6", "3", "24"]
    # Units, judgments, hours of work, the pay of a unit and of them all.
    assert numbers_in(" ".join(table[-3])) == ["6", "48", "2.0", "0.25", "1.50"]
    assert "USD" in table[-2]
    assert_names(" ".join(table[-1]), "small")


def test_a_study_that_cannot(folder: StudyFolder, capsys: Shell) -> None:
    for key in ("requester", "contact", "information", "consent"):
        old = next(line for line in folder.read("study.toml").splitlines() if line.startswith(f"{key} = "))
        folder.replace("study.toml", old, f'{key} = ""')
    folder.replace("study.toml", "seed = 7", "closes_at = 2020-01-01T00:00:00Z")
    folder.replace("study.toml", "depth = 8", "depth = 1")
    folder.imported()
    Question.objects.get(topic__number="007").delete()
    PoolDocument.objects.filter(topic__number="1e5").exclude(anchor="").update(anchor="")

    assert_all_name(
        refused(CheckStudy, capsys, "small"),
        ("requester",),
        ("contact",),
        ("information",),
        ("consent",),
        ("closes_at", "2020-01-01 00:00 UTC"),
        ("007", "question"),
        ("007", "1", "6", "unit_size"),
        ("1e5", "H"),
        ("1e5", "N"),
        ("1e5", "3", "6", "unit_size"),
    )


def test_fields_of_texts_that_nothing_fills(folder: StudyFolder, capsys: Shell) -> None:
    folder.replace("study.toml", "What the study is.", "You get {pay} in {minuets} minutes.")
    folder.imported()
    assert_all_name(
        refused(CheckStudy, capsys, "small"),
        ("information", "{pay}", "pay_per_unit"),
        ("information", "{minuets}", "{minutes}", "{documents}"),
    )


def test_a_study_without_topics_cannot_open(folder: StudyFolder) -> None:
    study = folder.imported().study
    Topic.objects.update(retired_at=NOW)

    assert not readiness(study, now=NOW).topics
    assert len(readiness(study, now=NOW).faults) == 1


def test_the_forecast_is_what_is_planned(folder: StudyFolder) -> None:
    study = folder.imported().study
    for judgments in (3, 4, 10):
        study.judgments_per_document = judgments
        study.save()
        forecast = readiness(study, now=NOW).planned.units
        plan_missing_units(study=study)
        assert readiness(study, now=NOW).planned.units == forecast
        assert sum(topic.units.count() for topic in Topic.objects.all()) == forecast


def test_a_study_that_there_is_not(folder: StudyFolder, capsys: Shell) -> None:
    assert_all_name(refused(CheckStudy, capsys, "smal"), ("smal", "import_study"))
    folder.imported()
    assert_all_name(refused(CheckStudy, capsys, "smal"), ("smal", "small"))
