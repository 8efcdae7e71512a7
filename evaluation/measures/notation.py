"""The notation of measures, such as `nDCG@10` and `nDCG(discount="jk", base=2)@10`."""

import math
import re
from collections.abc import Iterable, Sequence
from math import inf
from typing import Final, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..errors import InputError, shown
from .definitions import DEFINITIONS
from .lists import AT_R, Cutoff
from .measure import Measure, not_a_measure
from .parameters import Value

MEASURE = re.compile(
    r"\s*(?P<name>\w[\w-]*)\s*(\((?P<parameters>[^()]*)\))?\s*(@\s*(?P<cutoff>\d{1,9}|R))?\s*"
)
PARAMETER = re.compile(
    r"""\s*(?P<name>\w+)\s*=\s*("(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^"',=]+))"""
)
INTEGER = re.compile(r"[+-]?\d{1,15}")
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
TREC_EVAL: Final = {
    "gm_map": "GMAP",
    "map": "AP",
    "ndcg": "nDCG",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
    "num_ret": "NumRet",
    "recip_rank": "RR",
    "set_F": "SetF",
    "set_P": "SetP",
    "set_map": "SetAP",
    "set_recall": "R",
    "set_relative_P": 'SetP(relative="yes")',
}
"""The measures that have another name in trec_eval: a dict from trec_eval's names to the notation here."""
WITH_NUMBER: Final = {
    "P": "P@{:d}",
    "Rprec_mult": "Rprec(multiple={:g})",
    "iprec_at_recall": 'IPrec(recall={:g}, levels="trec_eval")',
    "map_cut": "AP@{:d}",
    "ndcg_cut": "nDCG@{:d}",
    "recall": "R@{:d}",
    "relative_P": "relative_P@{:d}",
    "success": "Success@{:d}",
}
"""The measures of trec_eval whose names end with a number, as in `P_10`, with the number in the braces."""
ALIASES: Final = {
    "map": "AP",
    "mrr": "RR",
    "ndcg": "nDCG",
    "recall": "R",
    "precision": "P",
    "hit_rate": "Success",
    "r-precision": "Rprec",
    "setr": "R",
    "compatibility": "Compat",
    "strec": "StRecall",
    "map_ia": "AP_IA",
}
"""Names of measures in other programs, in lower case, and our names for the same measures."""
OF_OTHERS: Final = {
    re.compile(r"(?P<name>INS[QT])-T=(?P<value>\d{1,9}(\.\d{1,9})?)"): "{name}(T={value})",
    re.compile(r"IPrec@(?P<value>[01]?\.\d{1,9}|[01])"): 'IPrec(recall={value}, levels="trec_eval9")',
}
"""How cwl_eval writes INSQ and INST, and `ir_measures` IPrec, and how we write the same measures."""
OF_RANX: Final = {
    "bpref": "bpref",
    "dcg": "DCG",
    "dcg_burges": "DCG(gain=exp)",
    "f1": "F",
    "hit_rate": "Success",
    "hits": "NumRet(rel=1, over_topics=mean)",
    "map": "AP",
    "mrr": "RR",
    "ndcg": "nDCG",
    "ndcg_burges": "nDCG(gain=exp)",
    "precision": "P",
    "r-precision": "Rprec",
    "recall": "R",
}
"""The measures of ranx, and how we write them."""
OF_SETS: Final = {"F": "SetF", "P": "SetP"}
"""What ranx computes without a cut-off in place of a measure: it divides by the length of the list."""
_OF_RANX: Final = re.compile(r"(?P<name>[a-z][a-z_-]*1?)(@(?P<cutoff>\d{1,9}))?(-l(?P<rel>\d{1,9}))?")
"""A name in ranx, such as `recall@100-l2`, where 2 is the lowest relevant grade."""
NUMBERED: Final = re.compile(r"(?P<name>[A-Za-z]\w*?)[_.](?P<number>\d{1,9}|\d{1,9}\.\d{1,9})")


class Notation(NamedTuple):
    """The parts of the notation of a measure or statistic, such as `nDCG(base=2)@10`."""

    name: str
    parameters: tuple[tuple[str, Value], ...]
    cutoff: Cutoff | None


