"""Pseudonyms, completion codes and tokens: their form, and that chance alone makes them."""

import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.codes import completion_code, pseudonym, token


@given(st.integers())
def test_forms(seed: int) -> None:
    rng = Random(seed)
    assert re.fullmatch(r"w[2-9a-hj-np-z]{8}", pseudonym(rng))
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}", completion_code(rng))
    assert re.fullmatch(r"[2-9a-hj-np-z]{26}", token(rng))


def test_every_character_of_the_alphabet_is_used_equally() -> None:
    drawn = "".join(token(Random(seed)) for seed in range(2000))
    assert len(set(drawn)) == 32  # five bits each: 26 of them are 130 bits, 12 are 60
    assert all(1400 < drawn.count(character) < 1850 for character in set(drawn))  # 1625 each, σ = 40


def test_ten_thousand_codes_are_distinct() -> None:
    rng = Random(1)
    assert len({completion_code(rng) for _ in range(10_000)}) == 10_000
