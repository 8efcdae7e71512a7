"""One study with everything in it, for each module whose tests look at all addresses of the site."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.house.walk import VISITORS, World


@pytest.fixture(scope="module")
def shared_world(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    with override_settings(
        EXPORTS_FOLDER=folder,
        DRAFTS_FOLDER=folder,
        REPORTS_FOLDER=folder,
    ):
        world = World()
        for visitor in VISITORS:  # whoever is logged in by a test is logged out at its end
            world.browser(visitor)
        yield world


@pytest.fixture
def world(shared_world: World, db: None) -> World:
    """The study of the module; each test's own changes to it are undone."""
    return shared_world
