"""The two commands as a shell sees them: what they print where, and how they end."""

import pytest

from judging.management.base import StudyCommand
from judging.management.commands.check_study import Command as CheckStudy
from judging.management.commands.import_study import Command as ImportStudy
from judging.models import PoolDocument, Question, Study, Topic
from judging.selectors.readiness import readiness
from judging.services.planning import plan_missing_units
from tests.factories import NOW
from tests.intake.folder import StudyFolder

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
    assert shown.out.splitlines() == [
        "Study small imported: 2 topics, 16 documents, 2 runs.",
        "Next: python manage.py check_study small",
    ]
    assert shown.err.splitlines() == [
        f"Notice: {folder.path}/qrels.txt: 1 topics that the study does not have are passed over.",
        f"Notice: {folder.path}/qrels.txt is read as: 0 = N (2 documents), 1 = M (2 documents),"
        " 2 = R (2 documents), 3 = H (2 documents).",
    ]


def test_faults_are_lines_on_stderr_and_nothing_else(folder: StudyFolder, capsys: Shell) -> None:
    first = folder.replace("qrels.txt", "007 0 007-R 2", "007 0 007-R x")
    second = folder.replace("qrels.txt", "1e5 0 1e5-R 2", "1e5 0 1e5-R y")

    assert refused(ImportStudy, capsys, str(folder.path / "study.toml")) == [
        f"{folder.path}/qrels.txt:{line}: grade: '{value}' is not one of 0 1 2 3; mend it, or name it"
        " in levels"
        for line, value in ((first, "x"), (second, "y"))
    ]
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), "import_study: the following arguments are required: STUDY.toml|BUNDLE.zip; see --help"),
        (("a.toml", "--nonsense"), "import_study: unrecognized arguments: --nonsense; see --help"),
        (("b.zip",), "b.zip: there is no such file; mend the path."),
        (("absent",), "absent: there is no file absent; mend the path or put the file there"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: tuple[str, ...], line: str, capsys: Shell) -> None:
    assert refused(ImportStudy, capsys, *arguments) == [line]


def test_a_study_that_can_open(folder: StudyFolder, capsys: Shell) -> None:
    folder.replace(
        "study.toml", "[documents]", "[pay]\npay_per_unit = 0.25\nexpected_minutes = 20\n[documents]"
    )
    folder.imported()
    run(CheckStudy, "small")

    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert table[1] == ["007", "title", "of", "007", "6", "3", "24"]
    assert " ".join(table[-2]) == (
        "In all 6 units, 48 judgments, about 2.0 hours of work; at USD 0.25 a unit they cost 1.50."
    )
    assert " ".join(table[-1]) == "Study small can open."


def test_a_study_that_cannot(folder: StudyFolder, capsys: Shell) -> None:
    for key in ("requester", "contact", "information", "consent"):
        old = next(line for line in folder.read("study.toml").splitlines() if line.startswith(f"{key} = "))
        folder.replace("study.toml", old, f'{key} = ""')
    folder.replace("study.toml", "seed = 7", "closes_at = 2020-01-01T00:00:00Z")
    folder.replace("study.toml", "depth = 8", "depth = 1")
    folder.imported()
    Question.objects.get(topic__number="007").delete()
    PoolDocument.objects.filter(topic__number="1e5").exclude(anchor="").update(anchor="")

    assert refused(CheckStudy, capsys, "small") == [
        "The study has no requester to name to the workers: give it requester in the study file.",
        "The study has no contact for the workers: give it contact in the study file.",
        "The study has no information sheet: give it information in the study file.",
        "The study has no consent text: give it consent in the study file.",
        "The study closes at 2020-01-01 00:00 UTC, which is past: move closes_at.",
        "Topic 007 has no question: give it one in the study file.",
        "Topic 007 has 1 documents beside its anchors, and a unit needs 6: pool more, or lower unit_size.",
        "Topic 1e5 has no H anchor: name one in the study file.",
        "Topic 1e5 has no N anchor: name one in the study file.",
        "Topic 1e5 has 3 documents beside its anchors, and a unit needs 6: pool more, or lower unit_size.",
    ]


def test_a_study_without_topics_cannot_open(folder: StudyFolder) -> None:
    study = folder.imported().study
    Topic.objects.update(retired_at=NOW)

    assert readiness(study, now=NOW).faults == [
        "The study has no topic to judge: give it one in the study file."
    ]


def test_the_forecast_is_what_is_planned(folder: StudyFolder) -> None:
    study = folder.imported().study
    for judgments in (3, 4, 10):
        study.judgments_per_document = judgments
        study.save()
        forecast = readiness(study, now=NOW).units
        plan_missing_units(study=study)
        assert readiness(study, now=NOW).units == forecast
        assert sum(topic.units.count() for topic in Topic.objects.all()) == forecast


def test_a_study_that_there_is_not(folder: StudyFolder, capsys: Shell) -> None:
    assert refused(CheckStudy, capsys, "smal") == [
        "There is no study named smal; there are: none yet; import_study makes one."
    ]
    folder.imported()
    assert refused(CheckStudy, capsys, "smal") == ["There is no study named smal; there are: small."]
