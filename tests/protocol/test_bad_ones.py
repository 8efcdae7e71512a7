"""A bad anchor and a bad question: the rules by hand arithmetic."""

import pytest

from judging.protocol import bad_anchor, bad_question
from judging.protocol.bad_anchor import PairRecord
from judging.protocol.bad_question import QuestionRecord
from judging.protocol.proportion import lower_bound


def test_the_lower_bound_of_a_share() -> None:
    # z² = 3.8416. 4 of 5: (.8 + .38416 − 1.96 √(.032 + .038416)) / 1.76832 = (1.18416 − .52010) / 1.76832
    assert lower_bound(4, 5) == pytest.approx(0.3755, abs=1e-4)
    # 3 of 5: (.6 + .38416 − 1.96 √(.048 + .038416)) / 1.76832 = (.98416 − .57618) / 1.76832
    assert lower_bound(3, 5) == pytest.approx(0.2307, abs=1e-4)
    # n of n: (1 + z²/2n − z²/2n) / (1 + z²/n) = n / (n + z²)
    assert lower_bound(5, 5) == pytest.approx(5 / 8.8416)
    assert lower_bound(0, 9) == lower_bound(0, 0) == 0


@pytest.mark.parametrize(("count", "total"), [(2, 1), (-1, 3)])
def test_an_impossible_share_is_refused(count: int, total: int) -> None:
    with pytest.raises(ValueError, match=rf"{count}\b.*\b{total}\b"):
        lower_bound(count, total)


@pytest.mark.parametrize(
    ("workers", "failed", "bad"),
    [
        (4, 4, False),  # too few workers, whatever they did
        (5, 3, False),  # lower_bound above .23
        (5, 4, True),  # lower_bound above .38
        (30, 12, False),  # (.4 + .06403 − 1.96 √(.008 + .00107)) / 1.12805 = .246
        (30, 13, True),  # (.43333 + .06403 − 1.96 √(.00819 + .00107)) / 1.12805 = .274
        (1000, 100, False),  # one in ten, as in a sound study, however many come
        (0, 0, False),
    ],
)
def test_a_bad_anchor(workers: int, failed: int, bad: bool) -> None:
    assert bad_anchor.is_bad(PairRecord(workers, failed)) is bad


@pytest.mark.parametrize(
    ("workers", "wrong", "bad"),
    [
        (4, 4, False),
        (5, 3, False),  # more than half, but lower_bound above .23 alone
        (6, 4, True),  # (.66667 + .32013 − 1.96 √(.03704 + .02668)) / 1.64027 = .300
        (30, 13, False),  # the bound is above .27, but not most are wrong
        (30, 15, False),  # half is not more than half
        (30, 16, True),
    ],
)
def test_a_bad_question(workers: int, wrong: int, bad: bool) -> None:
    assert bad_question.is_bad(QuestionRecord(workers, wrong)) is bad


def test_the_evidence_has_its_figures() -> None:
    pair = bad_anchor.evidence(PairRecord(5, 4, tied=2, inverted=7))
    figures = {"failed": 4, "workers": 5, "share": "80 %", "least": "38 %", "inverted": 7, "tied": 2}
    assert pair.values == figures
    question = bad_question.evidence(QuestionRecord(6, 4, {0: 1, 3: 3}))
    figures = {"wrong": 4, "workers": 6, "share": "67 %", "least": "30 %"}
    assert question.values == {**figures, "option": 4, "chosen": 3}
    assert bad_question.evidence(QuestionRecord(6, 4)).values == figures
