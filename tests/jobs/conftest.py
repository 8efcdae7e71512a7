"""The two sizes: without a broker, where a job is done at once, and with a real one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.module_loading import import_string
from pytest_django import Settings

from tests.support.people import PASSWORD


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The data folder of the test: what jobs write lies in `exports/` below it."""
    settings.EXPORTS_FOLDER = tmp_path / "exports"
    return tmp_path


@pytest.fixture
def broker(valkey_server: str, settings: Settings) -> Iterator[str]:
    """The REDIS_URL of an empty Valkey; what this process asks for goes there, and is not done at once."""
    redis.Redis.from_url(valkey_server).flushdb()
    app = import_string(settings.JOBS_APP)
    settings.REDIS_URL = app.conf.broker_url = valkey_server
    yield valkey_server
    app.conf.broker_url = None


@pytest.fixture
def queue(broker: str) -> "redis.Redis":
    """The broker itself, to look at the messages in it."""
    return redis.Redis.from_url(broker)


@pytest.fixture
def console() -> Client:
    """A browser logged in as a researcher; ask for it after the database."""
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True))
    return client
