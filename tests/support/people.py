"""People who use the console, and those who may not."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

if TYPE_CHECKING:  # plugins are loaded before Django's models can be
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.test import Client

PASSWORD = "a-plumb-line-of-93"


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash the passwords of this process in one round, as the usual million takes half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PBKDF2PasswordHasher, "iterations", 1)
        yield


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
