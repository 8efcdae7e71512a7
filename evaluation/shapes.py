"""The shapes of data: which columns each kind of data has, and what they are called."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "topic_id": ("topic_id", "query_id", "qid", "q_id", "query-id", "topic", "query"),
    "document_id": ("document_id", "doc_id", "docno", "docid", "corpus-id", "document", "doc"),
    "subtopic_id": ("subtopic_id", "subtopic", "iteration"),
    "gain": ("gain", "relevance", "rel", "label", "grade", "score"),
    "score": ("score", "sim"),
    "label": ("label", "judgment", "judgement", "relevance", "rel", "grade", "rating", "gain", "score"),
    "rank": ("rank",),
    "tag": ("tag", "run", "run_id", "system"),
    "unit_id": ("unit_id", "unit", "hit_id", "assignment_id"),
    "relevance_score": ("relevance_score", "magnitude", "score"),
    "worker_id": ("worker_id", "worker", "judge"),
    "gold": ("gold",),
    "compared_with": ("compared_with",),
    "inclusion": ("inclusion",),
    "sampled": ("sampled",),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
}
"""The accepted names of each column, from various tools. The first of these names in a table is read."""


def markdown() -> Iterator[str]:
    """Yield the lines of Markdown that list the accepted names of each column."""
    yield "| column | accepted names |\n|---|---|\n"
    for column, names in NAMES.items():
        yield f"| `{column}` | {', '.join(f'`{name}`' for name in names)} |\n"


@dataclass(frozen=True)
class Shape:
    """The columns of one kind of data, and the words with which an error describes the accepted sources."""

    what: str
    columns: tuple[str, ...]
    optional: tuple[str, ...]
    accepted: str
    layout: str
    """The columns of a file without a header."""
    part: str
    """The part of an `ir_datasets` collection that holds this kind of data. Not every collection has it."""

    @property
    def is_nested(self) -> bool:
        """Whether a dict of dicts can hold this kind of data: a number for each topic and document."""
        return len(self.columns) == 3


GAINS: Final = Shape(
    "qrels",
    ("topic_id", "document_id", "gain"),
    ("subtopic_id",),
    'a path, "irds:" and an id of ir_datasets, {"topic": {"document": 2.5}}, rows of '
    '("topic", "document", 2.5), or a table with the columns topic_id, document_id and gain',
    "topic 0 document gain",
    "qrels",
)
RUN: Final = Shape(
    "a run",
    ("topic_id", "document_id", "score"),
    ("rank", "tag"),
    'a path, "irds:" and an id of ir_datasets, {"topic": {"document": 1.5}}, rows of '
    '("topic", "document", 1.5), or a table with the columns topic_id, document_id and score',
    "topic Q0 document rank score tag",
    "scoreddocs",
)
JUDGMENTS: Final = Shape(
    "judgments",
    ("topic_id", "unit_id", "document_id", "relevance_score"),
    ("worker_id", "gold", "compared_with"),
    "a path, rows, or a table with the columns topic_id, unit_id, document_id and relevance_score",
    "topic_id,unit_id,document_id,relevance_score",
    "judgments",
)
RATINGS: Final = Shape(
    "ratings", ("topic_id", "document_id", "score"), (), "a path", "topic 0 document score", "ratings"
)
LABELS: Final = Shape(
    "labels",
    ("topic_id", "document_id", "label"),
    (),
    'a path, {"topic": {"document": 2}}, rows of ("topic", "document", 2), or a table with the columns '
    "topic_id, document_id and label",
    "topic 0 document label",
    "qrels",
)
INCLUSION: Final = Shape(
    "chances",
    ("topic_id", "document_id", "inclusion"),
    ("sampled",),
    'a path, a `Sample`, {"topic": {"document": 0.5}}, rows of ("topic", "document", 0.5), or a table with '
    "the columns topic_id, document_id and inclusion, and sampled if it has the whole pool",
    "topic document inclusion",
    "samples",
)
SCORES: Final = Shape(
    "scores", ("topic_id", "measure", "value"), ("tag",), "a path", "run topic measure value", "scores"
)
