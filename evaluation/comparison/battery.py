"""The battery of 24 measures that [Sakai, AIRS 2005] compares."""

from typing import Final

from ..measures.parameters import Discount
from ..options import checked

_COUNTING: Final = ("AP", "Rprec", "P@10", "P@100", "P@1000")
_ADDING: Final = ("nCG", "AnCG", "nDCG", "AnDCG")
_CUTOFFS: Final = (10, 100, 1000)


@checked
def battery(*, relaxed: float = 1, rigid: float = 2, discount: Discount = "jk") -> list[str]:
    """Return the names of the 24 measures.

    Five measures count relevant documents: AP, Rprec and P at three cut-offs. Each is computed at two levels
    of relevance. `relaxed` and `rigid` are the lowest judged values that count as relevant at these levels. Q
    and R_measure use graded gains, and are computed only at the level `relaxed`. nCG, AnCG, nDCG and AnDCG
    are computed at three cut-offs each. `discount` is the discount of nDCG and AnDCG. `"jk"` has base 2, as
    in Sakai's paper.
    """
    counting = [_at_level(name, rel) for rel in (relaxed, rigid) for name in _COUNTING]
    brackets = '(discount="jk", base=2)' if discount == "jk" else f'(discount="{discount}")'
    adding = [f"{name}{brackets if 'D' in name else ''}@{k}" for name in _ADDING for k in _CUTOFFS]
    return [*counting, _at_level("Q", relaxed), _at_level("R_measure", relaxed), *adding]


def _at_level(name: str, rel: float) -> str:
    measure, at, cutoff = name.partition("@")
    return f"{measure}(rel={rel}){at}{cutoff}"
