"""Cross-tables, and Krippendorff's α on the examples of its author."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.analyses import worker_agreement
from evaluation.comparison import alpha_of_magnitudes, cross_table, krippendorff_alpha
from evaluation.frames import Gains, Judgments
from tests.evaluation.refusals import refused

NONE = None
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
]
"""Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: observers by units."""
TWO_OBSERVERS = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
"""The same, section A: binary data."""


def judged(observers):
    """(items, values), a row a judgment."""
    cells = [(str(unit), v) for row in observers for unit, v in enumerate(row) if v is not None]
    return zip(*cells, strict=True)


@pytest.mark.parametrize(
    ("observers", "level", "printed"),
    [
        (TWO_OBSERVERS, "nominal", 0.095),
        (FOUR_OBSERVERS, "nominal", 0.743),
        (FOUR_OBSERVERS, "ordinal", 0.815),
        (FOUR_OBSERVERS, "interval", 0.849),
    ],
)
def test_the_examples_of_the_source(observers, level, printed):
    result = krippendorff_alpha(*judged(observers), level)
    assert result == pytest.approx(printed, abs=0.0005)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e150, 1e300])
def test_the_scale_does_not_matter(scale):
    values = np.array([1.0, 2.0, 5.0, 5.0])
    assert krippendorff_alpha(["a", "a", "b", "b"], values * scale) == pytest.approx(1 - 0.5 / 8.5)


def test_two_items_by_hand():
    """⟨1, 2⟩ and ⟨5, 5⟩: D_o = 2·1/4; D_e = 2·(1 + 2·16 + 2·9)/12; α = 1 − .5/8.5."""
    assert krippendorff_alpha(["a", "a", "b", "b"], [1, 2, 5, 5]) == pytest.approx(1 - 0.5 / 8.5)


JUDGED = st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(-700, 700)), min_size=2, max_size=30)


@given(JUDGED, st.randoms(use_true_random=False))
def test_intervals_as_the_library_has_them(rows, random):
    items, values = zip(*rows, strict=True)
    result = krippendorff_alpha(items, values)
    places = {item: [v for i, v in rows if i == item] for item in items}
    pairable = [of_item for of_item in places.values() if len(of_item) > 1]
    if len({value for of_item in pairable for value in of_item}) < 2:
        assert result is None
        return
    width = max(map(len, pairable))
    ratings = np.array([[*of_item, *[np.nan] * (width - len(of_item))] for of_item in pairable]).T
    ratings /= np.nanmax(np.abs(ratings))  # the library loses the squares of the smallest numbers
    assert result == pytest.approx(krippendorff.alpha(ratings, level_of_measurement="interval"), abs=1e-6)
    random.shuffle(rows)
    assert krippendorff_alpha(*zip(*rows, strict=True)) == result


@pytest.mark.parametrize("level", ["interval", "ordinal", "nominal"])
def test_no_alpha(level):
    assert krippendorff_alpha([], [], level) is None
    assert krippendorff_alpha(["a", "b", "c"], [1, 2, 3], level) is None
    assert krippendorff_alpha(["a", "a", "b", "b", "c"], [2, 2, 2, 2, 9], level) is None


def test_ordinal_alpha_sees_order_alone():
    items, values = map(list, judged(FOUR_OBSERVERS))
    stretched = [10**value for value in values]
    ordinal = krippendorff_alpha(items, values, "ordinal")
    assert krippendorff_alpha(items, stretched, "ordinal") == pytest.approx(ordinal)
    assert krippendorff_alpha(items, stretched) != pytest.approx(krippendorff_alpha(items, values), abs=0.05)


def test_values_must_be_finite():
    with refused("judged-value-not-finite"):
        krippendorff_alpha(["a", "a"], [1, float("nan")])


def test_magnitudes_by_topic():
    """In logs to the base e the first topic is the example by hand; the second has no second judgment."""
    magnitudes = np.exp([1.0, 2.0, 5.0, 5.0, 7.0])
    judgments = Judgments.from_columns(
        ["t"] * 4 + ["u"], list("12123"), ["a", "a", "b", "b", "a"], magnitudes
    )
    table = alpha_of_magnitudes(judgments, magnitudes)
    assert table.select("topic_id", "documents", "judgments").rows() == [
        ("t", 2, 4),
        ("u", 0, 0),
        ("all", 2, 4),
    ]
    by_hand = pytest.approx(1 - 0.5 / 8.5)
    assert table["alpha"].to_list() == [by_hand, None, by_hand]
    with refused("magnitudes-differ-in-number", "2", "5"):
        alpha_of_magnitudes(judgments, magnitudes[:2])


def test_anchors_are_left_out_first_and_only_if_there_are_any():
    rng = np.random.default_rng(3)
    documents = [*"abhn"] * 5
    units = [str(place // 4) for place in range(20)]
    gold = ["", "", "H", "N"] * 5
    magnitudes = np.exp(rng.normal([0, 0, 3, -3] * 5))
    marked = Judgments.from_columns(["t"] * 20, units, documents, magnitudes, gold=gold)
    plain = marked.replaced(table=marked.table.filter(gold="").drop("gold"))
    table = worker_agreement(marked, magnitudes)
    assert table["anchors"].to_list() == [False, False, True, True]
    without, both = (table.filter(anchors=anchors, topic_id="all").row(0, named=True) for anchors in (0, 1))
    assert (without["judgments"], both["judgments"]) == (10, 20)
    assert without["alpha"] == without["raw"] == alpha_of_magnitudes(plain, plain.magnitudes)["alpha"][-1]
    assert without["alpha"] < both["alpha"], "the anchors were drawn far apart"
    alone = worker_agreement(plain, plain.magnitudes)
    assert alone.rows() == table.filter(anchors=False).rows()
    with refused("gold-column-missing"):
        alpha_of_magnitudes(plain, plain.magnitudes, anchors=False)


def test_cross_table_of_the_source():
    """[JK02] table I: of 2,772 documents that TREC calls relevant 691 are not, on four levels: 25 %."""
    documents = [str(i) for i in range(2772)]
    graded = Gains.from_columns(["t"] * 2772, documents, [0] * 691 + [2] * 2081)
    binary = Gains.from_columns(["t"] * 2772, documents, [1] * 2772)
    first = cross_table(graded, binary).row(0)
    assert first[:3] == (0, 1, 691)
    assert round(first[3], 2) == 0.25


def test_cross_table_holds_every_pair_of_values():
    first = Gains.from_columns(["t", "t", "t", "u", "u"], list("abcab"), [0, 1, 2, 2, 9])
    second = Gains.from_columns(["t", "t", "t", "u"], list("abca"), [0, 0, 1, 0])
    assert cross_table(first, second).rows() == [
        (0, 0, 1, 1 / 3),
        (0, 1, 0, 0),
        (1, 0, 1, 1 / 3),
        (1, 1, 0, 0),
        (2, 0, 1, 1 / 3),
        (2, 1, 1, 1),
    ]
