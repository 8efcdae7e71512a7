"""Per-topic adjusted gains, in AGR and in every other measure."""

import numpy as np
import pytest

from evaluation.frames import Gains
from evaluation.measures import DEFINITIONS, parse
from evaluation.measures.adjustment import adjusted_gains
from evaluation.measures.schemes import gains_of
from evaluation.runs import Run
from evaluation.scores import curves, score
from tests.evaluation.every_measure import with_parameter
from tests.evaluation.refusals import OPTION, refused

ADJUSTABLE = [name for name, found in DEFINITIONS.items() if "adjust" in found.defaults]


def adjusted(scheme, values, topics=None, relevant=None):
    judged = np.array(values, dtype=float)
    topic = np.array(topics or [0] * len(values))
    flags = judged > 0 if relevant is None else np.array(relevant)
    return adjusted_gains(scheme, judged, gains_of(scheme, judged), topic, flags).tolist()


def test_distinct_gains_of_the_topic():
    # 12 − 1/4·(12 − 7), 7 − 2/4·(7 − 3), 3 − 1/4·3.
    assert adjusted("linear", [12, 7, 7, 3]) == [10.75, 5, 5, 2.25]
    assert adjusted("linear", [3, 7, 0, 12, 7]) == [2.25, 5, 0, 10.75, 5]


def test_every_topic_has_levels_of_its_own():
    found = adjusted("linear", [12, 7, 7, 3, 12, 4, 0], [0] * 4 + [1] * 3)
    # In topic 1, R = 2: 12 − 1/2·8 and 4 − 1/2·4.
    assert found == [10.75, 5, 5, 2.25, 8, 2, 0]


def test_declared_levels_count_though_absent():
    """A level of 3 with R_l/R = 1/10: 2.9, though no document has a 2; the 1s: 1 − 9/10·1."""
    found = adjusted("0-1-2-3", [3] + [1] * 9 + [0])
    assert found == pytest.approx([2.9] + [0.1] * 9 + [0])
    # Without a declared scale the next gain down is the 1: 3 − 1/10·2.
    assert adjusted("linear", [3] + [1] * 9)[0] == pytest.approx(2.8)


def test_no_change_where_all_relevant_documents_have_one_level():
    assert adjusted("linear", [5, 5, 0]) == [5, 5, 0]
    assert adjusted("0-1-2-3", [3, 3]) == [3, 3]
    assert adjusted("binary", [4, 2, 0]) == [1, 1, 0]


def test_levels_of_a_mapping_and_of_a_scheme_that_is_not_even():
    # 100 − 1/2·(100 − 10); 1 − 1/2·1.
    assert adjusted("0-1-10-100", [3, 1]) == [55, 0.5]
    # Levels .5 and 2 are worth 4 and 5: 5 − 1/3·1, and 4 − 2/3·4 twice.
    assert adjusted("0:0,0.5:4,2:5", [2, 0.5, 0.5]) == pytest.approx([5 - 1 / 3, 4 / 3, 4 / 3])


def test_only_relevant_documents_count():
    # Relevant from 2 up, R = 2: 3 − 1/2·1 and 2 − 1/2·1; the 1 keeps its gain, as R_1 = 0.
    assert adjusted("0-1-2-3", [3, 2, 1], relevant=[True, True, False]) == [2.5, 1.5, 1]
    assert adjusted("linear", [3, 2, 1], relevant=[False] * 3) == [3, 2, 1]
    # "pow2" gives an irrelevant document 1, which is a level: 2 − 1/2·(2 − 1), 4 − 1/2·(4 − 2).
    assert adjusted("pow2", [1, 2, 0]) == [1.5, 3, 1]


def test_a_document_judged_for_relevance_alone_has_no_level():
    judged = np.array([2.0, 1.0, np.nan])
    gains = np.array([2.0, 1.0, 0.0])
    result = adjusted_gains("linear", judged, gains, np.zeros(3, dtype=int), np.array([True, False, True]))
    # R = 2 counts it: 2 − 1/2·(2 − 1); the 1 is not relevant.
    assert result.tolist() == [1.5, 1, 0]


def test_agr_is_wap_of_adjusted_gains(value):
    gains, rest = [7, 0, 12], [7, 3]
    assert value("AGR", gains, rest) == value('WAP(adjust="agr")', gains, rest)
    assert value('AGR(adjust="none")', gains, rest) == value("WAP", gains, rest)
    assert value("AGR", gains, rest) == pytest.approx(value("WAP", [5, 0, 10.75], [5, 2.25]))


@pytest.mark.parametrize("name", ADJUSTABLE)
def test_every_measure_of_gains_takes_adjusted_ones(value, name):
    """The measure of the adjusted gains is the measure of gains that were like this from the start."""
    graded = {"gain": "linear", "gmax": "file"}
    given = {key: value for key, value in graded.items() if key in DEFINITIONS[name].defaults}
    found, plain = (with_parameter(f"{name}@3", **given, adjust=adjust) for adjust in ("agr", "none"))
    assert value(found, [7, 0, 12], [7, 3]) == pytest.approx(value(plain, [5, 0, 10.75], [5, 2.25]))


def test_which_measures_take_it():
    assert {"CG", "nDCG", "AnDCG", "SR", "WAP", "Q", "R_measure", "gP", "gR", "ERR", "RBP"} <= {*ADJUSTABLE}
    with refused("unknown-parameter", "P", "'adjust'"):
        parse('P(adjust="agr")@3')
    with refused(OPTION, '"none"', '"agr"'):
        parse('Q(adjust="yes")')
    assert str(parse('Q(adjust="agr")@3')) == 'Q(adjust="agr")@3'


def test_adjusted_under_a_scheme(value):
    """A mapping of the scheme is not applied a second time to what it gave: 55 and .5 of ⟨0, 1, 10, 100⟩."""
    assert value('CG(gain="0-1-10-100", adjust="agr")@1', [3, 1]) == 55
    assert value('nCG(gain="0-1-10-100", adjust="agr")@1', [1, 3]) == pytest.approx(0.5 / 55)


def test_relevance_stays_what_it_is(value):
    # k = max(L, R) of those judged 2 and more, and Q counts them, whatever their gains have become.
    adjusted_q = value('Q(gain="0-1-2-3", adjust="agr", rel=2)', [1, 2, 3], [0])
    assert adjusted_q == pytest.approx(((2.5 + 1) / (4 + 2) + (5 + 2) / (5 + 3)) / 2)


def test_adjusted_curves(collection):
    gains, run = collection({"t": ([7, 0, 12], [7, 3])})
    result = curves(gains, [run], 'CG(adjust="agr")@3')
    assert result.own[0, 0].tolist() == [5, 5, 15.75]
    assert result.ideal[0, 0].tolist() == [10.75, 15.75, 20.75]


def test_scored_again_with_other_gains():
    """Adjusted gains of one set of gains are not those of the next."""
    from evaluation.ranking import rank

    judged = Gains.from_columns(["t"] * 4, ["a", "b", "c", "d"], [12.0, 7.0, 7.0, 3.0])
    run = Run.from_columns("run", ["t"] * 2, ["d", "a"], [2.0, 1.0])
    lists = rank(judged, [run]).lists
    measure = parse('CG(adjust="agr")@2')
    assert measure.values(lists).tolist() == [[13]]
    assert measure.values(lists.with_gains(np.array([4.0, 4.0, 4.0, 2.0]))).tolist() == [[1.5 + 2.5]]
    assert score(judged, [run], [measure]).means()[0].value == 13
