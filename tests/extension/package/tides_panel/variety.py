from judging.protocol.checks.check import Fact, Finding, FinishedUnit, Settings, UnitCheck
from judging.protocol.words import Sentence


def verdict(unit: FinishedUnit, study: Settings) -> Finding:
    """Pass if a unit has more than three different magnitudes."""
    different = len(set(unit.numbers))
    return Finding(different > 3, {"different": different})


def words(different: int) -> Sentence:
    return Sentence("{different} different numbers", {"different": different})


CHECK = UnitCheck(
    "e",
    "(e) Variety",
    "units with too few magnitudes",
    "variety_failed",
    verdict,
    (Fact("different", int, "how many different magnitudes the unit had", words, "magnitudes"),),
)
