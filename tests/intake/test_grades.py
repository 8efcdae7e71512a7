"""What the known grades of a study file become, and how their values are read."""

import pytest

from judging.models import KnownGrade, PoolDocument
from tests.intake.folder import TOPICS, StudyFolder

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
    assert not any("are not in the documents" in notice for notice in folder.imported().notices)
    folder.append("qrels.txt", "007 0 FT-1 1\n1e5 0 FT-0 1\n1e5 0 FT-1 1\n")
    notices = folder.imported(slug="again").notices
    assert any(
        notice.startswith("2 of 10 documents graded in sormunen are not in the documents")
        and "FT-0" in notice
        for notice in notices
    )


CODES = {"H": 1, "R": 2, "M": 3, "N": 4}


def in_three_columns(folder: StudyFolder, extra: str) -> int:
    """The grades as `topic document code`, Cranfield's codes; `extra` stands beside the path."""
    lines = (f"{number} {number}-{letter} {CODES[letter]}\n" for number in TOPICS for letter in CODES)
    folder.write("qrels.txt", "".join(lines))
    return folder.replace("study.toml", 'path = "qrels.txt"\n', f'path = "qrels.txt"\n{extra}')


def test_three_columns_of_grades_are_never_guessed(folder: StudyFolder) -> None:
    line = in_three_columns(folder, "")
    (told,) = folder.faults()
    assert told.startswith(f"study.toml:{line}: grades.path: ")
    assert 'format = "qrels"' in told
    assert 'format = "cranfield"' in told


@pytest.mark.parametrize(
    ("extra", "best", "read_as"),
    [
        (
            'format = "cranfield"\nunlisted = "N"\n',
            "007-H",
            "1 = H (2 documents), 2 = R (2 documents), 3 = M (2 documents), 4 = M (2 documents)",
        ),
        (
            'format = "qrels"\nlevels = {1 = "N", 2 = "M", 3 = "R", 4 = "H"}\n',
            "007-N",
            "1 = N (2 documents), 2 = M (2 documents), 3 = R (2 documents), 4 = H (2 documents)",
        ),
        (
            'levels = {1 = "H", 2 = "R", 3 = "drop", 4 = "N"}\n',
            "007-H",
            "1 = H (2 documents), 2 = R (2 documents), 3 = drop (2 documents), 4 = N (2 documents)",
        ),
    ],
)
def test_the_named_reading_of_three_columns_is_told(
    folder: StudyFolder, extra: str, best: str, read_as: str
) -> None:
    in_three_columns(folder, extra)
    notices = folder.imported().notices
    assert any(read_as in notice for notice in notices)
    assert PoolDocument.objects.get(topic__number="007", anchor="H").document.document_id == best
