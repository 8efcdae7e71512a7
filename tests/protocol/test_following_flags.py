"""Flags of workers who follow a judge: in a large enough crowd, and for the judge that they follow most."""

from judging.protocol.following_flags import Follower, following_flags
from judging.protocol.worker_flags import LEAST_WORKERS

HONEST = [Follower(f"w{number}", number / 100, 0.1, False) for number in range(LEAST_WORKERS - 1)]


def test_a_flag_names_the_judge_the_correlation_and_the_median() -> None:
    (reason,) = following_flags({"gauge": [*HONEST, Follower("copies", 0.9, 5.0, True)]}).items()
    assert reason[0] == "copies"
    values = {"judge": "gauge", "value": "0.90", "median": "0.04", "workers": LEAST_WORKERS}
    assert dict(reason[1].values) == values


def test_a_small_crowd_is_not_compared() -> None:
    unknown = Follower("unknown", None, None, False)
    assert following_flags({"gauge": [*HONEST[1:], unknown, Follower("copies", 0.9, 5.0, True)]}) == {}


def test_a_worker_gets_one_reason_for_the_judge_that_is_followed_most() -> None:
    rows = {
        name: [*HONEST, Follower("copies", 0.9, z, True)]
        for name, z in (("one", 4.0), ("two", 6.0), ("three", 5.0))
    }
    assert following_flags(rows)["copies"].values["judge"] == "two"


def test_nobody_is_flagged_without_judges() -> None:
    assert following_flags({}) == {}
