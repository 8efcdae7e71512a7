"""Real collections: TREC-8's topics and grades, and a study over the Cranfield collection."""

from pathlib import Path

import pytest

from judging.core.faults import Faults, Where
from judging.models import Document, KnownGrade, PoolDocument, Study, Topic
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.cranfield import read_cranfield_documents, read_cranfield_topics
from judging.setup.intake.readers.grades import LEVELS, read_grades
from judging.setup.intake.readers.trec_topics import read_trec_topics
from judging.setup.study_files.importing import import_study
from tests.factories import NOW
from tests.setup.intake.folder import QUESTION

CRANFIELD_TOPICS = ("2", "5", "8", "15")

WORD_FOR_WORD = {
    "401": (
        "foreign minorities, Germany",
        "What language and cultural differences impede the integration of foreign minorities in Germany?",
        """A relevant document will focus on the causes of the lack of integration in a significant way; that
        is, the mere mention of immigration difficulties is not relevant.  Documents that discuss immigration
        problems unrelated to Germany are also not relevant.""",
    ),
    "403": (
        "osteoporosis",
        """Find information on the effects of the dietary intakes of potassium, magnesium and fruits and
        vegetables as determinants of bone mineral density in elderly men and women thus preventing
        osteoporosis (bone decay).""",
        """A relevant document may include one or more of the dietary intakes in the prevention of
        osteoporosis. Any discussion of the disturbance of nutrition and mineral metabolism that results in a
        decrease in bone mass is also relevant.""",
    ),
    "450": (
        "King Hussein, peace",
        """How significant a figure over the years was the late Jordanian King Hussein in furthering peace in
        the Middle East?""",
        """A relevant document must include mention of Israel; King Hussein himself as opposed to other
        Jordanian officials; discussion of the King's on-going, previous or upcoming efforts; and efforts
        pertinent to the peace process, not merely Jordan's relationship with other middle-east countries or
        the U.S.""",
    ),
}


def source(path: Path) -> SourceFile:
    return SourceFile(path, Where("study.toml", 1), "path", Faults())


def test_trec_8_topics(collections: Path) -> None:
    file = source(collections / "trec8" / "topics.adhoc.401-450.txt")
    topics = {topic.number: topic for topic in read_trec_topics(file)}

    assert list(topics) == [str(number) for number in range(401, 451)]
    assert all(topic.title and topic.description and topic.narrative for topic in topics.values())
    assert not any(mark in str(topic) for topic in topics.values() for mark in ("<", "Narrative:", "Number:"))
    assert file.faults.count == 0
    for number, (title, description, narrative) in WORD_FOR_WORD.items():
        topic = topics[number]
        assert topic.title == title
        assert topic.description == " ".join(description.split())
        assert topic.narrative == " ".join(narrative.split())
    assert topics["401"].where.line == 3


def test_trec_8_grades(collections: Path) -> None:
    file = source(collections / "trec8" / "qrels.adhoc.401-450.txt")
    grades, others = read_grades(file, LEVELS["qrels"], {"401", "402"})

    assert file.faults.count == 0
    assert set(grades) == {"401", "402"}
    assert others == {str(number) for number in range(403, 451)}


def test_cranfield_files(collections: Path) -> None:
    folder = collections / "cranfield"
    documents = {one.id: one for one in read_cranfield_documents(source(folder / "cran.all.1400"))}
    topics = list(read_cranfield_topics(source(folder / "cran.qry")))
    grades, _ = read_grades(
        source(folder / "cranqrel"), LEVELS["cranfield"], {topic.number for topic in topics}
    )

    assert len(documents) == 1400
    assert [one.id for one in documents.values() if not one.text] == ["471", "995"]
    assert (
        documents["1"].title == "experimental investigation of the aerodynamics of a wing in a slipstream ."
    )
    assert documents["1"].text.startswith(
        "an experimental study of a wing in a propeller slipstream was made in"
    )
    assert [topic.number for topic in topics] == [str(number) for number in range(1, 226)]
    assert (
        topics[2].description
        == "what problems of heat conduction in composite slabs have been solved so far ."
    )
    levels = [known.level for values in grades.values() for known in values.values()]
    assert (len(levels), levels.count(None)) == (1837, 225)
    assert (levels.count("H"), levels.count("R"), levels.count("M"), levels.count("N")) == (128, 387, 1097, 0)


@pytest.fixture
def cranfield(collections: Path, tmp_path: Path) -> Path:
    """A study of four queries whose one run finds each document of the judgments, the empty ones first."""
    folder = collections / "cranfield"
    rows = [line.split() for line in (folder / "cranqrel").read_text().splitlines()]
    lines = []
    for number in CRANFIELD_TOPICS:
        results = ["471", "995", *dict.fromkeys(row[1] for row in rows if row[0] == number), "1000", "1001"]
        lines += [f"{number} Q0 {name} {rank} {-rank} all\n" for rank, name in enumerate(results, start=1)]
    (tmp_path / "all.run").write_text("".join(lines))
    study = tmp_path / "study.toml"
    study.write_text(
        f"""slug = "cranfield"
title = "Cranfield"
[topics]
format = "cranfield"
path = "{folder / "cran.qry"}"
only = {list(CRANFIELD_TOPICS)}
[documents]
format = "cranfield"
path = "{folder / "cran.all.1400"}"
[pool]
depth = 100
[[grades]]
name = "cleverdon"
format = "cranfield"
path = "{folder / "cranqrel"}"
unlisted = "N"
[[run]]
path = "all.run"
"""
        + "".join(QUESTION.format(number=number) for number in CRANFIELD_TOPICS)
    )
    return study


@pytest.mark.django_db
def test_a_cranfield_study(cranfield: Path, collections: Path) -> None:
    imported = import_study(cranfield, now=NOW)

    assert [notice for notice in imported.notices if "471, 995" in str(notice)]
    assert not Document.objects.filter(document_id__in=["471", "995"]).exists()
    assert set(Topic.objects.values_list("number", flat=True)) == set(CRANFIELD_TOPICS)
    grades = {
        (pool_document.topic.number, pool_document.document.document_id): pool_document.grade
        for pool_document in PoolDocument.objects.select_related("topic", "document")
    }
    codes = {}
    for line in (collections / "cranfield" / "cranqrel").read_text().splitlines():
        topic, document, code = line.split()
        codes[topic, document] = code
    level = {"1": "H", "2": "R", "3": "M", "4": "M", "-1": "", None: "N"}
    assert grades == {key: level[codes.get(key)] for key in grades}
    assert sorted(grades.values()).count("") == len(CRANFIELD_TOPICS), "the −1 document is ungraded, never N"
    assert set(grades.values()) == {"", "N", "M", "R", "H"}
    assert not KnownGrade.objects.filter(value="-1").exists()
    for anchor in PoolDocument.objects.exclude(anchor=""):
        assert anchor.grade == anchor.anchor
    assert Study.objects.get().topics.filter(pool__anchor="N").count() == 4
