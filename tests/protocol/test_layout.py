"""What a layout makes of line breaks, and which texts would lose by joining their lines."""

import pytest

from judging.protocol.layout import Layout, loses_structure, paragraphs_of

POEM = "A line\nand another,\n  indented\n \nThe second stanza"


@pytest.mark.parametrize(
    ("layout", "paragraphs"),
    [
        (Layout.PARAGRAPHS, ["A line and another, indented", "The second stanza"]),
        (Layout.LINES, ["A line\nand another,\n  indented", "The second stanza"]),
    ],
)
def test_paragraphs_end_at_blank_lines(layout: Layout, paragraphs: list[str]) -> None:
    assert paragraphs_of(POEM, layout) == paragraphs_of(POEM.replace("\n", "\r\n"), layout) == paragraphs


@pytest.mark.parametrize(
    "text",
    [
        POEM.replace(" \n", ""),
        "Shopping:\n- some bread that is fresh, from the baker at the corner\n- milk\n1. eggs",
        "name\tnumber of all the people who ever lived in the town\none\t1\ntwo\t2",
        "def f(x):\n    if x is not None and x.attribute_with_a_long_name:\n        return x\n    return 0",
    ],
    ids=["poem", "list", "table", "code"],
)
def test_texts_that_would_lose_by_joining_lines(text: str) -> None:
    assert loses_structure(text)


@pytest.mark.parametrize(
    "text", ["One line.", "Two\nlines.", ("A line as old files wrap it, " * 2 + "\n") * 9]
)
def test_texts_whose_lines_can_be_joined(text: str) -> None:
    assert not loses_structure(text)
