"""What a sound study file becomes."""

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from evaluation.frames import Gains
from evaluation.scores import score
from judging.core.selectors.texts import fill_fields
from judging.core.services.planning import plan_missing_units
from judging.models import (
    AuditEntry,
    Document,
    KnownGrade,
    PoolDocument,
    Question,
    Ranking,
    Study,
    Topic,
    UnitDocument,
)
from judging.setup.intake.study_file import SHIPPED
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from judging.understanding.scoring import study_runs
from tests.factories import NOW
from tests.setup.intake.folder import TOPICS, StudyFolder, document_ids, run_lines
from tests.support.named import assert_all_name, assert_names, numbers_in

pytestmark = pytest.mark.django_db


def anchors(study: Study) -> dict[tuple[str, str], str]:
    rows = PoolDocument.objects.filter(topic__study=study).exclude(anchor="")
    return {(row.topic.number, row.anchor): row.document.document_id for row in rows}


def plan(study: Study) -> list[tuple[str, int, str]]:
    """Topic, unit and document, in the order of the plan."""
    rows = UnitDocument.objects.filter(unit__topic__study=study).order_by(
        "unit__topic__place", "unit__number", "pk"
    )
    names = ("unit__topic__number", "unit__number", "pool_document__document__document_id")
    return list(rows.values_list(*names))


def test_everything_is_written(folder: StudyFolder) -> None:
    study = folder.imported().study

    assert (study.slug, study.state, study.seed) == ("small", "draft", 7)
    assert list(Topic.objects.values_list("number", "title", "description")) == [
        (number, f"title of {number}", f"What {number} is.") for number in TOPICS
    ]
    assert list(Question.objects.values_list("right_option", flat=True)) == [2, 2]
    assert anchors(study) == {(number, grade): f"{number}-{grade}" for number in TOPICS for grade in "HN"}
    assert PoolDocument.objects.get(document__document_id="007-M").grade == "M"
    assert PoolDocument.objects.get(document__document_id="007-A").grade == ""
    assert KnownGrade.objects.get(document_id="1e5-R").value == "2"
    assert AuditEntry.objects.get().verb == "imported"


def test_defaults_are_those_of_the_original_study(folder: StudyFolder) -> None:
    folder.replace("study.toml", "judgments_per_document = 3", "")
    study = folder.imported().study

    assert (study.unit_size, study.judgments_per_document, study.lapse_minutes) == (8, 10, 60)
    assert (study.seconds_per_document, study.anchor_ties, study.check_attempts) == (20, "fail", 3)
    assert (study.practice_attempts, study.comprehension_attempts, study.visit_minutes) == (3, 3, 15)
    assert (study.topic_choice, study.platform, study.consent_version) == ("weighted", "direct", "1")
    assert "8" in numbers_in(fill_fields(study.instructions_task, study))
    assert study.instructions_magnitude == (SHIPPED / "en" / "instructions_magnitude.md").read_text().strip()


def test_only_pooled_documents_are_stored(folder: StudyFolder) -> None:
    folder.imported()

    assert set(Document.objects.values_list("document_id", flat=True)) == set(document_ids())


def test_ids_are_text(folder: StudyFolder) -> None:
    folder.imported()

    assert set(Topic.objects.values_list("number", flat=True)) == {"007", "1e5"}
    assert Ranking.objects.get(run__tag="good", topic__number="1e5").document_ids[0] == "1e5-H"


def test_a_run_keeps_the_order_of_its_file(folder: StudyFolder) -> None:
    ranking = folder.imported().study.runs.get(tag="poor").rankings.get(topic__number="007")

    assert ranking.document_ids == [f"007-{letter}" for letter in "DCBANMRH"]
    assert ranking.ranks == [1, 2, 3, 4, 5, 6, 7, 8]
    assert ranking.scores == [99.0, 98.0, 97.0, 96.0, 95.0, 94.0, 93.0, 92.0]


def test_gzip_is_read_everywhere(folder: StudyFolder) -> None:
    for name in ("documents.jsonl", "topics.txt", "qrels.txt", "good.run"):
        folder.write(f"{name}.gz", gzip.compress(folder.read(name).encode()))
        folder.replace("study.toml", f'"{name}"', f'"{name}.gz"')

    assert folder.imported().documents == 16


def test_the_pool_has_the_first_documents_of_every_run(folder: StudyFolder) -> None:
    folder.replace("study.toml", "depth = 8", "depth = 2")
    folder.imported()

    pooled = set(
        PoolDocument.objects.filter(topic__number="007").values_list("document__document_id", flat=True)
    )
    assert pooled == {"007-H", "007-R", "007-D", "007-C", "007-N"}, "two of each run, and the N anchor"


