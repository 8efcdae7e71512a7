"""Workers' pages follow the language of their study, and say which language each text is in."""

from collections.abc import Callable

import pytest
from django.test import override_settings

from judging.models import Participation, Study
from tests.support.visitor import Visitor

TWO = [("en", "English"), ("de", "Deutsch")]
Enter = Callable[..., tuple[Visitor, Participation]]


def html_of(visitor: Visitor) -> str:
    return visitor.seen[-1].body.decode()


@pytest.mark.parametrize(
    ("tag", "shown"), [("en", "en"), ("de", "de"), ("de-CH", "de"), ("pt-BR", "en"), ("x" * 8, "en")]
)
def test_a_page_is_in_the_language_of_the_study(study: Study, enter: Enter, tag: str, shown: str) -> None:
    Study.objects.update(language=tag)
    with override_settings(LANGUAGES=TWO):
        visitor, _ = enter(study, "judging")
        page = html_of(visitor)
    assert f'<html lang="{shown}">' in page
    assert f'<h1 dir="auto" lang="{tag}">' in page
    assert f'<bdi lang="{tag}">' in page


def test_the_information_is_in_it_too(study: Study, visitor: Visitor) -> None:
    Study.objects.update(language="de")
    with override_settings(LANGUAGES=TWO):
        visitor.open(f"/s/{study.slug}/")
        page = html_of(visitor)
    assert '<html lang="de">' in page
    assert '<h1 dir="auto" lang="de">' in page


def test_numbers_for_programs_stay_as_they_are(study: Study, enter: Enter) -> None:
    """The position of a line is a number with a decimal point in every language."""
    Study.objects.update(language="de")
    with override_settings(LANGUAGES=TWO):
        visitor, worker = enter(study, "practising")
        attempt = worker.practice_attempts.get()
        attempt.lengths[0] = 101.5
        attempt.save()
        visitor.open(visitor.page.path)
        page = html_of(visitor)
    left = page.split('x1="')[1].split('"')[0]
    assert float(left) >= 0
    assert "." in left
