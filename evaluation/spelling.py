"""Suggest the name that a misspelt word was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

ELSEWHERE = {
    "mean average precision": "AP",
    "prec": "P",
    "set_f": "F",
    "r-prec": "Rprec",
    "ndcg_cut": "nDCG",
    "hit": "Success",
    "iprec_at_recall": "IPrec",
    "mean_average_precision": "AP",
    "gm_ap": "GMAP",
    "geometric_map": "GMAP",
    "f1": "F",
    "ndcg_burges": "nDCG",
    "rndcg": "nDCG",
    "rprec_mult": "Rprec",
    "unj": "Judged",
    "s_recall": "StRecall",
    "s-recall": "StRecall",
}
"""Names of measures in other programs and papers that are not understood, and our names to suggest."""


def nearest_name(word: str, known: Iterable[str]) -> str:
    """Return the known name that `word` probably means, ignoring case, or "" if no name is similar enough.

    If `ELSEWHERE` maps `word` to a known name, return that name. Otherwise, return the known name that
    is most similar to `word`.
    """
    names = {name.lower(): name for name in known}
    if (own_name := ELSEWHERE.get(word.lower(), "")) in names.values():
        return own_name
    near = get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    return names[near[0]] if near else ""
