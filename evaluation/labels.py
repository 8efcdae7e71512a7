"""Sets of labels: numbers that a judge gives to documents, on any scale."""

from .distances.ratings import Ratings
from .files.labels import read_labels
from .frames import Gains
from .runs import Run
from .shapes import LABELS
from .sources import Source, columns_of, is_path


def labels_of(source: Source) -> Ratings:
    """Return a set of labels.

    The source can be a file, gains, a run, ratings, a dict of dicts, rows or a table.

    Raise `InputError` for a source that cannot be read, for a label that is not finite, and for a document
    that has two labels in a topic.
    """
    if isinstance(source, Ratings):
        return source
    if is_path(source):
        return read_labels(source)
    if isinstance(source, Gains | Run):
        label = "gain" if isinstance(source, Gains) else "score"
        return Ratings.from_columns(*(source.table[name] for name in ("topic_id", "document_id", label)))
    columns = columns_of(source, LABELS)
    return Ratings.from_columns(*(columns[name] for name in LABELS.columns))