def test_scores_apart_beyond_32_bits_are_apart_in_the_pool_as_in_scoring(folder: StudyFolder) -> None:
    folder.replace("study.toml", "depth = 8", "depth = 1")
    folder.write(
        "good.run",
        "007 Q0 007-A 1 10.00000002 good\n007 Q0 007-B 2 10.00000001 good\n" + run_lines("1e5", "HR", "good"),
    )
    study = folder.imported().study

    pooled = PoolDocument.objects.filter(topic__number="007", anchor="")
    names = set(pooled.values_list("document__document_id", flat=True))
    assert names == {"007-A", "007-D"}, "the first of each run"
    gains = Gains.from_columns(["007", "007"], ["007-A", "007-B"], [0.0, 1.0])
    means = {row.run: row.value for row in score(gains, study_runs(study), ["P@1"]).means()}
    assert means["good"] == 0.0


def test_an_explicit_pool(folder: StudyFolder) -> None:
    folder.replace("study.toml", "depth = 8", 'path = "pool.txt"')
    folder.write(
        "pool.txt", "".join(f"{name.split('-')[0]} {name}\n" for name in document_ids() if name[-1] != "D")
    )
    folder.imported()

    assert not Document.objects.filter(document_id__endswith="-D").exists()


def test_an_anchor_outside_the_pool_joins_it(folder: StudyFolder) -> None:
    folder.append("study.toml", '[[anchor]]\ntopic = "007"\nH = "unpooled"\n')
    folder.append("qrels.txt", "007 0 unpooled 3\n")
    study = folder.imported().study

    assert anchors(study)["007", "H"] == "unpooled"
    assert anchors(study)["1e5", "H"] == "1e5-H"
    assert PoolDocument.objects.get(document__document_id="unpooled").grade == "H"


