"""What the tests of the analyses share: small tables by hand, and simulated runs."""

from functools import cache

import numpy as np

from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.score_table import Scores


def gains_of(topics):
    """Gains from {topic: {document: value}}."""
    rows = [(topic, document, value) for topic, of in topics.items() for document, value in of.items()]
    return Gains.from_columns(*zip(*rows, strict=True))


def graded_values(groups, topic="t"):
    """Values and grades from {grade: values}; grade None for documents that have none."""
    values, grades = {}, {}
    for grade, group in groups.items():
        for number, value in enumerate(group):
            document = f"{grade}-{number:03}"
            values[document] = value
            if grade is not None:
                grades[document] = grade
    return gains_of({topic: values}), gains_of({topic: grades})


def run_of(tag, topics):
    """A run from {topic: documents, the best first}."""
    rows = [
        (topic, d, -float(rank)) for topic, documents in topics.items() for rank, d in enumerate(documents)
    ]
    return Run.from_columns(tag, *zip(*rows, strict=True))


def scores_of(values, measures):
    """Scores from {run: value of each measure}, of one topic."""
    table = np.array(list(values.values()), dtype=float)
    return Scores(tuple(values), ("t",), tuple(measures), table[:, None, :])


@cache
def simulated():
    """Grades 0 to 3 of forty documents in twelve topics, and six runs of falling quality."""
    rng = np.random.default_rng(8)
    known = [
        (f"t{t:02}", f"d{d:02}", float(rng.choice(4, p=[0.5, 0.2, 0.2, 0.1])))
        for t in range(12)
        for d in range(40)
    ]
    runs = []
    for place in range(6):
        results = [(topic, d, grade + rng.normal(0, 0.5 + place)) for topic, d, grade in known]
        runs.append(Run.from_columns(f"r{place}", *zip(*results, strict=True)))
    return Gains.from_columns(*zip(*known, strict=True)), runs
