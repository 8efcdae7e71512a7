"""Every test has a lock for downloads of its own: tests run side by side, and leave downloads unread."""

import pytest


@pytest.fixture(autouse=True)
def _own_turns(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    from django.conf import settings

    name = f"downloads-{abs(hash(request.node.nodeid))}.lock"
    monkeypatch.setattr(settings, "DOWNLOADS_LOCK", tmp_path_factory.getbasetemp() / name)
