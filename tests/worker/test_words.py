"""How much people read before the first document."""

import re
import tomllib
from html import unescape

import pytest

from judging.core.services.studies import open_study
from judging.models import Participation, Unit
from judging.setup.study_files.importing import import_study
from tests.crowd.conftest import SAMPLE
from tests.factories import NOW
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.deeds import consent, practise, take_topic

MOST = 700
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
