"""The static files are listed once in a run of the tests.

WhiteNoise lists and stats them all for every test client and every server that a test starts, which takes
longer than most pages. They do not change while tests run.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware


@pytest.fixture(scope="session", autouse=True)
def static_files_listed_once() -> Iterator[None]:
    """Keep what WhiteNoise lists, for each prefix and set of folders."""
    list_files = WhiteNoiseMiddleware.add_files_from_finders
    listed: dict[tuple[str, ...], dict[str, Any]] = {}

    def add_files(self: WhiteNoiseMiddleware) -> None:
        key = (self.static_prefix, *map(str, settings.STATICFILES_DIRS))
        if key not in listed:
            collected, self.files = self.files, {}
            list_files(self)
            listed[key], self.files = self.files, collected
        self.files |= listed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
        yield
