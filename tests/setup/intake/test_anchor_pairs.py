"""A study file with `anchor_pairs = 2`: the second pair is drawn from the known grades, or named."""

from pathlib import Path

import pytest

from judging.core.selectors.readiness import opening_faults
from judging.models import PoolDocument, Study, Topic
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW, make_study
from tests.setup.intake.folder import TOPICS, StudyFolder

pytestmark = pytest.mark.django_db
MORE = ["H2", "H3", "N2", "N3"]
"""Further documents of each topic, with the grade of their first letter."""


@pytest.fixture
def folder(folder: StudyFolder) -> StudyFolder:
    """The sound folder with more graded documents, so that there are two pairs to choose."""
    folder.replace("study.toml", "judgments_per_document = 3", "judgments_per_document = 3\nanchor_pairs = 2")
    for number in TOPICS:
        for name in MORE:
            level = {"H": 3, "N": 0}[name[0]]
            folder.append("qrels.txt", f"{number} 0 {number}-{name} {level}\n")
            folder.append(
                "documents.jsonl", f'{{"id": "{number}-{name}", "title": "T", "text": "Text of {name}."}}\n'
            )
    return folder


def anchors_of(study: Study, number: str) -> dict[str, str]:
    rows = PoolDocument.objects.filter(topic__study=study, topic__number=number).exclude(anchor="")
    return dict(rows.values_list("anchor", "document__document_id"))


def test_both_pairs_are_drawn_from_the_known_grades(folder: StudyFolder) -> None:
    study = folder.imported().study
    assert study.anchor_pairs == 2
    assert study.others_per_unit == 4
    for number in TOPICS:
        anchors = anchors_of(study, number)
        assert {*anchors} == {"H", "N", "H2", "N2"}
        assert len({*anchors.values()}) == 4
        for anchor, document in anchors.items():
            assert document.startswith(f"{number}-{anchor[0]}")
    assert opening_faults(study, now=NOW) == []


def test_the_first_pair_is_that_of_a_study_with_one(folder: StudyFolder) -> None:
    two = folder.imported(slug="two").study
    folder.replace("study.toml", "anchor_pairs = 2", "anchor_pairs = 1")
    one = folder.imported(slug="one").study
    for number in TOPICS:
        first = {anchor: document for anchor, document in anchors_of(two, number).items() if len(anchor) == 1}
        assert anchors_of(one, number) == first


def test_a_study_file_names_the_second_pair(folder: StudyFolder) -> None:
    named = {"H": "007-H", "N": "007-N", "H2": "007-H3", "N2": "007-N3"}
    folder.append(
        "study.toml",
        '[[anchor]]\ntopic = "007"\n' + "".join(f'{key} = "{value}"\n' for key, value in named.items()),
    )
    assert anchors_of(folder.imported().study, "007") == named


def test_a_written_study_file_has_both_pairs_and_no_other_study_has_a_second(
    folder: StudyFolder, tmp_path: Path
) -> None:
    study = folder.imported().study
    copy = tmp_path / "copy"
    copy.mkdir()
    write_study_folder(study, copy)
    text = (copy / "study.toml").read_text()
    assert "anchor_pairs = 2" in text
    assert text.count("\nH2 = ") == text.count("\nN2 = ") == len(TOPICS)
    again = StudyFolder.__new__(StudyFolder)
    again.path = copy
    copied = again.imported(slug="again").study
    assert [anchors_of(copied, number) for number in TOPICS] == [
        anchors_of(study, number) for number in TOPICS
    ]


def test_without_the_setting_there_is_one_pair(folder: StudyFolder) -> None:
    folder.replace("study.toml", "\nanchor_pairs = 2", "")
    study = folder.imported().study
    assert study.anchor_pairs == 1
    assert {*anchors_of(study, "007")} == {"H", "N"}


def test_topics_without_a_second_pair_are_named_with_what_to_do(folder: StudyFolder) -> None:
    for name in ("H2", "H3"):
        folder.replace("qrels.txt", f"007 0 007-{name} 3\n", "")
    (fault,) = folder.faults()
    assert "anchor.H2" in fault
    assert "topics.txt" in fault
    assert all(words in fault for words in ("007", "second document with grade H", "anchor_pairs = 1"))


def test_topics_without_grades_are_named_together(folder: StudyFolder) -> None:
    folder.replace("study.toml", '[[grades]]\nname = "sormunen"\npath = "qrels.txt"\n', "")
    for number in TOPICS:
        folder.append("study.toml", f'[[anchor]]\ntopic = "{number}"\nH = "{number}-H"\nN = "{number}-N"\n')
    (fault,) = folder.faults()
    assert "007, 1e5" in fault


def test_a_unit_too_small_for_its_anchors_is_refused(folder: StudyFolder) -> None:
    line = folder.replace("study.toml", "anchor_pairs = 2", "unit_size = 4\nanchor_pairs = 2")
    (fault,) = folder.faults()
    assert fault.startswith(f"study.toml:{line}: units.unit_size: ")
    assert "Set unit_size to 5 or more" in fault


def test_two_anchors_are_not_the_same_document(folder: StudyFolder) -> None:
    folder.append("study.toml", '[[anchor]]\ntopic = "007"\nH = "007-H"\nH2 = "007-H"\n')
    (fault,) = folder.faults()
    assert "Two anchors are the same document" in fault


def test_a_study_with_a_topic_without_its_second_pair_does_not_open() -> None:
    study = make_study(anchor_pairs=2, opened=False)
    assert opening_faults(study, now=NOW) == []
    topic = Topic.objects.get(number="401")
    topic.pool.filter(anchor="H2").update(anchor="")
    faults = opening_faults(study, now=NOW)
    assert len(faults) == 1
    assert "401" in faults[0]
    assert "H2" in faults[0]
    assert "anchor_pairs to 1" in faults[0]
