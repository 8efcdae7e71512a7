"""People who use the console, and those who may not."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # plugins are loaded before Django's models can be
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.test import Client

PASSWORD = "a-plumb-line-of-93"


@pytest.fixture
def researcher(db: None) -> "AbstractBaseUser":
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True)


@pytest.fixture
def outsider(db: None) -> "AbstractBaseUser":
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user("eve", password=PASSWORD)


@pytest.fixture
def console(researcher: "AbstractBaseUser") -> "Client":
    """A browser logged in as a researcher."""
    from django.test import Client

    client = Client()
    client.force_login(researcher)
    return client
