"""What the known grades of a study file become, and how their values are read."""

import pytest

from judging.models import KnownGrade, PoolDocument
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import TOPICS, StudyFolder
from tests.support.named import assert_names

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("level", "grade"), [("N", "N"), (None, "")])
def test_documents_not_listed(folder: StudyFolder, level: str | None, grade: str) -> None:
    folder.append("qrels.txt", "007 0 007-B -1\n")
    unlisted = f'unlisted = "{level}"\n' if level else ""
    levels = 'levels = {0 = "N", 1 = "M", 2 = "R", 3 = "H", -1 = "drop"}\n'
    folder.replace("study.toml", 'path = "qrels.txt"\n', f'path = "qrels.txt"\n{unlisted}{levels}')
    folder.append("study.toml", '[[anchor]]\ntopic = "007"\nN = "007-N"\n')
    folder.imported()

    graded = dict(
        PoolDocument.objects.filter(topic__number="007").values_list("document__document_id", "grade")
    )
    assert graded["007-A"] == grade
    assert graded["007-B"] == "", "a dropped value leaves the document ungraded, never N"
    assert KnownGrade.objects.filter(document_id="007-A").exists() is (level is not None)
    assert not KnownGrade.objects.filter(document_id="007-B").exists()


def test_graded_documents_that_are_unknown_are_told(folder: StudyFolder) -> None:
    assert not [notice for notice in folder.imported().notices if "FT-" in str(notice)]
    folder.append("qrels.txt", "007 0 FT-1 1\n1e5 0 FT-0 1\n1e5 0 FT-1 1\n")
    notices = list(map(str, folder.imported(slug="again").notices))
    (told,) = [notice for notice in notices if "FT-0" in notice]
    assert_names(told, "2", "10", "sormunen")


CODES = {"H": 1, "R": 2, "M": 3, "N": 4}


def in_three_columns(folder: StudyFolder, extra: str) -> int:
    """The grades as `topic document code`, Cranfield's codes; `extra` stands beside the path."""
    lines = (f"{number} {number}-{letter} {CODES[letter]}\n" for number in TOPICS for letter in CODES)
    folder.write("qrels.txt", "".join(lines))
    return folder.replace("study.toml", 'path = "qrels.txt"\n', f'path = "qrels.txt"\n{extra}')


def test_three_columns_of_grades_are_never_guessed(folder: StudyFolder) -> None:
    line = in_three_columns(folder, "")
    (told,) = folder.faults()
    assert_error_line(told, f"study.toml:{line}: grades.path", 'format = "qrels"', 'format = "cranfield"')


@pytest.mark.parametrize(
    ("extra", "best", "read_as"),
    [
        (
            'format = "cranfield"\nunlisted = "N"\n',
            "007-H",
            ["1 = H (2", "2 = R (2", "3 = M (2", "4 = M (2"],
        ),
        (
            'format = "qrels"\nlevels = {1 = "N", 2 = "M", 3 = "R", 4 = "H"}\n',
            "007-N",
            ["1 = N (2", "2 = M (2", "3 = R (2", "4 = H (2"],
        ),
        (
            'levels = {1 = "H", 2 = "R", 3 = "drop", 4 = "N"}\n',
            "007-H",
            ["1 = H (2", "2 = R (2", "3 = drop (2", "4 = N (2"],
        ),
    ],
)
def test_the_named_reading_of_three_columns_is_told(
    folder: StudyFolder, extra: str, best: str, read_as: list[str]
) -> None:
    in_three_columns(folder, extra)
    notices = list(map(str, folder.imported().notices))
    assert any(all(level in notice for level in read_as) for notice in notices)
    assert PoolDocument.objects.get(topic__number="007", anchor="H").document.document_id == best


def test_lines_that_begin_with_a_hash_are_no_grades(folder: StudyFolder) -> None:
    plain = folder.read("qrels.txt")
    folder.imported()
    folder.write("qrels.txt", f"# grades of the pool\n{plain}#007 0 007-A 3\n")
    folder.imported(slug="again")

    grades = KnownGrade.objects.order_by("grade_set", "topic", "document_id").values_list(
        "document_id", "level"
    )
    number = len(grades) // 2
    assert number == len(plain.splitlines())
    assert [*grades[:number]] == [*grades[number:]]
