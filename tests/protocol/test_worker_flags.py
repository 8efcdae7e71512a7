"""Flags of workers: medians and deviations by hand, the least numbers, and that no spammer hides another."""

import pytest

from judging.protocol.worker_flags import LEAST_WORKERS, Signs, flags


def crowd(sign: str, values: list[float], units: int = 2) -> dict[str, Signs]:
    # Over a million documents a correlation is certain.
    return {
        str(place): Signs(units, units, shared=10**6, **{sign: value}) for place, value in enumerate(values)
    }


def reasons(sign: str, values: list[float], units: int = 2) -> dict[str, list[dict[str, object]]]:
    """Return the flagged workers with the figures of each reason."""
    return {
        name: [reason.values for reason in flagged]
        for name, flagged in flags(crowd(sign, values, units)).items()
        if flagged
    }


def test_who_is_far_quicker_than_the_median_is_flagged() -> None:
    # ln 40 is the median; deviations of ln are 0, so the least spread .2 counts: 3.5 × .2 = .7 = ln 2.01.
    assert reasons("seconds", [40] * 8 + [20]) == {}
    flagged = reasons("seconds", [40] * 8 + [19.8])
    assert list(flagged) == ["8"]
    assert flagged["8"] == [{"times": "2.0", "workers": 9, "value": "19.8", "median": "40.0"}]
    assert reasons("seconds", [40] * 8 + [4000]) == {}, "nobody is flagged for taking time"


def test_the_spread_of_the_others_counts() -> None:
    # failures 0, 0, 0, 1, 1, 1, 2, 2, 2 and x: median 1, the median of the deviations 1;
    # flagged from 1 + 3.5 × 1.4826 = 6.19
    others = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert reasons("failures", [*others, 6.1]) == {}
    flagged = reasons("failures", [*others, 6.2])
    assert list(flagged) == ["9"]
    assert flagged["9"] == [{"value": "6.2", "median": "1.0", "workers": 10}]


@pytest.mark.parametrize(
    ("sign", "usual", "odd", "near"),
    [
        ("range", 20.0, 6.9, 7.1),  # e^(3.5 × .3) = 2.86; 20 / 2.86 = 6.999
        ("commonest", 0.2, 0.56, 0.54),  # .2 + 3.5 × .1
        ("agreement", 0.8, 0.44, 0.46),
        ("repeats", 0.0, 0.36, 0.34),
        ("failures", 0.0, 1.06, 1.04),  # 3.5 × .3
    ],
)
def test_every_sign_has_its_side_and_its_least_spread(
    sign: str, usual: float, odd: float, near: float
) -> None:
    assert list(reasons(sign, [usual] * 9 + [odd])) == ["9"]
    assert reasons(sign, [usual] * 9 + [near]) == {}
    assert reasons(sign, [usual] * 9 + [2 * usual - odd if sign != "range" else usual * 9]) == {}


def test_a_few_spammers_do_not_hide_each_other() -> None:
    # By mean and standard deviation .8 and .1 twice lie 1.9 deviations below, and nobody would be flagged.
    assert list(reasons("agreement", [0.8] * 8 + [0.1, 0.1])) == ["8", "9"]


def test_a_correlation_over_few_documents_has_the_benefit_of_the_doubt() -> None:
    # Flagged up to .85 − 3.5 × .1 = .5. Over 12 documents: tanh(artanh .3 + 1 / 3) = tanh(.6428) = .567, and
    # tanh(artanh .2 + 1 / 3) = tanh(.5361) = .490; over 28: tanh(artanh .3 + 1 / 5) = tanh(.5095) = .470
    workers = crowd("agreement", [0.85] * 9)
    for agreement, shared, flagged in ((0.3, 12, False), (0.2, 12, True), (0.3, 28, True), (0.0, 3, False)):
        odd = {"x": Signs(2, 2, agreement=agreement, shared=shared)}
        assert bool(flags(workers | odd)["x"]) is flagged


def test_too_few_units_or_workers_flag_nobody() -> None:
    values = [0.8] * (LEAST_WORKERS - 1) + [0.0]
    assert list(reasons("agreement", values)) == [str(LEAST_WORKERS - 1)]
    assert reasons("agreement", values[1:]) == {}
    assert reasons("agreement", values, units=1) == {}
    assert flags({}) == {}


def test_who_completes_nothing_can_fail_too_often() -> None:
    workers = {str(place): Signs(3, 3, failures=0.0) for place in range(8)}
    workers["x"] = Signs(begun=2, completed=0, failures=3.0)
    assert list(filter(flags(workers).get, workers)) == ["x"]


def test_what_cannot_be_told_is_no_sign() -> None:
    workers = crowd("seconds", [40.0] * 9) | {"x": Signs(5, 5), "y": Signs(5, 5, seconds=0.0)}
    assert all(not why for why in flags(workers).values())