def parse(text: str) -> Measure:
    """Return the measure that `text` names. Text values of parameters need no quotes.

    The names that trec_eval prints, such as `map`, `ndcg_cut_10` and `P.10`, mean the same measures here. So
    do `MRR`, `MAP`, `NDCG`, `recall`, `precision` and `hit_rate`, in upper or lower case, and the names of
    ranx, ndeval and cwl_eval, such as `recall@100-l2`, `ERR-IA@10` and `INST-T=2`.

    Raise `InputError` if `text` is no text or not the notation of a measure, or if a name, parameter or
    cut-off is invalid.
    """
    if not isinstance(text, str):
        raise not_a_measure(text)
    if (known := _of_trec_eval(text)) is not None:
        return known
    for pattern, ours in OF_OTHERS.items():
        if match := pattern.fullmatch(text):
            return parse(ours.format(**match.groupdict()))
    notation = split_notation(text) if (of_ranx := _of_ranx(text)) is None else of_ranx
    if notation is not None and notation.name not in DEFINITIONS:
        notation = notation._replace(name=_own_name(notation.name))
    if notation is None:
        raise InputError(
            "not-a-measure",
            "{notation} is not the notation of a measure; write it like nDCG@10 or "
            'ERR(stop="share")@10. Measures: {known}',
            notation=shown(text, 80),
            known=", ".join(DEFINITIONS),
        )
    return Measure(*notation)


def _of_ranx(text: str) -> Notation | None:
    """Return how we write a measure of ranx, or None if ranx does not use this name."""
    match = _OF_RANX.fullmatch(text)
    ours = split_notation(OF_RANX.get(match["name"], "")) if match else None
    if match is None or ours is None:
        return None
    parameters = dict(ours.parameters) | ({"rel": int(match["rel"])} if match["rel"] else {})
    name = ours.name if match["cutoff"] else OF_SETS.get(ours.name, ours.name)
    return Notation(name, tuple(parameters.items()), int(match["cutoff"]) if match["cutoff"] else None)


def _own_name(name: str) -> str:
    """Return our name for a measure of another program, or the same name if it is none.

    ndeval and ranx write hyphens in place of underscores.
    """
    if name.lower() in ALIASES:
        return ALIASES[name.lower()]
    underscored = name.replace("-", "_")
    known = {own.lower(): own for own in DEFINITIONS}
    return ALIASES.get(underscored.lower(), known.get(underscored.lower(), name) if "-" in name else name)


def bounds_of(name: str) -> tuple[float, float]:
    """Return the lowest and the highest possible value of the measure with this name in a topic.

    For a name that is not the notation of a measure, there are no bounds.
    """
    measure = known_measure(name)
    return (-inf, inf) if measure is None else measure.definition.bounds


def lower_is_better(name: str) -> bool:
    """Return whether a list with a lower value of the measure with this name is better.

    For a name that is not the notation of a measure, higher values are taken to be better.
    """
    measure = known_measure(name)
    return measure is not None and measure.definition.lower_is_better


def summarised(names: Sequence[str], values: FloatArray) -> FloatArray | None:
    """Return the values over all topics of the measures whose value is not the mean of the topics' values.

    `values` has the shape (runs, topics, measures), and the result (runs, measures). The result is NaN for
    all other measures, and for names that are not the notation of a measure. Return None if there are only
    such measures.
    """
    over_topics = np.full((values.shape[0], values.shape[2]), np.nan)
    for place, name in enumerate(names):
        measure = known_measure(name)
        if measure is not None and measure.summary != "mean":
            over_topics[:, place] = [measure.over_topics(of_run) for of_run in values[..., place]]
    return None if np.isnan(over_topics).all() else over_topics


def as_printed(name: str, means: Iterable[float | None]) -> list[float | None]:
    """Return means of a measure's values over topics, and bounds of such means, as they are printed.

    Means of logarithms are printed as e to their power. All other means do not change. `name` can also be a
    name that is not the notation of a measure.
    """
    measure = known_measure(name)
    if measure is None or not measure.definition.is_logarithm:
        return [*means]
    return [None if mean is None else math.exp(mean) for mean in means]


def known_measure(name: str) -> Measure | None:
    """Return the measure with this name, or None if the name is not the notation of a measure."""
    try:
        return parse(name)
    except InputError:
        return None


def split_notation(text: str) -> Notation | None:
    """Return the parts of a notation such as `nDCG(base=2)@10` or `rbo(p=0.8)`, or None for other text.

    Raise `InputError` for malformed parameters.
    """
    match = MEASURE.fullmatch(text)
    if match is None:
        return None
    parameters = tuple(_parameters(match["parameters"] or "", text))
    written = match["cutoff"]
    cutoff = written if written in (None, AT_R) else int(written)
    return Notation(match["name"], parameters, cutoff)


def _of_trec_eval(text: str) -> Measure | None:
    """Return the measure with this name in trec_eval, or None if trec_eval does not use this name."""
    if text in TREC_EVAL:
        return parse(TREC_EVAL[text])
    match = NUMBERED.fullmatch(text)
    if match is None:
        return None
    if match["name"] == "set_F":  # its parameter there is β²
        return Measure("SetF", (("beta", math.sqrt(float(match["number"]))),))
    template = WITH_NUMBER.get(match["name"])
    is_whole = match["number"].isdecimal()
    if template is None or (":d" in template and not is_whole):
        return None
    return parse(template.format(int(match["number"]) if is_whole else float(match["number"])))


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
