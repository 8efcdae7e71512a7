"""`docs/guides/collections.md`: BEIR, MS MARCO, ir_datasets and other files, as they are published."""

import sys
import tomllib
from pathlib import Path

import ir_datasets
import pytest

from judging.models import Document, KnownGrade, PoolDocument, Study, Topic
from judging.setup.study_files.importing import import_study
from tests.documents.examples import FENCE
from tests.factories import NOW
from tests.setup.intake.folder import StudyFolder
from tests.setup.intake.published import (
    GRADES,
    QUERIES,
    TEXTS,
    json_lines,
    pool_text,
    register_dataset,
    study_text,
    tab_lines,
    write,
    write_beir,
)
from tests.support.tree import ROOT

pytestmark = pytest.mark.django_db

PAGE = (ROOT / "docs" / "guides" / "collections.md").read_text()
BEIR, LONG_QUERIES, MS_MARCO, DATASETS, OTHERS = (
    match[3] for match in FENCE.finditer(PAGE) if match[2].startswith("toml")
)
MARCO = {"1048585": "what is paula deen's brother", "2": "Androgen receptor define"}


def stored_texts() -> dict[str, tuple[str, str]]:
    rows = Document.objects.values_list("document_id", "title", "text")
    return {name: (title, text) for name, title, text in rows}


def stored_topics() -> dict[str, tuple[str, str]]:
    rows = Topic.objects.values_list("number", "title", "description")
    return {number: (title, description) for number, title, description in rows}


def stored_grades() -> set[tuple[str, str, str, str]]:
    return set(KnownGrade.objects.values_list("topic__number", "document_id", "value", "level"))


def run_example(folder: Path, example: str, documents: list[str]) -> None:
    write(folder / "study.toml", study_text(example))
    write(folder / "pool.txt", pool_text(documents))
    import_study(folder, now=NOW)


def test_beir(tmp_path: Path) -> None:
    write_beir(tmp_path / "scifact")

    run_example(tmp_path, BEIR, list(TEXTS))

    assert stored_texts() == {name: (f"Title of {name}", text) for name, text in TEXTS.items()}
    assert stored_topics() == {number: (query, "") for number, query in QUERIES.items()}
    levels = {"0": "N", "1": "R", "2": "H"}
    assert stored_grades() == {
        (topic, document, grade, levels[grade]) for topic in QUERIES for document, grade in GRADES.items()
    }
    assert set(PoolDocument.objects.exclude(anchor="").values_list("document__document_id", "anchor")) == {
        ("d1", "H"),
        ("d3", "N"),
    }


def test_queries_that_are_too_long_for_a_title(tmp_path: Path) -> None:
    write_beir(tmp_path / "scifact")
    query = "word " * 300
    rows: list[dict[str, object]] = [{"_id": name, "text": query} for name in QUERIES]
    write(tmp_path / "arguana" / "queries.jsonl", json_lines(rows))
    documents, _, rest = BEIR.partition("[topics]")

    run_example(
        tmp_path, f"{documents}{LONG_QUERIES}[[grades]]{rest.partition('[[grades]]')[2]}", list(TEXTS)
    )

    assert stored_topics() == {number: (number, query.strip()) for number in QUERIES}


@pytest.mark.parametrize("part", ["passages", "documents"])
def test_ms_marco(tmp_path: Path, part: str) -> None:
    folder = tmp_path / "msmarco"
    passages = [("7", 'A "quoted" passage.'), ("8", "Eight."), ("9", "Nine.")]
    rows: list[tuple[str, ...]] = list(passages)
    if part == "documents":
        rows = [(name, "https://example.org", f"Title {name}", text) for name, text in passages]
    write(folder / "collection.tsv", tab_lines(rows))
    write(folder / "queries.dev.small.tsv", tab_lines([*MARCO.items(), ("3", "not selected")]))
    separator = "\t" if part == "passages" else " "  # as the two parts are published
    qrels = (separator.join((topic, "0", document, "1")) + "\n" for topic in MARCO for document in "78")
    write(folder / "qrels.dev.small.tsv", "".join(qrels))
    study = study_text(MS_MARCO.replace("levels = { 0", 'unlisted = "N"\nlevels = { 0'))
    for old, new in zip(QUERIES, MARCO, strict=True):
        study = study.replace(f'topic = "{old}"', f'topic = "{new}"')
    anchors = "".join(f'[[anchor]]\ntopic = "{topic}"\nH = "7"\nreason = "r"\n' for topic in MARCO)
    write(tmp_path / "study.toml", study + anchors)
    write(tmp_path / "pool.txt", "".join(f"{topic} {name}\n" for topic in MARCO for name in "789"))

    import_study(tmp_path, now=NOW)

    titles = {name: f"Title {name}" if part == "documents" else "" for name, _text in passages}
    assert stored_texts() == {name: (titles[name], text) for name, text in passages}
    assert stored_topics() == {number: (query, "") for number, query in MARCO.items()}
    graded = {(topic, document, "1", "R") for topic in MARCO for document in "78"}
    assert stored_grades() == graded | {(topic, "9", "N", "N") for topic in MARCO}


@pytest.fixture
def dataset(tmp_path: Path) -> str:
    """A local collection of `ir_datasets`, which takes the place of the one in the example."""
    register_dataset(tmp_path / "dataset", name := f"plumbline-{tmp_path.name}")
    return name


