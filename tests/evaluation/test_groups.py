"""Groups: found whatever the texts are, and summed exactly in any order and in any number of parts."""

import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.magnitudes import groups as engine
from evaluation.magnitudes.groups import Groups

KEYS = ["a", "b", "c"]
TEXTS = st.sampled_from(["", "1", "01", "x", "y", "é", "a\tb"])
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS, st.floats(-740, 740)), max_size=40)


def table_of(rows):
    columns = list(zip(*rows, strict=True)) if rows else [[]] * 4
    texts = {name: pl.Series(values, dtype=pl.String) for name, values in zip(KEYS, columns, strict=False)}
    return pl.DataFrame(texts), np.array(columns[3], dtype=np.float64)


def places_of(groups):
    """The rows of each group, as they were found."""
    return {tuple(np.flatnonzero(groups.member == j).tolist()) for j in range(len(groups.sizes))}


def places_by(rows, width):
    places = defaultdict(list)
    for place, row in enumerate(rows):
        places[row[:width]].append(place)
    return {tuple(of_key) for of_key in places.values()}


@given(ROWS, st.integers(1, 3))
def test_rows_of_one_key_are_one_group(rows, width):
    table, _ = table_of(rows)
    groups = Groups.by(table, KEYS[:width])
    assert places_of(groups) == places_by(rows, width)
    assert {places[0] for places in places_of(groups)} == set(groups.row.tolist())
    assert groups.sizes.tolist() == np.bincount(groups.member, minlength=len(groups.sizes)).tolist()


def test_more_combinations_than_can_be_looked_up():
    """70 × 70 × 70 texts in 70 rows, each column telling other rows apart."""
    rows = [(str(i), str(i // 2), str((i + 1) // 2 % 35), 0.0) for i in range(70)]
    rows += [(str(i), str(69 - i), str(i * 7 % 70), 0.0) for i in range(70)]
    table, _ = table_of(rows)
    assert places_of(Groups.by(table, KEYS)) == places_by(rows, 3)


@given(ROWS)
def test_groups_of_groups(rows):
    table, values = table_of(rows)
    smaller = Groups.by(table, KEYS)
    larger = Groups.by(table[smaller.row], ["b"])
    joined, direct = smaller.joined(larger), Groups.by(table, ["b"])
    assert places_of(joined) == places_of(direct)
    assert joined.row.tolist() == [int(np.flatnonzero(joined.member == j)[0]) for j in range(len(joined.row))]
    means = smaller.sums(values).joined(larger).means()
    assert means[joined.member].tolist() == direct.sums(values).means()[direct.member].tolist()


@given(ROWS)
def test_means_are_those_of_exact_sums(rows):
    table, values = table_of(rows)
    groups = Groups.by(table, ["a"])
    exact = [math.fsum(values[groups.member == j]) / groups.sizes[j] for j in range(len(groups.sizes))]
    # Sum and quotient are rounded on both sides: four times by at most 2**-53 of the value.
    assert groups.sums(values).means() == pytest.approx(exact, rel=2**-51, abs=5e-16)


def test_sums_do_not_depend_on_the_parts_they_are_taken_in(monkeypatch):
    rng = np.random.default_rng(7)
    table = pl.DataFrame({"a": [str(i) for i in rng.integers(3, size=1000)]})
    values = rng.normal(0, 200, size=1000)
    whole = Groups.by(table, ["a"]).sums(values)
    monkeypatch.setattr(engine, "IN_CACHE", 1)
    monkeypatch.setattr(engine, "AT_MOST", 7)
    parts = Groups.by(table, ["a"]).sums(values)
    assert parts.coarse.tolist() == whole.coarse.tolist()
    assert parts.fine.tolist() == whole.fine.tolist()


@given(ROWS)
def test_deviations(rows):
    table, values = table_of(rows)
    groups = Groups.by(table, ["a"])
    expected = [np.std(values[groups.member == j]) for j in range(len(groups.sizes))]
    assert groups.deviations(values) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_small_deviations_keep_their_digits():
    """7 and 7 + 2·10⁻⁹ lie 10⁻⁹ from their mean; of equal values nothing is left, however they round."""
    table = pl.DataFrame({"a": ["x", "x", "y", "y", "y"]})
    result = Groups.by(table, ["a"]).deviations(np.array([7, 7 + 2e-9, 0.1, 0.1, 0.1]))
    assert result[0] == pytest.approx(1e-9, rel=1e-5)
    assert result[1] == 0


@given(ROWS)
def test_sorted_values_and_their_middles(rows):
    table, values = table_of(rows)
    groups = Groups.by(table, ["a"])
    low, high = groups.sorted(values).middle()
    medians = [np.median(values[groups.member == j]) for j in range(len(groups.sizes))]
    assert (low + high) / 2 == pytest.approx(medians)
