"""Laws that measures obey whatever the data, over the table of all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.measures import DEFINITIONS, parse
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.every_measure import EVERY, SIZE, SPELLINGS, gains_for_every, spelled

SHARES = [f'{name}(stop="share")@5' for name in ("ERR", "nERR")]
"""Their probabilities of stopping are shares of the topic's largest gain."""
VARIANTS = [
    *["P", "R", "AP", "Rprec", "RR", "Q", "WAP", "nCG", "nDCG", "SR", "MSR", "gR", "R_measure"],
    *(f'nDCG(discount="{discount}")@5' for discount in ("none", "jk", "rank")),
    *(f'nDCG(gain="{gain}")@5' for gain in ("exp", "pow2", "binary")),
    *(f'{name}(adjust="agr")@5' for name in ("nDCG", "AnCG", "Q")),
    *(f'{name}(gmax="file", adjust="agr")@5' for name in ("ERR", "gP")),
    *(f'{name}(norm="min")@2' for name in ("AP", "WAP", "Q")),
    *('ERR(gmax="topic")@5', 'gP(gmax="topic")@5', 'RBP(gain="linear", gmax="file")@5', "RBP(p=0.3)"),
    *("Q(beta=10)@5", "F(beta=2)@5"),
    *(f'{name}(ties="averaged")@5' for name in ("DCG", "nDCG", "AnDCG", "MSR")),
    *('ERR(gmax="topic", stop="ntcireval")@5', 'nERR(gmax="topic", stop="ntcireval")', "nERR(gmax=100)@2"),
    *SHARES,
    *('bpref(divisor="R")', "alpha_nDCG", "alpha_nDCG(alpha=0.9)@5", "NumRet(rel=1)", "RBP_residual(p=0.5)"),
    *(
        "INSQ(T=0.5)@5",
        "INST(T=3)",
        'INST(gain="linear", gmax="topic")@5',
        'INSQ(gain="linear", gmax="file")',
    ),
    *("Compat", "Compat(p=0.5)@5", "INST(T=0.5)"),
    *(
        "nERR_IA(alpha=0.9)",
        "ERR_IA(alpha=0.2)@5",
        "NRBP(p=0.8)",
        "nNRBP(alpha=0.9, p=0.3)@5",
        "AP_IA(rel=2)",
    ),
    *("Rprec(multiple=1.5)", 'SetP(relative="yes")', "SetF(beta=2)", "NumRel(rel=1)"),
    *(f'ESL(q=2, count="all", N={SIZE})', 'nDCG(ideal="retrieved")@5', "AP(rel=2)", "IPrec(recall=1)"),
]
ALL = [*EVERY, *VARIANTS]

ONE_AT_BEST = [
    *("P@1", "R", "AP", "Rprec", "RR", "Success@1", "IPrec(recall=1)", "11pt_avg", f"NR(N={SIZE})"),
    *(f"{name}@{k}" for name in ("nCG", "nDCG", "AnCG", "AnDCG", "SR", "MSR") for k in (1, 3, 10)),
    *("Compat", "Compat(p=0.3)", *(f"Compat@{k}" for k in (1, 3, 10))),
    *("alpha_DCG@1", "ERR_IA@1", "P_IA@1", "StRecall@1", "nERR_IA", "nERR_IA@3", "nNRBP", "nNRBP@3", "AP_IA"),
    *("relative_P@1", "relative_P@3", 'SetP(relative="yes")'),
    *("bpref", 'bpref(divisor="R")', "Judged@3", "nERR(gmax=100)", 'nERR(stop="share")@3'),
    *(f"alpha_nDCG@{k}" for k in (1, 3, 10)),
    *("nCG", "nDCG", "SR", "MSR", "WAP", "AGR", "Q", "R_measure", "gR", 'gP(gmax="topic")@1'),
    *(name for name in VARIANTS if name.startswith("nDCG(") or "norm=" in name),
    *(f'{name}(adjust="agr")' for name in ("nCG", "Q", "R_measure")),
]
NEVER_ONE = {"F", "Fallout", "ASL", "ESL", "ERR", "RBP", "RBP_residual", "CG", "DCG", "NumRet", "infAP"}
NEVER_ONE |= {"SetF", "SetAP", "NumRel", "GMAP", "INSQ", "INST", "NRBP"}
"""Names whose best value is another: no cut-off is right for F, infAP is an ε below 1, the best logarithm is
0, the others are no ratio to the best."""

