"""Every test has a lock for downloads of its own, and runs its jobs itself.

Tests run side by side, and leave downloads unread. Importing the WSGI application lets other processes run
long jobs, but they would not find the database of the test.
"""

import pytest


@pytest.fixture(autouse=True)
def _own_turns(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    from django.conf import settings

    from judging.core.services.jobs import set_carrier
    from judging.jobs.carrying import carry

    set_carrier(carry)
    name = f"downloads-{abs(hash(request.node.nodeid))}.lock"
    monkeypatch.setattr(settings, "DOWNLOADS_LOCK", tmp_path_factory.getbasetemp() / name)
