"""Many errors with the same cause are reported as one, so that the list shows every cause."""

import pytest

from judging.core.faults import Faults, Where
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import TOPICS, StudyFolder, run_lines
from tests.support.named import numbers_in

pytestmark = pytest.mark.django_db


def test_many_faults_of_one_kind_hide_none_of_another() -> None:
    faults = Faults()
    for line in range(1, 101):
        faults.add(Where("topics.txt", line), "question", f"topic {line} has none")
    faults.add(Where("a.run", 3), "", "columns")
    kept = faults.listed
    assert len(kept) == 50
    assert [fault.where.file for fault in kept].count("a.run") == 1
    assert faults.more == 51
    assert faults.counts == {("topics.txt", "question"): 100, ("a.run", ""): 1}


def test_a_fault_that_repeats_is_one_line_with_its_first_place() -> None:
    faults = Faults()
    for line in (7, 3, 9):
        faults.add(Where("a.run", line), "document", f"document {line} is not there", like="absent")
    (fault,) = faults.listed
    assert (fault.where.line, fault.times, faults.more) == (3, 3, 0)
    assert faults.counts == {("a.run", "document"): 1}


def test_kinds_without_end_are_kept_within_bounds() -> None:
    faults = Faults()
    for number in range(500):
        faults.add(Where("study.toml", number), f"key{number}", "is not known")
    assert faults.count == 500
    assert len(faults.counts) == len(faults.listed) == 50


def test_documents_that_are_not_there_are_one_line_for_each_run(folder: StudyFolder) -> None:
    folder.write("good.run", folder.read("good.run").replace("-A ", "-away "))
    folder.write("poor.run", folder.read("poor.run").replace("-B ", "-far "))
    output = folder.faults()
    assert [line.split(": ")[0] for line in output] == ["good.run:5", "poor.run:3"]
    assert [numbers_in(line)[-1] for line in output] == ["1", "1"], "one more of each"


def test_a_run_of_another_collection_is_one_sentence(folder: StudyFolder) -> None:
    folder.write("poor.run", "".join(run_lines(number, "VWXYZ", "poor") for number in TOPICS))
    (told,) = folder.faults()
    assert_error_line(told, "poor.run:1: document", "10")


def test_an_unknown_grade_is_told_once_with_how_often_it_stands_there(folder: StudyFolder) -> None:
    graded = folder.read("qrels.txt")
    folder.write("qrels.txt", graded.replace(" 3\n", " -1\n"))
    count = graded.count(" 3\n")
    assert count == 2
    (told,) = folder.faults()
    first = graded[: graded.index(" 3\n")].count("\n") + 1
    assert_error_line(told, f"qrels.txt:{first}: grade", "'-1'", "0 1 2 3", "levels")
    assert numbers_in(told)[-1] == "1", "one more like this"


def test_what_belongs_to_topics_that_are_not_chosen_waits(folder: StudyFolder) -> None:
    folder.append("study.toml", '\n[[anchor]]\ntopic = "1e5"\nH = "1e5-H"\n')
    folder.replace("study.toml", 'path = "topics.txt"', 'path = "topics.txt"\nonly = ["007"]')
    imported = folder.imported()
    assert imported.topics == 1
    assert [notice for notice in imported.notices if "1e5" in str(notice)]


def test_what_belongs_to_no_topic_at_all_is_a_fault_still(folder: StudyFolder) -> None:
    folder.append("study.toml", '\n[[anchor]]\ntopic = "8"\nH = "1e5-H"\n')
    (told,) = folder.faults()
    line = folder.read("study.toml").splitlines().index('topic = "8"') + 1
    assert_error_line(told, f"study.toml:{line}: anchor.topic", "'8'")


def test_a_query_whose_mark_is_misspelt_shifts_no_numbers(folder: StudyFolder) -> None:
    folder.write("topics.txt", ".I 1\n.W\none .\nI. 2\n.W\ntwo .\n.I 3\n.W\nthree .\n")
    folder.replace("study.toml", 'format = "trec"', 'format = "cranfield"')
    (told,) = [line for line in folder.faults() if line.startswith("topics.txt:5: ")]
    assert_error_line(told, "topics.txt:5: .W", "1", ".W", ".I")
