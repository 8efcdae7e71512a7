"""A stored study that was pooled by depth is written with its depth, wherever that gives the same pools."""

import tomllib
from pathlib import Path

import pytest

from judging.models import Study
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW
from tests.setup.equal import described
from tests.setup.intake.folder import LETTERS, TOPICS, StudyFolder, run_lines

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small_units(folder: StudyFolder) -> None:
    folder.replace("study.toml", "[units]", "[units]\nunit_size = 3")


def written(study: Study, place: Path) -> dict[str, object]:
    """The pool of its study file; the file makes an equal study."""
    place.mkdir()
    file = write_study_folder(study, place)
    again = import_study(file, slug=f"again-{place.name}", now=NOW).study
    assert described(again) == described(study)
    pool = tomllib.loads(file.read_text())["pool"]
    assert isinstance(pool, dict)
    assert (place / "pool.txt").exists() == ("path" in pool)
    return pool


def test_the_depth_is_kept(folder: StudyFolder, tmp_path: Path) -> None:
    folder.replace("study.toml", "depth = 8", "depth = 3")
    assert written(folder.imported().study, tmp_path / "written") == {"depth": 3}


def test_of_depths_that_give_the_same_pools_it_is_the_least(folder: StudyFolder, tmp_path: Path) -> None:
    # the runs are each other's reverse: from four on all eight documents are pooled
    assert written(folder.imported().study, tmp_path / "written") == {"depth": 4}


def test_equal_scores_are_ranked_as_pooling_ranks_them(folder: StudyFolder, tmp_path: Path) -> None:
    lines = "".join(run_lines(number, LETTERS, "good") for number in TOPICS)
    folder.write("good.run", "".join(f"{line.rsplit(' ', 2)[0]} 5 good\n" for line in lines.splitlines()))
    folder.replace("study.toml", "depth = 8", "depth = 2")
    assert written(folder.imported().study, tmp_path / "written") == {"depth": 2}


def test_a_list_stays_a_list(folder: StudyFolder, tmp_path: Path) -> None:
    folder.replace("study.toml", "depth = 8", 'path = "pool.txt"')
    pooled = [f"{number} {number}-{letter}\n" for number in TOPICS for letter in "HNA"]
    folder.write("pool.txt", "".join(pooled))
    assert written(folder.imported().study, tmp_path / "written") == {"path": "pool.txt"}


def test_without_runs_there_is_no_depth(folder: StudyFolder, tmp_path: Path) -> None:
    folder.replace("study.toml", "depth = 8", 'path = "pool.txt"')
    folder.write(
        "pool.txt", "".join(f"{number} {number}-{letter}\n" for number in TOPICS for letter in LETTERS)
    )
    for name in ("good", "poor"):
        folder.replace("study.toml", f'[[run]]\npath = "{name}.run"\n', "")
    assert written(folder.imported().study, tmp_path / "written") == {"path": "pool.txt"}


def test_documents_that_were_left_out_for_want_of_a_text_make_it_a_list(
    folder: StudyFolder, tmp_path: Path
) -> None:
    folder.replace(
        "study.toml", 'format = "jsonl"\npath = "documents.jsonl"', 'format = "cranfield"\npath = "c.all"'
    )
    names = [f"{number}-{letter}" for number in TOPICS for letter in LETTERS]
    texts = {name: "" if name == "007-A" else f"Text of {name}." for name in names}
    folder.write("c.all", "".join(f".I {name}\n.T\n.A\n.B\n.W\n{text}\n" for name, text in texts.items()))
    assert written(folder.imported().study, tmp_path / "written") == {"path": "pool.txt"}
