"""The notation of measures, such as `nDCG@10` and `nDCG(discount="jk", base=2)@10`."""

import re
from math import inf
from typing import NamedTuple

from ..errors import InputError, shown
from .definitions import DEFINITIONS
from .measure import UNBOUNDED, Measure, not_a_measure
from .parameters import Value

MEASURE = re.compile(r"\s*(?P<name>\w+)\s*(\((?P<parameters>[^()]*)\))?\s*(@\s*(?P<cutoff>\d{1,9}))?\s*")
PARAMETER = re.compile(
    r"""\s*(?P<name>\w+)\s*=\s*("(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^"',=]+))"""
)
INTEGER = re.compile(r"[+-]?\d{1,15}")
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
TREC_EVAL = {
    "map": "AP",
    "map_cut": "AP",
    "ndcg": "nDCG",
    "ndcg_cut": "nDCG",
    "num_ret": "NumRet",
    "recall": "R",
    "recip_rank": "RR",
    "success": "Success",
}
"""The measures that have another name in trec_eval: a dict from trec_eval's names to the names here."""
ALIASES = {
    "map": "AP",
    "mrr": "RR",
    "ndcg": "nDCG",
    "recall": "R",
    "precision": "P",
    "hit_rate": "Success",
}
"""Names of measures in other programs, in lower case, and our names for the same measures."""
TREC_EVAL_CUTOFF = re.compile(r"(P|recall|success|map_cut|ndcg_cut)[_.](\d{1,9})")
TREC_EVAL_LEVEL = re.compile(r"iprec_at_recall[_.]([01]\.\d+)")


class Notation(NamedTuple):
    """The parts of the notation of a measure or statistic, such as `nDCG(base=2)@10`."""

    name: str
    parameters: tuple[tuple[str, Value], ...]
    cutoff: int | None


def parse(text: str) -> Measure:
    """Return the measure that `text` names. Text values of parameters need no quotes.

    The names that trec_eval prints, such as `map`, `ndcg_cut_10` and `P.10`, mean the same measures here. So
    do `MRR`, `MAP`, `NDCG`, `recall`, `precision` and `hit_rate`, in upper or lower case.

    Raise `InputError` if `text` is no text or not the notation of a measure, or if a name, parameter or
    cut-off is invalid.
    """
    if not isinstance(text, str):
        raise not_a_measure(text)
    if (known := _of_trec_eval(text)) is not None:
        return known
    notation = split_notation(text)
    if notation is not None and notation.name not in DEFINITIONS:
        notation = notation._replace(name=ALIASES.get(notation.name.lower(), notation.name))
    if notation is None:
        raise InputError(
            "not-a-measure",
            "{notation} is not the notation of a measure; write it like nDCG@10 or "
            'ERR(stop="share")@10. Measures: {known}',
            notation=shown(text, 80),
            known=", ".join(DEFINITIONS),
        )
    return Measure(*notation)


def bounds_of(name: str) -> tuple[float, float]:
    """Return the lowest and the highest possible value of the measure with this name.

    For a name that is not the notation of a measure, there are no bounds.
    """
    try:
        measure = parse(name)
    except InputError:
        return -inf, inf
    return 0.0, inf if measure.name in UNBOUNDED else 1.0


def split_notation(text: str) -> Notation | None:
    """Return the parts of a notation such as `nDCG(base=2)@10` or `rbo(p=0.8)`, or None for other text.

    Raise `InputError` for malformed parameters.
    """
    match = MEASURE.fullmatch(text)
    if match is None:
        return None
    parameters = tuple(_parameters(match["parameters"] or "", text))
    return Notation(match["name"], parameters, int(match["cutoff"]) if match["cutoff"] else None)


def _of_trec_eval(text: str) -> Measure | None:
    """Return the measure with this name in trec_eval, or None if trec_eval does not use this name."""
    if match := TREC_EVAL_CUTOFF.fullmatch(text):
        return Measure(TREC_EVAL.get(match[1], match[1]), cutoff=int(match[2]))
    if match := TREC_EVAL_LEVEL.fullmatch(text):
        return Measure("IPrec", (("recall", float(match[1])), ("levels", "trec_eval")))
    if text == "num_rel_ret":
        return Measure("NumRet", (("rel", 1),))
    return Measure(TREC_EVAL[text]) if text in ("map", "ndcg", "num_ret", "recip_rank") else None


def _parameters(text: str, whole: str) -> list[tuple[str, Value]]:
    pairs: list[tuple[str, Value]] = []
    place = 0
    while text[place:].strip():
        match = PARAMETER.match(text, place)
        rest = text[match.end() :].lstrip() if match else ""
        if match is None or (rest and not rest.startswith(",")):
            raise InputError(
                "malformed-parameters",
                "the parameters of {notation} are malformed; write them like (name=value, name=value)",
                notation=shown(whole, 80),
            )
        pairs.append((match["name"], _value(match)))
        place = len(text) - len(rest) + 1 if rest else len(text)
    return pairs


def _value(match: re.Match[str]) -> Value:
    for quoted in (match["double"], match["single"]):
        if quoted is not None:
            return quoted
    bare = match["bare"].strip()
    if INTEGER.fullmatch(bare):
        return int(bare)
    return float(bare) if DECIMAL.fullmatch(bare) else bare
