from collections.abc import Callable

from judging.core.published.judgments import JudgmentRow
from judging.core.published.table import AddedColumn, Cell, Column, Kind
from judging.models import Study


def words_of_reasons(study: Study) -> Callable[[JudgmentRow], Cell]:
    """Return a function from a judgment to the number of words in its reason."""
    return lambda row: len(row.comment.split())


REASON_WORDS = AddedColumn(
    "judgments",
    Column("how many words the reason has", "words", name="reason_words", kind=Kind.WHOLE),
    words_of_reasons,
)
