"""What a misspelt name was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

ELSEWHERE = {
    "map": "AP",
    "mean average precision": "AP",
    "mrr": "RR",
    "recip_rank": "RR",
    "precision": "P",
    "prec": "P",
    "recall": "R",
    "set_f": "F",
    "r-prec": "Rprec",
    "ndcg_cut": "nDCG",
    "hit": "Success",
    "hits": "Success",
    "hit_rate": "Success",
    "iprec_at_recall": "IPrec",
}
"""What other programs and papers call measures, and what they are called here."""


def meant(word: str, known: Iterable[str]) -> str:
    """`; did you mean nDCG?` where a known name is near `word`, whatever its letters' size; else nothing."""
    names = {name.lower(): name for name in known}
    if ELSEWHERE.get(word.lower()) in names.values():
        return f"; did you mean {ELSEWHERE[word.lower()]}?"
    near = get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    return f"; did you mean {names[near[0]]}?" if near else ""
