"""What a result is computed from, and what readers must know to trust it."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from ..conventions import Statistic
from ..frames import Judgments
from ..magnitudes.document_gains import statistic_of
from ..magnitudes.normalisation import Method, methods_of
from ..options import checked
from ..scales import scale_of
from ..text import Text

GAINS: Final = "gains"
"""The name of gains that have no other name."""


class Warning(NamedTuple):
    """Something that can make a result mislead.

    `code` names its kind, and `text` is a sentence. A caution stands before the answer, because the answer
    misleads without it.
    """

    code: str
    text: Text
    is_caution: bool = False


@dataclass(frozen=True)
class Basis:
    """Where the gains of a result come from.

    - `gains`: the name of the gains: the crowd's numbers, such as magnitudes, or a set of known grades.
    - `method` and `statistic`: how judgments were normalised, and how the gain of a document summarises them.
      Both are empty for gains that do not come from judgments.
    - `judgments`: the number of judgments, or None if it is unknown.
    - `judges`: the kinds of judges that count, in words, or () if they are unknown or are people.
    - `is_random`: the relevance of the documents is random, so the runs are not compared.
    - `warnings`: what the gains or the judgments mean for the result.
    """

    gains: str = GAINS
    method: str = ""
    statistic: str = ""
    judgments: int | None = None
    judges: tuple[Text, ...] = ()
    is_random: bool = False
    warnings: tuple[Warning, ...] = ()


@checked
def basis_of(judgments: Judgments, *, method: Method | None, statistic: Statistic | None) -> Basis:
    """Return the basis of gains that come from judgments.

    A `method` or `statistic` of None is the default of the scale.
    """
    scale = scale_of(judgments)
    default, *_ = methods_of(scale)
    text = Text(
        "No anchors are marked in the judgments, so no check shows that the workers read the documents."
    )
    return Basis(
        scale.numbers,
        method or default,
        statistic_of(judgments, statistic),
        judgments.table.height,
        warnings=() if judgments.has_anchors or not scale.has_ratios else (Warning("no-anchors", text),),
    )
