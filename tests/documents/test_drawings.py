"""The drawn pictures show what the library computes; `python -m tests.support.drawings` draws them anew."""

import pytest

from tests.support.drawings import DRAWINGS, FOLDER, collection, differences


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_picture_is_as_drawn_and_shown(name: str) -> None:
    assert (FOLDER / name).read_text() == DRAWINGS[name](), "run: python -m tests.support.drawings"
    assert f"]({name})" in (FOLDER / "judging-a-sample.md").read_text()


def test_the_samples_are_as_the_page_says() -> None:
    truth, found = collection().truth, differences()
    assert sum(not low <= truth <= high for _, low, high in found["fair people"]) == 2
    assert truth > 0 > max(mean for mean, *_ in found["unfair filled"])
    errors = {name: sum((mean - truth) ** 2 for mean, *_ in values) for name, values in found.items()}
    assert errors["fair predictions"] < errors["unfair predictions"] < errors["fair people"]