def test_a_collection_of_ir_datasets(tmp_path: Path, dataset: str) -> None:
    run_example(tmp_path, DATASETS.replace("beir/scifact/test", dataset), list(TEXTS))

    assert stored_texts() == {name: ("", text) for name, text in TEXTS.items()}
    assert stored_topics() == {number: (query, "") for number, query in QUERIES.items()}
    assert {row[1:3] for row in stored_grades()} == set(GRADES.items())


def test_other_files(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    articles: list[dict[str, object]] = [
        {"_id": place, "title": None if place == 1 else "T", "body": text}
        for place, text in enumerate(TEXTS.values(), start=1)
    ]
    write(folder / "articles.jsonl", json_lines(articles))
    rows = "".join(f'x,"needs\nlines",{query},{number}\n' for number, query in QUERIES.items())
    write(folder / "topics.csv", f"note,what is relevant,query,qid\n{rows}")
    labels = {"1": "perfect", "2": "good", "3": "bad"}
    judged = [(topic, document, label) for topic in QUERIES for document, label in labels.items()]
    write(folder / "labels.tsv", tab_lines(judged))

    run_example(tmp_path, OTHERS, list(labels))

    assert stored_texts() == {"1": ("", "One."), "2": ("T", "Two."), "3": ("T", "Three.")}
    assert set(Topic.objects.values_list("number", "title", "narrative")) == {
        (number, query, "needs\nlines") for number, query in QUERIES.items()
    }
    levels = {"1": "H", "2": "R", "3": "N"}
    assert stored_grades() == {
        (topic, document, label, levels[document]) for topic, document, label in judged
    }


def test_the_examples_are_whole_tables() -> None:
    for example in (BEIR, MS_MARCO, DATASETS, OTHERS):
        assert tomllib.loads(example).keys() == {"documents", "topics", "grades"}


def test_faults_of_published_files_have_file_and_line(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path / "study")
    write_beir(folder.path / "scifact")
    folder.write("study.toml", study_text(BEIR))
    folder.write("pool.txt", pool_text(list(TEXTS)))
    line = folder.append("scifact/corpus.jsonl", '{"_id": "a b", "title": "", "text": "x"}\n')
    folder.append("scifact/corpus.jsonl", '{"_id": "d9", "title": ""}\n')
    grade = folder.append("scifact/qrels/test.tsv", "1\td9\t0.5\n")

    faults = folder.faults()

    assert [fault.split(": ")[:2] for fault in faults] == [
        [f"scifact/corpus.jsonl:{line}", "id"],
        [f"scifact/corpus.jsonl:{line + 1}", "text"],
        [f"scifact/qrels/test.tsv:{grade}", "grade"],
    ]
    assert "'a b'" in faults[0]
    assert "'0.5'" in faults[2]
    folder.replace("study.toml", 'levels = { 0 = "N",', 'levels = { "0.5" = "M", 0 = "N",')
    assert len(folder.faults()) == 2


@pytest.mark.parametrize(
    ("path", "named"),
    [("irds:plumbline-none", "plumbline-none"), ("irds:DATASET", "pip install ir_datasets")],
    ids=["an id that nobody knows", "without the package"],
)
def test_a_collection_that_cannot_be_read(
    tmp_path: Path, dataset: str, monkeypatch: pytest.MonkeyPatch, path: str, named: str
) -> None:
    if "DATASET" in path:
        monkeypatch.setitem(sys.modules, "ir_datasets", None)
    folder = StudyFolder(tmp_path / "study")
    folder.replace(
        "study.toml",
        'format = "jsonl"\npath = "documents.jsonl"',
        f'path = "{path.replace("DATASET", dataset)}"',
    )

    (fault,) = folder.faults()

    assert fault.startswith("study.toml:13: documents.path: ")
    assert named in fault
    assert not Study.objects.exists()


def test_a_collection_without_a_part(tmp_path: Path) -> None:
    name = f"plumbline-no-docs-{tmp_path.name}"
    write(tmp_path / "queries.tsv", tab_lines(list(QUERIES.items())))
    ir_datasets.registry.register(name, ir_datasets.create_dataset(queries_tsv=str(tmp_path / "queries.tsv")))
    folder = StudyFolder(tmp_path / "study")
    folder.replace("study.toml", 'format = "jsonl"\npath = "documents.jsonl"', f'path = "irds:{name}"')

    (fault,) = folder.faults()

    assert "docs" in fault


def test_grades_without_levels_are_numbers_in_a_study_for_analysis(tmp_path: Path) -> None:
    write_beir(tmp_path / "scifact")
    rows = "".join(f"{topic},u{topic},{name},10\n" for topic in QUERIES for name in TEXTS)
    write(tmp_path / "judgments.csv", f"topic_id,unit_id,document_id,relevance_score\n{rows}")
    grades = '[[grades]]\nname = "scifact"\nformat = "beir"\npath = "scifact/qrels/test.tsv"\n'
    head = 'slug = "others"\ntitle = "Others"\npurpose = "analysis"\n'
    write(tmp_path / "study.toml", f'{head}[judgments]\npath = "judgments.csv"\n{grades}')

    import_study(tmp_path, now=NOW)

    assert {(document, level) for _topic, document, _value, level in stored_grades()} == set(GRADES.items())
