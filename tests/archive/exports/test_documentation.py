"""The documentation is made of what the code declares."""

import re
from pathlib import Path

import pytest

from judging import limits
from judging.archive.bundles import layout
from judging.core.published import PUBLISHED
from judging.protocol import settings, text_fields

DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference"


@pytest.mark.parametrize("what", PUBLISHED)
def test_its_tables_stand_in_the_documentation(what: str) -> None:
    text = (DOCS / "exports.md").read_text()
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE))
    rows = [
        f"| {f'`{column.name}`' if column.name else '*name of a grade set*'} | {column.kind} |"
        f" {column.unit} | {column.meaning} |\n"
        for column in PUBLISHED[what].columns()
    ]
    table = "".join(["| column | type | unit | meaning |\n|---|---|---|---|\n", *rows])
    assert table in sections[what]


def test_the_layout_of_bundles_stands_in_the_documentation() -> None:
    assert "".join(layout.markdown()).rstrip() in (DOCS / "bundle.md").read_text()


@pytest.mark.parametrize("table", settings.TABLES)
def test_the_settings_stand_in_the_documentation(table: str) -> None:
    assert "".join(settings.markdown(table)) in (DOCS / "study-file.md").read_text()


def test_the_fields_of_texts_stand_in_the_documentation() -> None:
    assert "".join(text_fields.markdown()) in (DOCS / "study-file.md").read_text()


def test_the_limits_stand_in_the_documentation() -> None:
    assert "".join(limits.markdown()) in (DOCS / "limits.md").read_text()
