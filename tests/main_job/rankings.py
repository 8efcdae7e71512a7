"""Rankings of the Cranfield collection by a kept BM25 library, and the study file that names them."""

import json
from pathlib import Path
from typing import Any

import bm25s

from judging.setup.intake.content import DocumentContent, TopicContent

DEPTH = 100
SETTINGS: dict[str, dict[str, Any]] = {
    "bm25-text": {"fields": ("title", "text"), "method": "lucene", "k1": 1.2, "b": 0.75},
    "bm25-saturated": {"fields": ("title", "text"), "method": "robertson", "k1": 0.1, "b": 0.0},
    "bm25-title": {"fields": ("title",), "method": "lucene", "k1": 1.2, "b": 0.75},
}


def write_runs(folder: Path, documents: list[DocumentContent], topics: list[TopicContent]) -> list[Path]:
    """One TREC run file per entry of `SETTINGS`: the best `DEPTH` documents of each topic."""
    return [_write_run(folder / f"{tag}.run", tag, documents, topics, **SETTINGS[tag]) for tag in SETTINGS]


def _write_run(
    path: Path,
    tag: str,
    documents: list[DocumentContent],
    topics: list[TopicContent],
    *,
    fields: tuple[str, ...],
    **settings: Any,
) -> Path:
    texts = [" ".join(getattr(document, field) for field in fields) for document in documents]
    index = bm25s.BM25(**settings)
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    queries = bm25s.tokenize([topic.description for topic in topics], stopwords="en", show_progress=False)
    places, scores = index.retrieve(queries, k=DEPTH, show_progress=False)
    with path.open("w") as run:
        for topic, row, values in zip(topics, places, scores, strict=True):
            for rank, (place, score) in enumerate(zip(row, values, strict=True), start=1):
                run.write(f"{topic.number} Q0 {documents[place].id} {rank} {float(score)!r} {tag}\n")
    return path


def write_study(
    folder: Path,
    cranfield: Path,
    topics: list[TopicContent],
    runs: list[Path],
    *,
    seconds: float,
    judgments: int = 10,
    depth: int = 10,
) -> Path:
    """A study file over the collection where it lies; each question offers four needs to choose from."""
    quoted = json.dumps  # JSON's texts and lists of texts are TOML's too
    needs = [topic.description for topic in topics]
    lines = [
        'title = "Aerodynamics"',
        'requester = "A research group"',
        'contact = "study@example.org"',
        'information = "Four information needs of engineers."',
        'consent = "I take part of my own free will."',
        "seed = 1400",
        f"[units]\njudgments_per_document = {judgments}",
        f"[checks]\nseconds_per_document = {seconds}",
        f'[documents]\nformat = "cranfield"\npath = {quoted(str(cranfield / "cran.all.1400"))}',
        f'[topics]\nformat = "cranfield"\npath = {quoted(str(cranfield / "cran.qry"))}',
        f"only = {quoted([topic.number for topic in topics])}",
        f"[pool]\ndepth = {depth}",
        f'[[grades]]\nname = "cranfield"\nformat = "cranfield"\npath = {quoted(str(cranfield / "cranqrel"))}',
        'unlisted = "N"',
        *(f"[[run]]\npath = {quoted(run.name)}" for run in runs),
        *(
            f'[[question]]\ntopic = {quoted(topic.number)}\nquestion = "What is wanted?"\n'
            f"options = {quoted((needs * 2)[place : place + 4])}\nanswer = {quoted(topic.description)}"
            for place, topic in enumerate(topics)
        ),
    ]
    (folder / "study.toml").write_text("\n".join(lines) + "\n")
    return folder / "study.toml"
