"""The pictures of the documents are small and shown; `tests/support/pictures.py` takes them anew."""

from pathlib import Path

import pytest

from tests.support.pictures import CONSOLE, HEIGHTS, MOST_BYTES, PICTURES
from tests.support.tree import ROOT


@pytest.mark.parametrize("picture", sorted(PICTURES.iterdir()), ids=lambda path: path.name)
def test_a_picture_is_small_and_shown(picture: Path) -> None:
    assert picture.stat().st_size <= MOST_BYTES
    texts = [path.read_text() for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]]
    assert any(f"pictures/{picture.name})" in text for text in texts)


def test_each_picture_can_be_taken_anew() -> None:
    assert {picture.stem for picture in PICTURES.iterdir()} == set(HEIGHTS)
    assert set(CONSOLE) < set(HEIGHTS)
