"""Bots that read nothing, beside readers, in the real protocol: what they get with the record over units."""

import pytest

from tests.benchmarks.guessing import measure


@pytest.mark.long
def test_bots_that_read_nothing_are_stopped_and_readers_are_not(db: None) -> None:
    before = measure(bots=6, readers=4, seed=1, record_check="off")
    after = measure(bots=6, readers=4, seed=1, record_check="on")
    assert before["bots"].due > 9
    assert after["bots"].due < 3
    assert after["bots"].stopped > 0.8
    assert after["readers"].stopped == 0
    assert after["readers"].due == after["readers"].completed


@pytest.mark.long
def test_two_pairs_of_anchors_stop_bots_at_more_units_and_hardly_any_reader(db: None) -> None:
    one = measure(bots=6, readers=4, seed=1, record_check="off")
    two = measure(bots=6, readers=4, seed=1, record_check="off", anchor_pairs=2)
    assert two["bots"].completed < 0.75 * one["bots"].completed
    assert two["readers"].completed > 0.9 * two["readers"].started
