"""The rules on gains, and on the documents that have them."""

from tests.evaluation.conformance.arithmetic import Topic
from tests.evaluation.conformance.case import Case, Expect, Level, one, rejected
from tests.evaluation.conformance.layout import run_of


def judged(a: str, b: str, c: str = "1") -> str:
    """Qrels that give the documents a, b and c these gains."""
    return f"1 0 a {a}\n1 0 b {b}\n1 0 c {c}\n"


NUMBERS = [
    Case(
        "real-gains",
        Level.MUST,
        "Tools must read gains as real numbers, and must not round or truncate them.",
        judged("0.5", "2.7", "1.2"),
        one("0.5 2.7 1.2", "2.7 1.2 0.5"),
        measures=("nDCG", "nDCG@3"),
    ),
    Case(
        "gains-below-one",
        Level.MUST,
        "Binary measures must count every document with a gain above 0 as relevant, even if its gain is"
        " 0.25.",
        judged("0.25", "0", "0.5"),
        one("0.25 0 0.5", "0.5 0.25 0"),
        measures=("AP",),
    ),
    Case(
        "exponents",
        Level.MUST,
        "Tools must accept exponents: `1e-3`, `2.5E1`.",
        judged("1e-3", "2.5E1", "25e-1"),
        one("0.001 25 2.5", "25 2.5 0.001"),
    ),
    Case(
        "short-numbers",
        Level.SHOULD,
        "Tools should accept a plus sign, and numbers without digits before or after the point: `.5`,"
        " `5.`, `+2`.",
        judged(".5", "5.", "+2"),
        one("0.5 5 2", "5 2 0.5"),
    ),
    Case(
        "precision",
        Level.MUST,
        "Tools must read gains as 64-bit floats or better.",
        judged("1", "1.00000005", "0"),
        one("1 1.00000005 0", "1.00000005 1 0"),
    ),
    Case(
        "range",
        Level.MUST,
        "Tools must accept gains from 1e-100 to 1e100, even within one topic. They may reject other positive "
        "gains.",
        "1 0 a 1e-100\n1 0 b 3e-100\n2 0 a 1e100\n2 0 b 3e100\n3 0 a 1e-100\n3 0 b 1e100\n",
        {
            "1": Topic("1e-100 3e-100", "3e-100 1e-100"),
            "2": Topic("1e100 3e100", "3e100 1e100"),
            "3": Topic("1e-100 1e100", "1e100 1e-100"),
        },
        run=run_of("a", "b") + run_of("a", "b", topic="2") + run_of("a", "b", topic="3"),
    ),
    Case(
        "negative-gains",
        Level.MUST,
        "Tools must reject a negative gain, or count it as 0. A negative gain never reduces a score.",
        judged("-2", "3"),
        one("0 3 1", "3 1 0"),
        measures=("nDCG", "nDCG@3"),
        expect=Expect.EITHER,
    ),
    rejected("not-a-number", Level.MUST, "Tools must reject the gain `NaN`.", judged("NaN", "3")),
    rejected("infinity", Level.MUST, "Tools must reject the gain `inf`.", judged("inf", "3")),
    rejected(
        "words",
        Level.MUST,
        "Tools must reject text that is not a number, and must not read it as 0.",
        judged("high", "3"),
    ),
    rejected("decimal-comma", Level.MUST, "Tools must reject a decimal comma: `1,5`.", judged("1,5", "3")),
    rejected(
        "underscores",
        Level.SHOULD,
        "Tools should reject underscores in numbers: `1_000`.",
        judged("1_000", "3"),
    ),
]
DOCUMENTS = [
    Case(
        "linear-gains",
        Level.MUST,
        "nDCG must use the gain itself, not a power of 2, and divide it by log₂(rank + 1).",
        judged("1", "3", "2"),
        one("1 3 2", "3 2 1"),
        measures=("nDCG", "nDCG@3"),
    ),
    Case(
        "zero-gains",
        Level.MUST,
        "A document with gain 0 must count as judged and not relevant.",
        judged("0", "3", "0"),
        one("0 3 0", "3 0 0"),
        measures=("AP", "P@1", "RR"),
    ),
    Case(
        "unjudged",
        Level.MUST,
        "A retrieved document that is not judged must have gain 0 and keep its rank, unless the user"
        " chooses otherwise.",
        judged("1", "3", "2"),
        one("1 0 3", "3 2 1"),
        run=run_of("a", "unjudged", "b"),
    ),
    Case(
        "ideal-list",
        Level.MUST,
        "The ideal list must contain all judged documents of a topic, including those that a run does"
        " not retrieve.",
        "1 0 a 1\n1 0 b 3\n1 0 lost 5\n",
        one("1 3", "5 3 1"),
        run=run_of("a", "b"),
        measures=("nDCG", "nDCG@2"),
    ),
    rejected(
        "judged-twice",
        Level.MUST,
        "Tools must reject a document that is judged twice in a topic with different gains.",
        judged("1", "3") + "1 0 a 2\n",
    ),
    rejected(
        "judged-twice-alike",
        Level.SHOULD,
        "Tools should reject a document that is judged twice in a topic with the same gain.",
        judged("1", "3") + "1 0 a 1\n",
    ),
]
