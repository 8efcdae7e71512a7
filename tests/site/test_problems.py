"""Every invalid form of the console lists its errors at the top of the page, with links to the fields."""

import pytest
from django.test import Client

from tests.factories import make_study
from tests.support.problems import problems_in

STUDY = "/console/studies/study/"


@pytest.mark.parametrize(
    ("address", "form", "field"),
    [
        ("/console/people/", {"action": "invite", "email": "nobody", "role": "staff"}, "email"),
        (f"{STUDY}members/", {"action": "invite", "email": "nobody", "role": "viewer"}, "email"),
        (f"{STUDY}way-in/", {"action": "links", "count": "many"}, "count"),
        (f"{STUDY}thresholds/", {"webhook_url": "ftp://example.org"}, "id_webhook_url"),
        (f"{STUDY}payments/", {}, "file"),
        ("/console/setup/", {"action": "begin", "title": " "}, "title"),
        ("/console/setup/", {"action": "upload"}, "file"),
        ("/console/password/", {"old_password": "wrong"}, "id_old_password"),
    ],
)
def test_a_refused_form_links_to_its_fields(
    admin_client: Client, db: None, address: str, form: dict[str, str], field: str
) -> None:
    make_study(opened=False, entry="invite")
    assert problems_in(admin_client.get(address).content.decode()) == []
    text = admin_client.post(address, form, follow=True).content.decode()
    assert field in [field for field, _ in problems_in(text)]
    tag = next(tag for tag in text.split("<") if f'id="{field}"' in tag)
    assert 'aria-invalid="true"' in tag
    assert "aria-describedby" in tag


def test_a_wrong_password_is_told_at_the_top(client: Client, db: None) -> None:
    text = client.post("/console/login/", {"username": "ada", "password": "wrong"}).content.decode()
    assert [field for field, _ in problems_in(text)] == ["id_username"]
