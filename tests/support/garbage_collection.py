"""What the suite has loaded stays: each search for garbage would go through all of it again."""

import gc

OBJECTS = 50_000
"""How many new objects begin a search, in place of 700: most of a test's objects need none to be freed."""


def pytest_collection_finish() -> None:
    """Leave modules and tests out of the search, a twentieth to a tenth of the time of the tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, 20, 20)
