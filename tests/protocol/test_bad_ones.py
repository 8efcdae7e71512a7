"""A bad anchor and a bad question: the rules by hand arithmetic."""

import pytest

from judging.protocol import bad_anchor, bad_question
from judging.protocol.bad_anchor import PairRecord
from judging.protocol.bad_question import QuestionRecord
from judging.protocol.proportion import surely
from tests.support.named import numbers_in


def test_how_large_a_share_surely_is() -> None:
    # z² = 3.8416. 4 of 5: (.8 + .38416 − 1.96 √(.032 + .038416)) / 1.76832 = (1.18416 − .52010) / 1.76832
    assert surely(4, 5) == pytest.approx(0.3755, abs=1e-4)
    # 3 of 5: (.6 + .38416 − 1.96 √(.048 + .038416)) / 1.76832 = (.98416 − .57618) / 1.76832
    assert surely(3, 5) == pytest.approx(0.2307, abs=1e-4)
    # n of n: (1 + z²/2n − z²/2n) / (1 + z²/n) = n / (n + z²)
    assert surely(5, 5) == pytest.approx(5 / 8.8416)
    assert surely(0, 9) == surely(0, 0) == 0


@pytest.mark.parametrize(("count", "total"), [(2, 1), (-1, 3)])
def test_what_is_no_share_is_refused(count: int, total: int) -> None:
    with pytest.raises(ValueError, match=rf"{count}\b.*\b{total}\b"):
        surely(count, total)


@pytest.mark.parametrize(
    ("workers", "failed", "bad"),
    [
        (4, 4, False),  # too few workers, whatever they did
        (5, 3, False),  # surely above .23
        (5, 4, True),  # surely above .38
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
        (5, 3, False),  # more than half, but surely above .23 alone
        (6, 4, True),  # (.66667 + .32013 − 1.96 √(.03704 + .02668)) / 1.64027 = .300
        (30, 13, False),  # surely above .27, but not most of them
        (30, 15, False),  # half is not more than half
        (30, 16, True),
    ],
)
def test_a_bad_question(workers: int, wrong: int, bad: bool) -> None:
    assert bad_question.is_bad(QuestionRecord(workers, wrong)) is bad


def test_the_evidence_is_told_in_numbers() -> None:
    # Who failed, of whom, their share, what it surely is above; tries the wrong way round, and tied ones.
    said = bad_anchor.evidence(PairRecord(5, 4, tied=2, inverted=7))
    assert numbers_in(said) == ["4", "5", "80", "38", "7", "2"]
    # The same; how often the commonest wrong answer was chosen, and its place, from 1.
    said = bad_question.evidence(QuestionRecord(6, 4, {0: 1, 3: 3}))
    assert numbers_in(said) == ["4", "6", "67", "30", "3", "4"]
    assert numbers_in(bad_question.evidence(QuestionRecord(6, 4))) == ["4", "6", "67", "30"]
