"""What the suite has loaded stays: each search for garbage would go through all of it again."""

import gc


def pytest_collection_finish() -> None:
    """Leave modules and tests out of the search, a twentieth to a tenth of the time of the tests."""
    gc.collect()
    gc.freeze()