def test_anchors_that_grades_disagree_with_are_taken_and_told(
    folder: StudyFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.append("study.toml", '[[grades]]\nname = "trec"\npath = "trec.txt"\n')
    folder.write("trec.txt", "007 0 007-R 3\n007 0 007-A 2\n")
    folder.append("study.toml", '[[anchor]]\ntopic = "007"\nH = "007-R"\nN = "007-A"\n')
    imported = folder.imported()

    assert anchors(imported.study)["007", "H"] == "007-R"
    results = [notice for notice in map(str, imported.notices) if "007-R" in notice or "007-A" in notice]
    assert_all_name(results, ("007", "007-R", "sormunen", "R"), ("007", "007-A", "sormunen", "trec", "R"))
    call_command("check_study", "small")
    warnings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Warning: ")]
    assert sorted(warnings) == sorted(f"Warning: {item}" for item in results)


def test_a_topic_without_an_h_document_takes_another_with_a_reason(
    folder: StudyFolder, tmp_path: Path
) -> None:
    folder.replace("qrels.txt", "007 0 007-H 3", "007 0 007-H 2")
    folder.append("study.toml", '[[anchor]]\ntopic = "007"\nH = "007-R"\nreason = "The best there is."\n')
    imported = folder.imported()

    assert Topic.objects.get(number="007").anchor_reason == "The best there is."
    assert any("The best there is." in str(notice) for notice in imported.notices)
    (tmp_path / "again").mkdir()
    write_study_folder(imported.study, tmp_path / "again", slug="again")
    again = import_study(tmp_path / "again", now=NOW).study
    assert Topic.objects.get(study=again, number="007").anchor_reason == "The best there is."
    folder.replace("study.toml", "The best there is.", "A better reason.")
    folder.imported(update=True)
    assert Topic.objects.get(study=imported.study, number="007").anchor_reason == "A better reason."


def test_a_grade_absent_from_the_pool_is_drawn_from_all_graded_documents_with_text(
    folder: StudyFolder,
) -> None:
    for number in TOPICS:
        folder.replace("qrels.txt", f"{number}-H 3", f"{number}-H 2")
        folder.append("qrels.txt", f"{number} 0 unpooled 3\n{number} 0 nowhere 3\n{number} 0 hollow 3\n")
    folder.append("documents.jsonl", '{"id": "hollow", "title": "", "text": " "}\n')
    study = folder.imported().study

    assert {anchors(study)[number, "H"] for number in TOPICS} == {"unpooled"}


def test_the_seed_draws_the_anchors(folder: StudyFolder) -> None:
    for number in TOPICS:
        folder.append("qrels.txt", "".join(f"{number} 0 {number}-{letter} 3\n" for letter in "ABCD"))
    drawn = []
    for seed in range(8):
        folder.replace("study.toml", f"seed = {7 + seed}", f"seed = {8 + seed}")
        drawn.append(
            {key: value[-1] for key, value in anchors(folder.imported(slug=f"s{seed}").study).items()}
        )
    again = folder.imported(slug="again").study

    assert {key: value[-1] for key, value in anchors(again).items()} == drawn[-1]
    assert len({tuple(sorted(item.items())) for item in drawn}) > 1


def test_the_same_seed_makes_the_same_plan(folder: StudyFolder) -> None:
    plans = []
    for slug in ("first", "second"):
        study = folder.imported(slug=slug).study
        assert plan_missing_units(study=study) == 2 * 3, "⌈3·6/6⌉ units for each of two topics"
        assert plan_missing_units(study=study) == 0
        plans.append(plan(study))
    folder.replace("study.toml", "seed = 7", "seed = 8")
    other = folder.imported(slug="other").study
    plan_missing_units(study=other)

    assert plans[0] == plans[1]
    assert len(plans[0]) == 2 * 3 * 6
    assert plan(other) != plans[0]


def test_raised_judgments_add_units_and_touch_no_other(folder: StudyFolder) -> None:
    study = folder.imported().study
    plan_missing_units(study=study)
    before = plan(study)
    study.judgments_per_document = 5
    study.save()

    assert plan_missing_units(study=study) == 2 * 2
    after = plan(study)
    assert set(before) < set(after)
    assert max(number for _, number, _ in after) == 5


def test_topics_of_grades_and_runs_that_the_study_lacks_are_passed_over_with_a_notice(
    folder: StudyFolder,
) -> None:
    folder.append("qrels.txt", "999 0 x 1\n")
    folder.append("good.run", "999 Q0 x 1 1 good\n")

    notices = list(map(str, folder.imported().notices))
    for name in ("qrels.txt", "good.run"):
        (told,) = [notice for notice in notices if notice.startswith(f"{folder.path / name}: ")]
        assert_names(told, "1")


def test_a_selection_of_topics(folder: StudyFolder) -> None:
    folder.replace("study.toml", 'path = "topics.txt"', 'path = "topics.txt"\nonly = ["1e5"]')
    at = folder.read("study.toml").index('[[question]]\ntopic = "007"')
    folder.write(
        "study.toml", folder.read("study.toml")[:at] + folder.read("study.toml")[at:].split("\n\n", 1)[1]
    )

    assert folder.imported().topics == 1
    assert Topic.objects.get().number == "1e5"


def test_texts_may_stand_in_files(folder: StudyFolder) -> None:
    folder.replace("study.toml", 'information = "What the study is."', 'information_file = "sheet.md"')
    folder.write("sheet.md", "# The sheet\r\n\r\nAs *Markdown*.\r\n")

    assert folder.imported().study.information == "# The sheet\n\nAs *Markdown*."


def test_inline_topics(folder: StudyFolder) -> None:
    folder.append(
        "study.toml",
        '[[topic]]\nnumber = "3"\ntitle = "Third"\nquestion = "Which?"\noptions = ["a", "b", "c", "d"]\n'
        'answer = "a"\n[[anchor]]\ntopic = "3"\nH = "007-A"\nN = "007-B"\n',
    )
    folder.imported()

    topic = Topic.objects.get(number="3")
    assert (topic.place, topic.title, topic.question.right_option) == (2, "Third", 0)
    assert topic.pool.count() == 2


def test_unlimited_attempts_and_exact_pay(folder: StudyFolder) -> None:
    folder.replace(
        "study.toml",
        "[documents]",
        '[checks]\ncheck_attempts = "unlimited"\n[pay]\npay_per_unit = 0.1\n[documents]',
    )
    study = folder.imported().study
    study.refresh_from_db()

    assert study.check_attempts is None
    assert str(study.pay_per_unit) == "0.10"


def test_a_long_collection_is_a_stream(folder: StudyFolder) -> None:
    with (folder.path / "documents.jsonl").open("a") as file:
        for number in range(5000):
            file.write(json.dumps({"id": f"x{number}", "text": "Another."}) + "\n")

    assert folder.imported().documents == 16
    assert Document.objects.count() == 16


def test_the_slug_is_the_folders_name_unless_given(folder: StudyFolder) -> None:
    folder.replace("study.toml", 'slug = "small"\n', "")
    call_command("import_study", str(folder.path), verbosity=0)
    call_command("import_study", str(folder.path), slug="other", verbosity=0)

    assert set(Study.objects.values_list("slug", flat=True)) == {"small", "other"}


def test_documents_that_lose_by_joined_lines_are_named(folder: StudyFolder) -> None:
    folder.replace("documents.jsonl", '"Text of 007-M."', '"- one\\n- two\\n- three"')
    assert any("007-M" in notice and "layout" in notice for notice in map(str, folder.imported().notices))
    folder.replace("study.toml", '"documents.jsonl"', '"documents.jsonl"\nlayout = "lines"')
    assert not any("layout" in str(notice) for notice in folder.imported(update=True).notices)


def test_a_format_that_wraps_its_lines_cannot_keep_them(folder: StudyFolder) -> None:
    folder.write("documents.cran", "")
    line = folder.replace(
        "study.toml",
        'format = "jsonl"\npath = "documents.jsonl"',
        'format = "cranfield"\nlayout = "lines"\npath = "documents.cran"',
    )
    assert any(f"study.toml:{line + 1}: documents.layout: " in fault for fault in folder.faults())