UNBOUNDED = {"CG", "DCG", "ASL", "ESL", "NumRet", "NumRel"}
NEGATIVE = {"GMAP"}
LOWER_IS_BETTER = {"Fallout", "ASL", "ESL", "RBP_residual"}
SCALED = {"CG", "DCG", "ERR", "nERR", "Q", "R_measure"}
"""What a common factor of all gains changes."""

ADDING_TO_SUMS = {"WAP", "AGR", "Q"}
"""What a relevant document adds depends on the gains above it."""

GAINS = st.lists(st.one_of(st.integers(0, 4), st.floats(0.01, 100)), min_size=1, max_size=12)


def names(measures):
    return {parse(measure).name for measure in measures}


def but(*without):
    """All measures but those of these names."""
    return [m for m in ALL if parse(m).name not in set().union(*without)]


def scored(measures, ranked, rest=()):
    """Each measure of one list with these gains by rank, beside judged documents it did not retrieve."""
    documents = [str(i) for i in range(len(ranked) + len(rest))]
    judged = gains_for_every(["t"] * len(documents), documents, [float(gain) for gain in [*ranked, *rest]])
    retrieved = documents[: len(ranked)]
    run = Run.from_columns("run", ["t"] * len(ranked), retrieved, [-float(i) for i in range(len(ranked))])
    return dict(zip(measures, score(judged, [run], measures).values[0, 0], strict=True))


def harmed(before, after):
    """The measures that are worse after than before, or have lost their value."""
    return [measure for measure, value in before.items() if not _as_good(measure, value, after[measure])]


def _as_good(measure, before, after):
    change = after - before
    better = -change if parse(measure).name in LOWER_IS_BETTER else change
    return np.isnan(before) or better >= -1e-9 * max(1, abs(before))


def test_the_table_holds_every_measure():
    assert set(SPELLINGS) == set(DEFINITIONS)
    assert {name: parse(spelled(name)).name for name in SPELLINGS} == {name: name for name in SPELLINGS}
    assert names(ONE_AT_BEST) == set(DEFINITIONS) - NEVER_ONE


@pytest.mark.parametrize("measure", ALL)
def test_every_measure_prints_as_it_parses(measure):
    assert str(parse(measure)) == measure


@given(ranked=GAINS)
def test_the_ideal_list_scores_one(ranked):
    if any(ranked):
        result = scored(ONE_AT_BEST, sorted(ranked, reverse=True))
        assert result == pytest.approx(dict.fromkeys(ONE_AT_BEST, 1), abs=1e-12)


@given(ranked=GAINS, rest=GAINS)
def test_no_order_of_a_list_beats_that_of_its_gains(ranked, rest):
    assert harmed(scored(ALL, ranked, rest), scored(ALL, sorted(ranked, reverse=True), rest)) == []


@given(ranked=GAINS, rest=GAINS)
def test_values_lie_between_zero_and_one(ranked, rest):
    for measure, value in scored(but(UNBOUNDED, NEGATIVE), ranked, rest).items():
        assert np.isnan(value) or -1e-12 <= value <= 1 + 1e-12, measure


@given(ranked=GAINS, rest=GAINS)
def test_no_value_is_negative(ranked, rest):
    assert not any(value < -1e-12 for value in scored(but(NEGATIVE), ranked, rest).values())


@given(ranked=GAINS, rest=GAINS, data=st.data())
def test_moving_a_document_up_past_worse_ones_never_harms(ranked, rest, data):
    place = data.draw(st.integers(0, len(ranked) - 1))
    above = place
    while above > 0 and ranked[above - 1] <= ranked[place] and data.draw(st.booleans()):
        above -= 1
    moved = [*ranked[:above], ranked[place], *ranked[above:place], *ranked[place + 1 :]]
    assert harmed(scored(ALL, ranked, rest), scored(ALL, moved, rest)) == []


