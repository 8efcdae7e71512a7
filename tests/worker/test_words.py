"""What workers read: how much before the first document, and numbers as their language writes them."""

import re
import tomllib
from html import unescape

import pytest
from django.conf import settings
from django.utils import translation

from judging.core.services.studies import open_study
from judging.core.words import decimal_mark, translated
from judging.models import Participation, Unit
from judging.protocol.magnitude import DECIMAL_MESSAGES, MESSAGES
from judging.protocol.words import Sentence
from judging.setup.study_files.importing import import_study
from tests.crowd.conftest import SAMPLE
from tests.factories import NOW
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent, practise, take_topic

MOST = 710
TOPICS = [topic["number"] for topic in tomllib.loads((SAMPLE / "study.toml").read_text())["topic"]]


def words_of(body: str) -> int:
    """The words in the main part of a page; those of its closed parts count too."""
    main = body[body.index("<main") : body.index("</main>")]
    main = re.sub(r"<script.*?</script>|<svg.*?</svg>", " ", main, flags=re.DOTALL)
    return len(re.findall(r"[^\W_]+(?:[’'.,/-][^\W_]+)*", unescape(re.sub(r"<[^>]+>", " ", main))))


@pytest.mark.django_db
@pytest.mark.parametrize("topic", TOPICS)
def test_few_words_stand_before_the_first_document_of_the_sample(topic: str) -> None:
    study = import_study(SAMPLE, now=NOW).study
    open_study(study=study, now=NOW)
    Unit.objects.exclude(topic__number=topic).update(state="retired")
    visitor = Visitor(through_client())
    consent(visitor, f"/s/{study.slug}/")
    practise(visitor)
    take_topic(visitor, Participation.objects.get())
    pages = [reply.body.decode() for reply in visitor.seen if reply.status == 200]
    *before, document = [body for body in pages if "<main" in body]
    assert "data-draft" in document
    assert sum(map(words_of, before)) <= MOST, [words_of(body) for body in before]


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_examples_of_numbers_have_the_decimal_mark_of_their_language(language: str) -> None:
    examples = ("12, 0.5, 1/3 or 2 1/2", "12 or 0.5")
    hints = [Sentence(f"Any number above zero, such as {numbers}.") for numbers in examples]
    with translation.override(language):
        other = {".": ",", ",": r"\."}[decimal_mark()]
        for sentence in (*MESSAGES.values(), *DECIMAL_MESSAGES.values(), *hints):
            text = translated(sentence)
            is_translated = text != str(sentence) or language == settings.LANGUAGE_CODE
            assert not is_translated or not re.search(rf"\d{other}\d", text)
