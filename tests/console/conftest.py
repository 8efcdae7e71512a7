"""People who use the console, and those who may not."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

PASSWORD = "a-plumb-line-of-93"


@pytest.fixture
def researcher(db: None) -> AbstractBaseUser:
    return get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True)


@pytest.fixture
def outsider(db: None) -> AbstractBaseUser:
    return get_user_model().objects.create_user("eve", password=PASSWORD)


@pytest.fixture
def console(researcher: AbstractBaseUser) -> Client:
    """A browser logged in as a researcher."""
    client = Client()
    client.force_login(researcher)
    return client
