"""Small collections in the files in which they are published, and studies that read them."""

import json
from pathlib import Path

import ir_datasets

HEAD = 'slug = "{slug}"\ntitle = "Published"\nseed = 7\n'
TEXTS = {"d1": "One.", "d2": "Two.", "d3": "Three."}
QUERIES = {"1": "first query", "3": "third query"}
GRADES = {"d1": "2", "d2": "1", "d3": "0"}
DATASET = "beir/scifact/test"


def json_lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def tab_lines(rows: list[tuple[str, ...]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_beir(folder: Path) -> None:
    documents = [
        {"_id": name, "title": f"Title of {name}", "text": text, "metadata": {"url": "u"}}
        for name, text in TEXTS.items()
    ]
    write(folder / "corpus.jsonl", json_lines([*documents, {"_id": "d4", "title": "", "text": "Unpooled."}]))
    queries = [{"_id": name, "text": text, "metadata": {}} for name, text in QUERIES.items()]
    write(folder / "queries.jsonl", json_lines([*queries, {"_id": "2", "text": "of the training set"}]))
    rows = [(topic, document, grade) for topic in QUERIES for document, grade in GRADES.items()]
    write(folder / "qrels" / "test.tsv", tab_lines([("query-id", "corpus-id", "score"), *rows]))


def register_dataset(folder: Path, name: str) -> None:
    """Make a collection of `ir_datasets` from local files."""
    write(folder / "docs.tsv", tab_lines(list(TEXTS.items())))
    write(folder / "queries.tsv", tab_lines(list(QUERIES.items())))
    rows = (f"{topic} 0 {document} {grade}\n" for topic in QUERIES for document, grade in GRADES.items())
    write(folder / "qrels", "".join(rows))
    dataset = ir_datasets.create_dataset(
        docs_tsv=str(folder / "docs.tsv"),
        queries_tsv=str(folder / "queries.tsv"),
        qrels_trec=str(folder / "qrels"),
    )
    ir_datasets.registry.register(name, dataset)


def study_text(tables: str, slug: str = "published") -> str:
    """Return a study file with these tables, a list as its pool, and a question for each topic."""
    questions = (
        f'[[question]]\ntopic = "{topic}"\nquestion = "What?"\noptions = ["a", "b", "c", "d"]\nanswer = "a"\n'
        for topic in QUERIES
    )
    return f'{HEAD.format(slug=slug)}{tables}\n[pool]\npath = "pool.txt"\n{"".join(questions)}'


def pool_text(documents: list[str]) -> str:
    return "".join(f"{topic} {document}\n" for topic in QUERIES for document in documents)
