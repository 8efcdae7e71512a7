"""What `--update` may change: all while nobody was shown a topic, little after that."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from judging.core.services.studies import open_study, pause_study, retire_topic
from judging.models import Assignment, Document, PoolDocument, Ranking, Study, Topic, Unit
from tests.factories import NOW, make_worker
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import LETTERS, QUESTION, TOPICS, StudyFolder, run_lines
from tests.support.named import assert_all_name

pytestmark = pytest.mark.django_db


def begin(folder: StudyFolder) -> Study:
    """Import and open the study, and show a topic to one worker."""
    study = folder.imported().study
    open_study(study=study, now=NOW)
    make_worker(Study.objects.get(), upto="question")
    return Study.objects.get()


def test_before_anybody_was_shown_a_topic_everything_may_change(folder: StudyFolder) -> None:
    study = folder.imported().study
    folder.replace("study.toml", "seed = 7", "seed = 9")
    folder.replace("study.toml", "depth = 8", "depth = 2")
    folder.replace("documents.jsonl", "Text of 007-H.", "Another text.")
    folder.add_topic("3")

    updated = folder.imported(update=True).study

    assert (updated.pk, updated.slug, updated.seed) == (study.pk, "small", 9)
    assert Topic.objects.count() == 3
    assert Document.objects.get(document_id="007-H").text == "Another text."
    assert not Document.objects.filter(document_id="007-A").exists()
    assert list(study.audit.values_list("verb", flat=True)) == ["imported", "updated"]


def test_an_open_study_that_nobody_was_shown_is_planned_anew(folder: StudyFolder) -> None:
    study = folder.imported().study
    open_study(study=study, now=NOW)
    folder.replace("study.toml", "judgments_per_document = 3", "judgments_per_document = 4")

    assert folder.imported(update=True).units_planned == 8
    assert Unit.objects.count() == 8


def test_a_paused_study_is_planned_at_once_too(folder: StudyFolder) -> None:
    study = folder.imported().study
    open_study(study=study, now=NOW)
    pause_study(study=study, now=NOW)
    folder.replace("study.toml", "judgments_per_document = 3", "judgments_per_document = 4")

    assert folder.imported(update=True).units_planned == 8
    assert Unit.objects.count() == 8


def test_an_open_study_is_not_made_one_that_could_not_open(folder: StudyFolder) -> None:
    study = folder.imported().study
    open_study(study=study, now=NOW)
    folder.replace("study.toml", "depth = 8", "depth = 1")

    lines = folder.faults(update=True)

    assert [line.split(": ")[0] for line in lines] == ["study.toml:1"] * 2
    assert_error_line(lines[0], "study.toml:1", "007", "1", "6")
    assert Document.objects.count() == 16
    assert Unit.objects.count() == 6


def test_what_may_change_while_the_study_runs(folder: StudyFolder) -> None:
    begin(folder)
    pay = Assignment.objects.get().pay
    folder.replace("study.toml", "A small study", "A better title")
    folder.replace("study.toml", "A university", "Another university")
    folder.replace("study.toml", "study@", "people@")
    folder.replace(
        "study.toml",
        "seed = 7",
        "seed = 7\nopens_at = 2026-01-01T00:00:00Z\ncloses_at = 2030-01-01T00:00:00Z",
    )
    folder.replace(
        "study.toml",
        "[documents]",
        "lapse_minutes = 90\n[pay]\npay_per_unit = 0.5\npaid_within = 7\n[documents]",
    )
    folder.replace("topics.txt", "title of 007", "a clearer title")

    folder.imported(update=True)

    study = Study.objects.get()
    assert (study.title, study.requester, study.contact) == (
        "A better title",
        "Another university",
        "people@example.org",
    )
    assert (study.lapse_minutes, study.pay_per_unit) == (90, Decimal("0.50"))
    assert study.opens_at is not None
    assert study.closes_at is not None
    assert study.closes_at.year == 2030
    assert Topic.objects.get(number="007").title == "a clearer title"
    assert Assignment.objects.get().pay == pay


def test_the_same_file_again_changes_nothing(folder: StudyFolder) -> None:
    begin(folder)
    before = (Unit.objects.count(), Document.objects.count(), Ranking.objects.count())

    assert folder.imported(update=True).units_planned == 0
    assert (Unit.objects.count(), Document.objects.count(), Ranking.objects.count()) == before


def test_more_judgments_per_document_are_planned_at_once(folder: StudyFolder) -> None:
    begin(folder)
    old = set(Unit.objects.values_list("pk", flat=True))
    folder.replace("study.toml", "judgments_per_document = 3", "judgments_per_document = 5")

    assert folder.imported(update=True).units_planned == 4
    assert old < set(Unit.objects.values_list("pk", flat=True))


def test_a_new_topic_comes_with_all_that_belongs_to_it(folder: StudyFolder) -> None:
    begin(folder)
    folder.add_topic("3")

    assert folder.imported(update=True).units_planned == 3
    topic = Topic.objects.get(number="3")
    assert (topic.place, topic.question.right_option, topic.pool.count(), topic.known_grades.count()) == (
        2,
        2,
        8,
        4,
    )
    assert Ranking.objects.filter(topic=topic).count() == 2
    assert folder.imported(update=True).units_planned == 0


def test_a_new_run_is_evaluated_and_leaves_the_pools_as_they_are(folder: StudyFolder) -> None:
    begin(folder)
    lists = "".join(run_lines(number, LETTERS, "new") for number in TOPICS)
    folder.write("new.run", lists.replace("007-D", "unpooled"))
    folder.append("study.toml", '[[run]]\npath = "new.run"\n')

    notices = list(map(str, folder.imported(update=True).notices))

    assert_all_name(notices[2:], ("007", "1"))
    assert Ranking.objects.filter(run__tag="new").count() == 2
    assert Topic.objects.get(number="007").pool.count() == 8
    assert list(map(str, folder.imported(update=True).notices)) == notices


@pytest.mark.parametrize("last", ["007-D", "unpooled"])
def test_an_anchor_drawn_from_outside_the_pool_stays(folder: StudyFolder, last: str) -> None:
    folder.replace("qrels.txt", "007 0 007-H 3\n", "007 0 unpooled 3\n007 0 nowhere 3\n")
    begin(folder)
    folder.write("new.run", run_lines("007", LETTERS, "new").replace("007-D", last))
    folder.append("study.toml", '[[run]]\npath = "new.run"\n')

    assert not folder.faults(update=True)
    assert Topic.objects.get(number="007").pool.get(anchor="H").document.document_id == "unpooled"


def test_drawn_anchors_of_a_topic_that_was_shown_are_not_drawn_anew(folder: StudyFolder) -> None:
    for number in TOPICS:
        folder.append("qrels.txt", "".join(f"{number} 0 {number}-{letter} 3\n" for letter in "ABCD"))
    study = begin(folder)
    drawn = PoolDocument.objects.get(topic__study=study, topic__number="007", anchor="H")
    other = PoolDocument.objects.filter(topic=drawn.topic, grade="H").exclude(pk=drawn.pk)[0]
    PoolDocument.objects.filter(pk=drawn.pk).update(anchor="")
    PoolDocument.objects.filter(pk=other.pk).update(anchor="H")  # as an earlier version may have drawn it

    assert not folder.faults(update=True)
    assert PoolDocument.objects.get(pk=other.pk).anchor == "H"


def test_a_retired_topic_may_be_gone_from_the_file(folder: StudyFolder) -> None:
    begin(folder)
    line = without_the_second_topic(folder)
    output = folder.faults(update=True)[0]
    assert_error_line(output, f"study.toml:{line}: topic", "1e5", "python manage.py retire_topic small 1e5")
    retire_topic(topic=Topic.objects.get(number="1e5"), now=NOW)

    assert not folder.faults(update=True)
    assert Topic.objects.filter(number="1e5").exists()


def test_default_texts_from_before_fields_differ_from_no_file(folder: StudyFolder) -> None:
    """They have the unit size as a number, and so have the bundles of that time."""
    begin(folder)
    study = Study.objects.get()
    older = study.instructions_task.replace("{documents}", str(study.unit_size))
    assert older != study.instructions_task
    Study.objects.update(instructions_task=older)
    assert not folder.faults(update=True)
    assert Study.objects.get().instructions_task == older


def without_the_second_topic(folder: StudyFolder) -> int:
    folder.replace("study.toml", QUESTION.format(number="1e5"), "")
    folder.replace("study.toml", 'path = "topics.txt"', 'path = "topics.txt"\nonly = ["007"]')
    return folder.read("study.toml").split("[topics]")[0].count("\n") + 1


def changed(name: str, old: str, new: str, up: int = 0) -> Callable[[StudyFolder], int]:
    return lambda folder: folder.replace(name, old, new) - up


def with_another_run(folder: StudyFolder) -> int:
    text = folder.read("study.toml")
    folder.write("study.toml", text.replace('[[run]]\npath = "poor.run"\n', ""))
    return text[: text.index("[[run]]")].count("\n") + 1


REFUSED: dict[str, tuple[Callable[[StudyFolder], int], str, list[str]]] = {
    "seed": (
        changed("study.toml", "seed = 7", "seed = 8"),
        "study.toml:{}: seed",
        ["7", "8"],
    ),
    "seconds": (
        lambda folder: folder.append("study.toml", "[checks]\nseconds_per_document = 5\n") + 1,
        "study.toml:{}: seconds_per_document",
        ["20.0", "5.0"],
    ),
    "consent": (
        changed("study.toml", "I agree.", "I do."),
        "study.toml:{}: consent",
        ["'I agree.'"],
    ),
    "fewer judgments": (
        changed("study.toml", "judgments_per_document = 3", "judgments_per_document = 2"),
        "study.toml:{}: judgments_per_document",
        ["3"],
    ),
    "description": (
        changed("topics.txt", "What 007\n", "How 007\n", up=4),
        "topics.txt:{}: description",
        ["007"],
    ),
    "narrative": (
        changed("topics.txt", "relevant to 007", "good for 007", up=8),
        "topics.txt:{}: narrative",
        ["007"],
    ),
    "question": (
        changed("study.toml", "does topic 007", "is topic 007"),
        "study.toml:{}: question",
        ["007"],
    ),
    "answer": (
        changed("study.toml", 'answer = "three"', 'answer = "four"', up=2),
        "study.toml:{}: question",
        ["007"],
    ),
    "document": (
        changed("documents.jsonl", "Text of 007-M.", "A new text."),
        "documents.jsonl:{}: text",
        ["007-M"],
    ),
    "layout": (
        changed(
            "study.toml", 'path = "documents.jsonl"', 'path = "documents.jsonl"\nlayout = "lines"', up=-1
        ),
        "study.toml:{}: layout",
        ["'paragraphs'", "'lines'"],
    ),
    "layout of a document": (
        changed("documents.jsonl", '"Text of 007-M."', '"Text of 007-M.", "layout": "lines"'),
        "documents.jsonl:{}: layout",
        ["007-M"],
    ),
    "depth": (changed("study.toml", "depth = 8", "depth = 3", up=1), "study.toml:{}: pool", []),
    "name of the grades": (
        changed("study.toml", '"sormunen"', '"other"', up=1),
        "study.toml:{}: grades",
        ["sormunen"],
    ),
    "a grade": (
        lambda folder: folder.append("qrels.txt", "007 0 007-A 1\n") * 0 + 24,
        "study.toml:{}: sormunen",
        ["007-A", "007"],
    ),
    "an anchor": (
        lambda folder: (
            folder.append("qrels.txt", "007 0 unpooled 3\n")
            and folder.append("study.toml", '[[anchor]]\ntopic = "007"\nH = "unpooled"\n') + 1
        ),
        "study.toml:{}: anchor.H",
        ["007", "007-H", "unpooled"],
    ),
    "a topic gone": (
        without_the_second_topic,
        "study.toml:{}: topic",
        ["1e5"],
    ),
    "a run gone": (with_another_run, "study.toml:{}: run", ["poor"]),
    "a run changed": (
        lambda folder: folder.replace("good.run", "007-A 5 95", "007-A 5 95.5") * 0 + 28,
        "study.toml:{}: run",
        ["good", "007"],
    ),
}


@pytest.mark.parametrize("change", REFUSED)
def test_the_rest_is_refused_once_a_topic_was_shown(folder: StudyFolder, change: str) -> None:
    begin(folder)
    change_it, place, named = REFUSED[change]
    line = change_it(folder)
    folder.replace("study.toml", "A small study", "Half a change")

    lines = folder.faults(update=True)

    results = [item for item in lines if item.startswith(f"{place.format(line)}: ")]
    assert any(all(value in item.removeprefix(place.format(line)) for value in named) for item in results), (
        lines
    )
    assert Study.objects.get().title == "A small study"
    assert Document.objects.count() == 16
