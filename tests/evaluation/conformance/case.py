"""What a case of the conformance suite consists of."""

from dataclasses import dataclass
from enum import StrEnum

from tests.evaluation.conformance.arithmetic import Topic


class Level(StrEnum):
    """How binding a rule is, in the words of RFC 2119."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"


class Expect(StrEnum):
    """What a tool does with the files of a case."""

    VALUES = "values"
    REJECTION = "rejection"
    EITHER = "values or rejection"


RUN = "1 Q0 a 1 3 run\n1 Q0 b 2 2 run\n1 Q0 c 3 1 run\n"
"""The run of most cases: a, b and c in this order."""


@dataclass(frozen=True)
class Case:
    """One rule, a pair of files that shows it, and for each topic the lists that a tool should see.

    A topic with None has no value. A case without topics must be rejected.
    """

    name: str
    level: Level
    rule: str
    qrels: str | bytes
    topics: dict[str, Topic | None] | None = None
    run: str | bytes = RUN
    measures: tuple[str, ...] = ("nDCG@3",)
    expect: Expect = Expect.VALUES


def one(ranked: str, ideal: str) -> dict[str, Topic | None]:
    """The lists of a case with topic 1 alone."""
    return {"1": Topic(ranked, ideal)}


def rejected(name: str, level: Level, rule: str, qrels: str | bytes, run: str | bytes = RUN) -> Case:
    """A case whose files a tool rejects."""
    return Case(name, level, rule, qrels, run=run, expect=Expect.REJECTION)
