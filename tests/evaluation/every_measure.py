"""Every measure with what it needs to be computed, for the tests that go over all of them."""

from collections.abc import Sequence

from evaluation.frames import Gains
from evaluation.measures import DEFINITIONS, parse

SIZE = 1000
"""N, a collection larger than any list of these tests."""

SPELLINGS = {
    "P": "P@{k}",
    "R": "R@{k}",
    "F": "F@{k}",
    "Fallout": f"Fallout(N={SIZE})@{{k}}",
    "AP": "AP@{k}",
    "Rprec": "Rprec@{k}",
    "RR": "RR@{k}",
    "Success": "Success@{k}",
    "IPrec": "IPrec(recall=0.3)@{k}",
    "11pt_avg": "11pt_avg@{k}",
    "NR": f"NR(N={SIZE})",
    "ASL": f"ASL(N={SIZE})",
    "ESL": f"ESL(N={SIZE})",
    "RBP": "RBP@{k}",
    "ERR": 'ERR(gmax="file")@{k}',
    "CG": "CG@{k}",
    "DCG": "DCG@{k}",
    "nCG": "nCG@{k}",
    "nDCG": "nDCG@{k}",
    "AnCG": "AnCG@{k}",
    "AnDCG": "AnDCG@{k}",
    "SR": "SR@{k}",
    "MSR": "MSR@{k}",
    "WAP": "WAP@{k}",
    "AGR": "AGR@{k}",
    "Q": "Q@{k}",
    "R_measure": "R_measure@{k}",
    "gP": 'gP(gmax="file")@{k}',
    "gR": "gR@{k}",
    "nERR": 'nERR(gmax="file")@{k}',
    "Judged": "Judged@{k}",
    "NumRet": "NumRet",
    "bpref": "bpref",
    "infAP": "infAP",
    "RBP_residual": "RBP_residual@{k}",
    "alpha_nDCG": "alpha_nDCG@{k}",
    "relative_P": "relative_P@{k}",
    "GMAP": "GMAP@{k}",
    "SetP": "SetP@{k}",
    "SetF": "SetF@{k}",
    "SetAP": "SetAP@{k}",
    "NumRel": "NumRel",
    **{
        name: f"{name}@{{k}}"
        for name in ("alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "P_IA", "AP_IA", "StRecall")
    },
    "INSQ": "INSQ@{k}",
    "INST": "INST@{k}",
    "Compat": "Compat@{k}",
}
"""By name, with `{k}` where a cut-off stands. Some are measured over whole lists; the gains of the tests are
not whole, so ERR, nERR and gP need `gmax`."""


def gains_for_every(topics: Sequence[str], documents: Sequence[str], gains: Sequence[float]) -> Gains:
    """Gains that every measure can use: each document is judged for the only subtopic of its topic."""
    return Gains.from_columns(topics, documents, gains, ["1"] * len(topics))


def spelled(name: str, k: int = 3) -> str:
    """The measure as a user asks for it, at this cut-off where it has one."""
    return SPELLINGS[name].format(k=k)


def with_parameter(measure: str, **parameters: object) -> str:
    """The measure as asked for, with parameters it has not been given yet."""
    result = parse(measure)
    return str(type(result)(result.name, (*result.given, *parameters.items()), result.cutoff))


EVERY = list(dict.fromkeys(spelled(name, k) for name in DEFINITIONS if name in SPELLINGS for k in (1, 3, 10)))
