"""Every fault is told in one line with file, line and field, and nothing is written."""

import pytest

from judging.core.faults import UNCHECKED, StudyRefusedError
from judging.models import Document, Study
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.setup.intake.broken import FAULTS
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder, document_ids, grade_lines, run_lines
from tests.support.named import assert_names

pytestmark = pytest.mark.django_db


def test_a_half_readable_topic_file_is_the_only_cause(folder: StudyFolder) -> None:
    """The pool, grades, runs, questions and anchors name topics that the faulty file would have brought."""
    folder.replace("study.toml", "depth = 8", 'path = "pool.txt"')
    folder.write("pool.txt", "".join(f"{name.partition('-')[0]} {name}\n" for name in document_ids()))
    folder.append("study.toml", '\n[[anchor]]\ntopic = "1e5"\nH = "1e5-H"\nN = "1e5-N"\n')
    folder.write("extra.run", run_lines("1e5", "HM", "extra"))
    folder.append("study.toml", '\n[[run]]\npath = "extra.run"\n')
    folder.write("extra.qrels", grade_lines("1e5"))
    folder.append("study.toml", '\n[[grades]]\nname = "extra"\npath = "extra.qrels"\n')
    assert folder.faults() == []
    Study.objects.all().delete()
    line = folder.replace("topics.txt", "<num> Number: 1e5", "<nun> Number: 1e5") - 1
    first, remark = folder.faults()
    assert first.startswith(f"topics.txt:{line}: num: ")
    assert remark == UNCHECKED
    folder.append("pool.txt", "007 007-H\n")
    [others, _topics, _remark] = folder.faults()
    assert others.startswith("pool.txt:17: document: "), "other faults are still told"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_nothing_is_written(folder: StudyFolder, fault: str) -> None:
    break_it, place, named = FAULTS[fault]
    line = break_it(folder)

    lines = folder.faults()

    assert len(lines) == 1, lines
    assert_error_line(lines[0], place.format(line), *named)
    assert not Study.objects.exists()
    assert not Document.objects.exists()


def test_the_line_is_right_deep_in_a_file(folder: StudyFolder) -> None:
    folder.replace("study.toml", 'title = "A small study"', 'title = """A [small]\n# study = 1\n"""')
    folder.replace("study.toml", "[units]", "[units]  # [[run]]\n'topic_choice' = 'odd' # here")

    (line,) = folder.faults()

    text = folder.read("study.toml")
    number = text[: text.index("odd")].count("\n") + 1
    assert_error_line(line, f"study.toml:{number}: units.topic_choice", "'odd'")


def test_all_faults_are_told_at_once(folder: StudyFolder) -> None:
    folder.replace("study.toml", "requester", "requestor")
    folder.replace("qrels.txt", "007 0 007-R 2", "007 0 007-R x")
    folder.replace("documents.jsonl", "Text of 1e5-B.", "")
    folder.replace("poor.run", "1e5-R 7 93", "1e5-R 7 x")

    assert sorted(line.split(":")[0] for line in folder.faults()) == [
        "documents.jsonl",
        "poor.run",
        "qrels.txt",
        "study.toml",
    ]


def test_a_fault_that_repeats_is_counted(folder: StudyFolder) -> None:
    line = folder.append("documents.jsonl", "nonsense\n" * 1234)

    (told,) = folder.faults()

    assert_error_line(told, f"documents.jsonl:{line}", "JSON", "1233")


def test_many_faults_are_counted(folder: StudyFolder) -> None:
    folder.append("qrels.txt", "".join(f"007 0 d{value} x{value}\n" for value in range(1234)))

    lines = folder.faults()

    assert len(lines) == 51
    assert_names(lines[-1], "1184")


def test_a_slug_that_is_taken(folder: StudyFolder) -> None:
    folder.imported()

    (line,) = folder.faults()
    assert_error_line(line, "study.toml:1: slug", "small", "--slug", "--update")
    assert not folder.faults(slug="another")


def test_update_of_a_study_that_there_is_not(folder: StudyFolder) -> None:
    (line,) = folder.faults(update=True)

    assert_error_line(line, "study.toml:1: slug", "small")


@pytest.mark.parametrize("name", ["bundle.zip", "absent.toml", "absent"])
def test_a_path_that_cannot_be_read(folder: StudyFolder, name: str) -> None:
    with pytest.raises(StudyRefusedError) as refused:
        import_study(folder.path / name, now=NOW)

    (line,) = refused.value.lines
    assert_error_line(line, str(folder.path / name))


def test_a_study_of_one_file_has_no_topic(folder: StudyFolder) -> None:
    folder.write("study.toml", 'title = "T"\n[documents]\nformat = "jsonl"\npath = "documents.jsonl"\n')

    (line,) = [line for line in folder.faults() if "[topics]" in line]

    assert_error_line(line, "study.toml:1", "[[topic]]")
