"""A console for a researcher, and what it says without its tags."""

import re
from html import unescape

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.support.people import PASSWORD


@pytest.fixture
def console(db: None) -> Client:
    """A browser logged in as a superuser."""
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada", password=PASSWORD))
    return client


def said(page: bytes) -> str:
    """The text of a page, with single blanks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.decode())).split())


def read(client: Client, address: str, status: int = 200) -> str:
    """The text of a page of the study `study`."""
    answer = client.get(f"/console/studies/study/{address}")
    assert answer.status_code == status, answer.content.decode()
    return said(answer.content)
