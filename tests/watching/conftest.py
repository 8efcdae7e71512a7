"""A researcher who may do everything, and what the console says without its tags."""

import re
from html import unescape

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from tests.support.people import PASSWORD


@pytest.fixture
def researcher(db: None) -> AbstractBaseUser:
    """A superuser, whose browser `console` is."""
    return get_user_model().objects.create_superuser("ada", password=PASSWORD)


def said(page: bytes) -> str:
    """The text of a page, with single blanks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.decode())).split())


def read(client: Client, address: str, status: int = 200) -> str:
    """The text of a page of the study `study`."""
    answer = client.get(f"/console/studies/study/{address}")
    assert answer.status_code == status, answer.content.decode()
    return said(answer.content)
