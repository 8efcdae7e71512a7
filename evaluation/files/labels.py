"""Labels that a judge gives to documents, such as a language model: qrels, or a table with names."""

from ..distances.ratings import Ratings
from ..parsing.named import Names
from ..parsing.text import File
from ..parsing.trec import NUMBER, TEXT, Layout, read_columns
from ..shapes import LABELS

LAYOUT = Layout(LABELS.layout, {"topic_id": TEXT, "0": TEXT, "document_id": TEXT, "label": NUMBER}, LABELS)


def read_labels(path: File, columns: Names | None = None) -> Ratings:
    """Read labels on any scale: qrels, or CSV, TSV or JSONL whose columns have names.

    The columns `topic_id`, `document_id` and `label` can have the names of other tools, such as `qid`,
    `docid` and `judgment`. `columns` maps them to any other names. Raise `InputError` with file and line for
    a row that lacks a column, for a label that is not a finite number, and for a document that has two labels
    in a topic.
    """
    table, origin = read_columns(path, LAYOUT, columns)
    return Ratings.from_columns(table["topic_id"], table["document_id"], table["label"], origin=origin)
