"""Cells as text: the exports and `python -m evaluation` write CSV alike."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.files.csv_lines import csv_lines as lines_of_the_library
from judging.core.formats.export_table import Table
from judging.core.formats.texts import csv_lines
from judging.core.published.table import Column

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.text('\r\n",a ;\t')


@given(st.lists(TEXTS, min_size=1), st.lists(st.lists(TEXTS, min_size=1)))
def test_lines_are_those_of_the_library(columns: list[str], rows: list[list[str]]) -> None:
    assert list(csv_lines(Table([Column("", name=name) for name in columns], rows))) == list(
        lines_of_the_library([columns, *rows])
    )
