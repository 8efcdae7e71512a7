"""What is counted in the cache, such as log-ins and forms, begins at nothing in each test."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """A worker of a test has the key of one of the test before, whose rows are rolled back."""
    cache.clear()
