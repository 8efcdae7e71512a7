"""Answers of workers who compare two documents, from what the test knows of the documents."""

from judging.models import Judgment, PoolDocument
from judging.protocol.grades import gain_of

FIRST, EQUAL, SECOND = "1", "0.5", "0"
_VALUE = {"H": 9.0, "H2": 9.0, "N": -1.0, "N2": -1.0}


def value_of(document: PoolDocument) -> float:
    """How relevant a document is to a worker who agrees with the known grades; anchors are extreme."""
    return _VALUE.get(document.anchor, gain_of(document.grade) if document.grade else 0.0)


def prefers(judgment: Judgment) -> str:
    """The answer of a worker who prefers the document with the higher known grade."""
    assert judgment.compared_with is not None
    first, second = value_of(judgment.pool_document), value_of(judgment.compared_with)
    return EQUAL if first == second else FIRST if first > second else SECOND


def prefers_wrongly(judgment: Judgment) -> str:
    """The answer of a worker who prefers the document with the lower known grade."""
    return {FIRST: SECOND, SECOND: FIRST, EQUAL: EQUAL}[prefers(judgment)]


def prefers_neither(judgment: Judgment) -> str:
    """The answer of a worker to whom all documents are equal."""
    return EQUAL
