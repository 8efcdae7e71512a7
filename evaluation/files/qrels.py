"""Gains and qrels: lines `topic 0 document gain` with real or whole gains, without a header."""

from typing import TextIO

from ..conventions import Negative
from ..errors import InputError, shown
from ..frames import Gains, Judgments
from ..options import checked
from ..origin import first
from ..parsing.named import Names
from ..parsing.qrels import qrels_columns
from ..parsing.text import File


@checked
def read_gains(path: File, negative: Negative = "error", columns: Names | None = None) -> Gains:
    """Read gains at full precision. With `negative="zero"`, negative codes such as −1 and −2 count as 0.

    The second column names the subtopic of each line, unless it is `0` or `Q0` on every line. Only
    the measures of novelty use subtopics. For other measures, a document's gain is the largest of its gains
    for subtopics.

    A file with a header such as `query-id,corpus-id,score`, or JSONL with such keys, is read by these names.
    `columns` maps `topic_id`, `document_id`, `gain` and `subtopic_id` to other names or, in a file without a
    header, to positions: `{"topic_id": 1, "document_id": 2, "gain": 3}`. In lines without a header, tabs or
    blanks separate the columns, and lines that begin with `#` are skipped.

    Raise `InputError` with file and line for a wrong number of columns, for a
    gain that is not a finite number and, by default, for a negative gain. Also raise `InputError` for a
    document that is judged twice in a topic or, in a file with subtopics, twice for a subtopic.
    """
    found, origin = qrels_columns(path, columns)
    return Gains.from_columns(**found, negative=negative, origin=origin)


def write_gains(gains: Gains, out: TextIO, *, whole: bool = False) -> None:
    """Write tab-separated lines. Each gain has only as many digits as are needed to restore the same float.

    With `whole`, the gains must be whole numbers and are written without a decimal point.
    """
    for topic, document, gain in gains.table.select("topic_id", "document_id", "gain").iter_rows():
        out.write(f"{topic}\t0\t{document}\t{int(gain) if whole else repr(gain)}\n")


def refuse_blanks(judgments: Judgments) -> None:
    """Raise `InputError` for the first topic id or document id that contains white space.

    The columns of a gains file are separated by white space, so the file cannot contain such an id.
    """
    for name in ("topic_id", "document_id"):
        ids = judgments.table[name]
        if (row := first(ids.str.contains(r"\s").to_numpy())) is not None:
            raise InputError(
                "id-with-white-space",
                "{column} {id} contains white space, which separates the columns of a gains file; choose an "
                "id without white space",
                judgments.origin.at(row),
                column=name,
                id=shown(ids[row]),
            )
