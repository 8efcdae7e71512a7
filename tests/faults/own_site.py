"""A site on a database of one test's own, which is Django's default meanwhile, with the sample open on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection
from pytest_django import DjangoDbBlocker

from judging.models import Study
from tests.support.databases import as_default, configured, set_up
from tests.support.quick_sample import open_sample
from tests.support.website import Website, served


@contextmanager
def own_site(
    url: str, folder: Path, data: Path, blocker: DjangoDbBlocker, *, judgments: int = 2
) -> Iterator[tuple[Website, Study]]:
    """Served from the data folder `data`; the sample is copied into `folder`, with so many judgments each."""
    with blocker.unblock(), as_default(configured(url)):
        set_up(folder)
        study = open_sample(folder, "faults", judgments=judgments)
        try:
            with served(data, url) as site:
                yield site, study
        finally:
            connection.close()  # it may be one of before the server's end