@given(ranked=GAINS, rest=GAINS, data=st.data())
def test_changing_places_with_a_worse_document_above_never_harms(ranked, rest, data):
    place = data.draw(st.integers(0, len(ranked) - 1))
    above = data.draw(st.integers(0, place))
    if ranked[place] >= ranked[above]:
        better = list(ranked)
        better[above], better[place] = better[place], better[above]
        measures = but(ADDING_TO_SUMS)
        assert harmed(scored(measures, ranked, rest), scored(measures, better, rest)) == []


@given(ranked=GAINS, rest=GAINS)
def test_a_cutoff_at_r_is_the_number_of_relevant_documents(ranked, rest):
    relevant = sum(gain > 0 for gain in [*ranked, *rest])
    if relevant:
        with_cutoffs = [spelled(name, "{k}") for name in DEFINITIONS if "@" in spelled(name)]
        names = [name for name in with_cutoffs if not name.startswith("An")]
        at_r, at_number = (
            scored([name.format(k=k) for name in names], ranked, rest) for k in ("R", relevant)
        )
        assert [*at_r.values()] == pytest.approx([*at_number.values()], nan_ok=True)


def test_changing_places_around_a_better_document_can_harm_wap_and_q():
    """Of ⟨0,3,1⟩, with the ideal ⟨3,1⟩, the 1 may change places with the 0: the 3 then adds less new.

    WAP (3/4 + 4/4)/2 → (1/3 + 4/4)/2; Q (4/6 + 6/7)/2 → (2/4 + 6/6)/2.
    """
    before, after = scored(["WAP", "Q"], [0, 3, 1]), scored(["WAP", "Q"], [1, 3, 0])
    assert before == pytest.approx({"WAP": 0.875, "Q": (4 / 6 + 6 / 7) / 2})
    assert after == pytest.approx({"WAP": 2 / 3, "Q": 0.75})


@given(ranked=GAINS, rest=GAINS, factor=st.floats(0.001, 1000))
def test_scaling_all_gains_changes_nothing(ranked, rest, factor):
    scheme_of_its_own = ("rel=", 'gain="exp"', 'gain="pow2"')  # which scaled judged values leave
    measures = [m for m in [*but(SCALED), *SHARES] if not any(given in m for given in scheme_of_its_own)]
    before = scored(measures, ranked, rest)
    after = scored(measures, [g * factor for g in ranked], [g * factor for g in rest])
    assert after == pytest.approx(before, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", sorted(SCALED))
def test_scaling_all_gains_changes(name):
    measure = spelled(name)
    assert scored([measure], [0, 2, 1]) != pytest.approx(scored([measure], [0, 20, 10]))


@given(ranked=GAINS, rest=GAINS, random=st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(ranked, rest, random):
    judged = [("t", str(i), float(gain)) for i, gain in enumerate([*ranked, *rest])]
    results = [("t", str(i), -float(i // 2)) for i in range(len(ranked))]
    before = rows_of(judged, results)
    random.shuffle(judged)
    random.shuffle(results)
    assert rows_of(judged, results) == before


def rows_of(judged, found):
    """Every measure, from rows of gains and of a run."""
    run = Run.from_columns("run", *zip(*found, strict=True))
    return score(gains_for_every(*zip(*judged, strict=True)), [run], ALL).rows


@given(magnitudes=st.lists(st.floats(0.1, 1000), min_size=6, max_size=6), factor=st.floats(0.01, 100))
def test_one_unit_times_c_changes_what_a_common_factor_changes_and_nothing_else(magnitudes, factor):
    units, documents = ["1", "1", "1", "2", "2", "2"], ["a", "b", "c", "a", "b", "d"]
    run = Run.from_columns("run", ["t"] * 4, ["a", "b", "c", "d"], [4.0, 3.0, 2.0, 1.0])
    measures = [spelled(name) for name in DEFINITIONS if name not in SCALED]
    results = []
    for first in (1, factor):
        raised = [m * first if unit == "1" else m for m, unit in zip(magnitudes, units, strict=True)]
        judged = Judgments.from_columns(["t"] * 6, units, documents, raised)
        results.append(gains_for_every(*gains(judged, normalise(judged)).table))
    before, after = (score(item, [run], measures).values[0, 0] for item in results)
    assert after == pytest.approx(before, rel=1e-9)
    assert np.ptp(np.log(results[1].values / results[0].values)) < 1e-9
