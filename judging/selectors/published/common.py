"""Columns that several tables have."""

from typing import Final

from judging.selectors.published.base import Column

TOPIC: Final = Column("the topic's number")
UNIT: Final = Column("the unit: topic number and the unit's number in it, as `401-0007`; unique in the study")
DOCUMENT: Final = Column("the document's id in the collection")
WORKER: Final = Column("the worker's pseudonym in this study")
SIMULATED: Final = Column("whether the worker is one of a simulated crowd")
