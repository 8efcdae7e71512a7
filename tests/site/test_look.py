"""The look of the console: colours that people can read and tell apart, and styles made of tokens."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.colours import (
    LEAST_DIFFERENCE,
    LEAST_PICTURE,
    LEAST_TEXT,
    SIGHTS,
    contrast,
    least_difference,
)
from tests.support.tokens import GROUNDS, SCHEMES, SERIES, TEXTS, colours_in, css, lengths_in

COLOURS = colours_in(css())


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005), "a known grey just below 4.5"
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")
    assert contrast("#0b6663", "#0b6663") == 1


def test_differences_are_those_of_each_colour_vision() -> None:
    assert least_difference(["#000000", "#ffffff"], "trichromacy") == pytest.approx(100, abs=0.1)
    red, green = "#ff0000", "#4f8f00"
    seen, unseen = (least_difference([red, green], sight) for sight in ("trichromacy", "protanopia"))
    assert seen > 2 * unseen
    close = ["#4040ff", "#4040ee"]
    assert least_difference([red, *close], "trichromacy") == least_difference(close, "trichromacy")


def test_tokens_come_from_the_blocks_of_each_scheme() -> None:
    sheets = """
:root { --ink: #111111; --paper: #ffffff; --size-body: 1rem; --gap-2: .5rem; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eeeeee; }
}
.card { --ink: #ff0000; }
.console { --size-body: .9375rem; }
.console .card { --size-body: 2rem; }
"""
    assert colours_in(sheets) == {
        "light": {"ink": "#111111", "paper": "#ffffff"},
        "dark": {"ink": "#eeeeee", "paper": "#ffffff"},
    }
    assert lengths_in(sheets).site == {"size-body": 1, "gap-2": 0.5}
    assert lengths_in(sheets).console == {"size-body": 0.9375, "gap-2": 0.5}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_can_be_read_on_every_ground(scheme: str) -> None:
    colours = COLOURS[scheme]
    pairs = [(token, ground) for token in TEXTS for ground in GROUNDS]
    pairs += [("accent-ink", "accent"), ("accent-ink", "bad"), ("paper", "ink")]
    found = {pair: contrast(*(colours[token] for token in pair)) for pair in pairs}
    assert {pair: ratio for pair, ratio in found.items() if ratio < LEAST_TEXT} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_series_can_be_seen_and_told_apart(scheme: str) -> None:
    colours = [COLOURS[scheme][token] for token in SERIES]
    assert min(contrast(colour, COLOURS[scheme]["card"]) for colour in colours) >= LEAST_PICTURE
    for sight in SIGHTS:
        assert least_difference(colours, sight) >= LEAST_DIFFERENCE, sight


def test_series_differ_without_their_colours() -> None:
    script = (Path(settings.STATICFILES_DIRS[0]) / "js" / "charts.js").read_text()
    for name in ("SHAPES", "DASHES"):
        (listed,) = re.findall(rf"{name} = \[([^\]]+)\]", script)
        values = re.findall(r'"([^"]+)"', listed)
        assert len(values) == len(set(values)) == len(SERIES), name


def test_the_stylesheets_use_tokens() -> None:
    """Sizes and colours stand in the tokens alone. Sizes in em follow the text around them."""
    rules = re.sub(r"--[\w-]+: [^;]+;", "", css())
    assert re.findall(r"font(?:-size)?: [^;]*\d(?:rem|px)\b[^;]*;", rules) == []
    assert [colour for colour in re.findall(r"#[0-9a-f]{3,8}\b", rules) if colour != "#ffffff"] == []
    used, declared = set(re.findall(r"var\((--[\w-]+)", css())), set(re.findall(r"(--[\w-]+):", css()))
    assert used <= declared
    sizes = [rem for token, rem in lengths_in(css()).site.items() if token.startswith("size-")]
    assert all(smaller < larger for smaller, larger in pairwise(sizes))


def test_every_colour_is_used_and_has_a_value_in_both_schemes() -> None:
    used = set(re.findall(r"var\(--([\w-]+)", css()))
    assert set(COLOURS["light"]) == set(COLOURS["dark"]) == {*used & set(COLOURS["light"]), *SERIES}
