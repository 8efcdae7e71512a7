"""The data dictionary names every column of every export."""

import re
from pathlib import Path

from judging.exports.catalogue import EXPORTS, PAYMENTS
from tests.factories import make_study

DICTIONARY = Path(__file__).resolve().parents[2] / "docs" / "exports.md"


def test_every_column_is_described(db: None) -> None:
    study = make_study(opened=False)
    sections = dict(
        re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", DICTIONARY.read_text(), re.DOTALL | re.MULTILINE)
    )
    for what, export in (EXPORTS | {PAYMENTS.name: PAYMENTS}).items():
        named = set(re.findall(r"`(\w+)`", sections[what]))
        assert set(export.table(study).columns) <= named, what
