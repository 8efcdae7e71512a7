"""Check (d): every document was open for the least number of seconds ([T15] 3.4)."""

from typing import Final

from judging.protocol.checks.base import Fact, Finding, FinishedUnit, Settings, UnitCheck
from judging.protocol.timing import short_documents


def verdict(unit: FinishedUnit, study: Settings) -> Finding:
    """Count the documents that fell short of the study's seconds per document."""
    seconds = (document.seconds for document in unit.documents)
    short = short_documents(seconds, least=study.seconds_per_document)
    return Finding(short == 0, {"short": short})


CHECK: Final = UnitCheck(
    letter="d",
    name="Time",
    failed="units that failed for time",
    event="time_failed",
    verdict=verdict,
    facts=(
        Fact(
            "short",
            int,
            "how many documents fell short of their seconds",
            "{} documents short of time".format,
            unit="documents",
        ),
    ),
)
