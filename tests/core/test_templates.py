"""Templates are read without the indentation of their lines, and e-mails with it."""

import re

from django.template.loader import get_template, render_to_string
from django.test import Client
from django.urls import reverse


def test_a_page_has_no_indentation(db: None, client: Client) -> None:
    text = client.get(reverse("console:login")).content.decode()
    assert re.search(r"^<form", text, re.MULTILINE)
    assert not re.search(r"^[ \t]", text, re.MULTILINE)


def test_what_a_template_shows_keeps_its_blanks() -> None:
    text = "\n    indented\n"
    body = {"layout": "preformatted", "text": text, "html": None}
    assert text in render_to_string("core/_shown_text.html", {"body": body})


def test_templates_of_emails_keep_their_blanks() -> None:
    assert re.search(r"^  \{\{", get_template("watching/closed.txt").template.source, re.MULTILINE)
