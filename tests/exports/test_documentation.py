"""The data dictionary names every column of every export, and the documentation is made of it."""

import re
from pathlib import Path

import pytest

from judging import limits
from judging.exports.catalogue import EXPORTS, PAYMENTS
from judging.exports.dictionary import DICTIONARY, markdown
from judging.intake.bundles import layout
from judging.protocol import settings
from tests.factories import make_study

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_dictionary_has_the_columns_of_the_exports_in_their_order(db: None) -> None:
    study = make_study(opened=False)
    for what, export in (EXPORTS | {PAYMENTS.name: PAYMENTS}).items():
        assert [column.name for column in DICTIONARY[what]] == list(export.table(study).columns), what
        assert all(column.meaning for column in DICTIONARY[what])


@pytest.mark.parametrize("what", DICTIONARY)
def test_its_tables_stand_in_the_documentation(what: str) -> None:
    text = (DOCS / "exports.md").read_text()
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE))
    assert markdown(what) in sections[what]


def test_the_layout_of_bundles_stands_in_the_documentation() -> None:
    assert "".join(layout.markdown()).rstrip() in (DOCS / "bundle.md").read_text()


@pytest.mark.parametrize("table", settings.TABLES)
def test_the_settings_stand_in_the_documentation(table: str) -> None:
    assert "".join(settings.markdown(table)) in (DOCS / "study-file.md").read_text()


def test_the_limits_stand_in_the_documentation() -> None:
    assert "".join(limits.markdown()) in (DOCS / "limits.md").read_text()
