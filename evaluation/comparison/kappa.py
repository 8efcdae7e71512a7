"""Cohen's kappa: how much two sets of grades agree, beyond what chance would give."""

from typing import Final, Literal

import numpy as np

from ..errors import InputError
from ..frames import Gains
from ..options import checked
from ..sources import Source

Weights = Literal["none", "linear", "quadratic"]
_KEYS: Final = ("topic_id", "document_id")


@checked
def kappa(first: Source, second: Source, weights: Weights = "none") -> float | None:
    """Return Cohen's κ of two sets of grades, in [-1, 1], over the documents that both sets grade.

    κ = 1 − Σ w·o / Σ w·e, where o is the share of documents with each pair of grades, e is the product of the
    shares of both grades, and w is how much the pair disagrees. With `weights="none"`, w is 1 for different
    grades [Cohen, Educational and Psychological Measurement 20 (1960), eq. 1]. With `"linear"` and
    `"quadratic"`, w is the difference of the grades, or its square [Cohen, Psychological Bulletin 70 (1968)].
    The differences are those of the numbers, so grades 0, 1 and 3 are 1 and 2 apart.

    `first` and `second` can be anything that `Gains` accepts. The result is None if both sets give every
    document the same grade, because chance then agrees, too. Raise `InputError` for sets that cannot be read,
    and if they have no document in common.

    Example: of ten documents, both sets call four relevant and three not relevant, and differ in three. The
    first calls five relevant, the second six. So κ = 1 − .3/(.5·.4 + .5·.6) = .4.
    """
    found = Gains(first).table.join(Gains(second).table, on=_KEYS, suffix="_of_second")
    if found.is_empty():
        raise InputError(
            "no-document-in-both-sets",
            "the two sets of grades have no document in common; check that they are about the same topics",
        )
    ours, theirs = found["gain"].to_numpy(), found["gain_of_second"].to_numpy()
    grades, places = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    rows, columns = np.split(places, 2)
    shares = np.zeros((len(grades), len(grades)))
    np.add.at(shares, (rows, columns), 1 / len(ours))
    apart = np.abs(grades[:, None] - grades)
    disagree = {"none": (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}[weights]
    by_chance = float((disagree * np.outer(shares.sum(axis=1), shares.sum(axis=0))).sum())
    return None if by_chance == 0 else 1 - float((disagree * shares).sum()) / by_chance
