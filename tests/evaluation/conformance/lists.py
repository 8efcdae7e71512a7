"""The rules on ranked lists and on topics."""

from tests.evaluation.conformance.arithmetic import Topic
from tests.evaluation.conformance.case import RUN, Case, Level, one, rejected
from tests.evaluation.conformance.gains import judged
from tests.evaluation.conformance.layout import run_of

RANKING = [
    Case(
        "order-of-scores",
        Level.MUST,
        "Scores must decide the ranking, highest first. The order of lines and the rank column have no"
        " influence.",
        judged("1", "3", "0"),
        one("1 3 0", "3 1 0"),
        run="1 Q0 c 1 -1.5e1 run\n1 Q0 b 2 -2 run\n1 Q0 a 3 1e-3 run\n",
    ),
    Case(
        "short-lists",
        Level.MUST,
        "A list that is shorter than the cut-off must be padded with gain 0: P@5 of two documents"
        " divides by 5.",
        judged("1", "3", "2"),
        one("1 3", "3 2 1"),
        run=run_of("a", "b"),
        measures=("nDCG@5", "P@5"),
    ),
    Case(
        "ties",
        Level.SHOULD,
        "Documents with equal scores should be ordered by id as text, descending: d9, d10, d1.",
        "1 0 d1 1\n1 0 d9 0\n1 0 d10 3\n",
        one("0 3 1", "3 1 0"),
        run="1 Q0 d1 1 2 run\n1 Q0 d10 2 2 run\n1 Q0 d9 3 2 run\n",
    ),
    Case(
        "ties-in-32-bits",
        Level.SHOULD,
        "Scores should be compared as 64-bit floats, as in trec_eval 10: 1.0000000001 is above 1, although"
        " the two are tied in 32 bits.",
        "1 0 a 1\n1 0 b 3\n",
        one("1 3", "3 1"),
        run="1 Q0 a 1 1.0000000001 run\n1 Q0 b 2 1 run\n",
    ),
    Case(
        "ties-of-unicode",
        Level.SHOULD,
        "Ids should be ordered by code point, which is also the order of their UTF-8 bytes.",
        "1 0 \uff5e 1\n1 0 \U0001f600 3\n1 0 z 0\n",
        one("3 1 0", "3 1 0"),
        run="1 Q0 z 1 2 run\n1 Q0 \uff5e 2 2 run\n1 Q0 \U0001f600 3 2 run\n",
    ),
    rejected(
        "score-not-a-number",
        Level.MUST,
        "Tools must reject the score `NaN`.",
        judged("1", "3"),
        run=RUN.replace(" 2 2 ", " 2 nan "),
    ),
    rejected(
        "retrieved-twice",
        Level.MUST,
        "Tools must reject a document that a run retrieves twice in a topic.",
        judged("1", "3"),
        run=RUN + "1 Q0 a 4 0.5 run\n",
    ),
]
TWO = "1 0 a 1\n1 0 b 3\n2 0 a 1\n2 0 b 3\n"
TOPICS = [
    Case(
        "unanswered-topics",
        Level.SHOULD,
        "A judged topic that a run does not answer should score 0.",
        TWO,
        {"1": Topic("1 3", "3 1"), "2": Topic("", "3 1")},
    ),
    Case(
        "topics-in-the-run-alone",
        Level.MUST,
        "A topic that is only in the run must have no value.",
        "1 0 a 1\n1 0 b 3\n",
        one("1 3", "3 1") | {"2": None},
        run=run_of("a", "b") + run_of("a", "b", topic="2"),
    ),
    Case(
        "topics-without-gain",
        Level.SHOULD,
        "A topic in which no gain is above 0 should have no value, and not count in any mean.",
        TWO + "3 0 a 0\n3 0 b 0\n",
        {"1": Topic("1 3", "3 1"), "2": Topic("3 1", "3 1"), "3": None},
        run=run_of("a", "b") + run_of("b", "a", topic="2") + run_of("a", "b", topic="3"),
    ),
]
