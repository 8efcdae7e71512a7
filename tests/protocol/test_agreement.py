"""Agreement with the others, by hand."""

from math import e, sqrt

import pytest

from judging.protocol.agreement import Agreements, Centred, centre


def test_a_unit_is_centred_by_its_geometric_mean() -> None:
    assert centre([1, e, e * e]) == pytest.approx([-1, 0, 1])
    assert centre([7, 7]) == [0, 0]
    assert centre([2, 8]) == pytest.approx(centre([30, 120])), "a worker's scale does not matter"


def values(worker: str, row: list[float], *, counts: bool = True) -> list[Centred]:
    return [Centred(worker, place, value, counts) for place, value in enumerate(row)]


RISING = [float(place) for place in range(10)]


def test_each_is_compared_with_the_mean_of_the_others_alone() -> None:
    result = Agreements()
    result.add_topic([*values("a", RISING), *values("b", RISING), *values("c", RISING[::-1])])
    # Beside a stand b and c, whose mean is 4.5 throughout: nothing to follow. Beside c stand a and b.
    assert result.of("a") is None
    assert result.of("c") == pytest.approx(-1)
    assert result.shared("a") == 10


def test_pearson_by_hand_over_two_topics() -> None:
    result = Agreements()
    # Ten pairs (x, y): five times (0, 0), (1, 0): y does not vary; then five of (1, 1), (0, 1).
    for pairs in ([(0, 0)] * 3 + [(1, 0)] * 2, [(1, 1)] * 4 + [(0, 1)]):
        result.add_topic(
            [*values("a", [float(x) for x, _ in pairs]), *values("b", [float(y) for _, y in pairs])]
        )
    # n 10, Σx 6, Σy 5, Σxy 4: (4 − 3) / √((6 − 3.6)(5 − 2.5)) = 1 / √6
    assert result.of("a") == pytest.approx(1 / sqrt(6))


def test_too_few_shared_documents_tell_nothing() -> None:
    result = Agreements()
    result.add_topic([*values("a", RISING[:9]), *values("b", RISING[:9])])
    assert (result.shared("a"), result.of("a")) == (9, None)
    assert (result.shared("nobody"), result.of("nobody")) == (0, None)
    result.add_topic([Centred("a", "alone", 3.0)])
    assert result.shared("a") == 9, "a document that nobody else judged is not shared"


def test_excluded_units_are_compared_but_not_compared_with() -> None:
    result = Agreements()
    result.add_topic([*values("a", RISING), *values("b", RISING), *values("x", RISING[::-1], counts=False)])
    assert result.of("a") == pytest.approx(1)
    assert result.of("x") == pytest.approx(-1)
