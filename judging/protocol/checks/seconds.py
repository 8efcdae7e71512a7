"""Check (d): every document was open for the minimum number of seconds ([T15] 3.4)."""

from typing import Final

from judging.protocol.checks.check import Fact, Finding, FinishedUnit, Settings, Told, UnitCheck
from judging.protocol.timing import short_documents
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _


def verdict(unit: FinishedUnit, study: Settings) -> Finding:
    """Pass if every document was open for at least the study's seconds per document.

    Units of judges that are not timed pass. Their seconds are recorded, but say nothing about reading.
    """
    if not unit.is_timed:
        return Finding(True, {"short": 0})
    seconds = (document.seconds for document in unit.documents)
    short = short_documents(seconds, least=study.seconds_per_document)
    return Finding(short == 0, {"short": short})


def _short_in_words(short: int) -> Sentence:
    text, plural = ngettext_noop("{number} document open too briefly", "{number} documents open too briefly")
    return Sentence(text, {"number": short}, many=plural)


def _fault(study: Settings) -> Sentence:
    least = study.seconds_per_document
    seconds = int(least) if least.is_integer() else least
    text = _("At least one page was open for less than {seconds} seconds in total.")
    return Sentence(text, {"seconds": seconds})


CHECK: Final = UnitCheck(
    letter="d",
    heading=_("(d) Time"),
    failed=_("units that failed the time check"),
    event="time_failed",
    event_words=_("time failed"),
    verdict=verdict,
    told=Told(
        _fault,
        Sentence(_("Open each page again that you read quickly, and then press Finish.")),
    ),
    facts=(
        Fact(
            "short",
            int,
            "how many documents fell short of their seconds",
            _short_in_words,
            unit="documents",
        ),
    ),
)
