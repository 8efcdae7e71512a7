"""A study with all that a bundle must bring back: exclusions, lapses, copies, deletions, a retired topic."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

import judging
from judging.archive.catalogue import EXPORTS, export_chunks
from judging.core.documents.citations import SourceText
from judging.core.services.pictures import store_picture
from judging.core.services.planning import plan_own_units
from judging.core.services.studies import close_study, retire_topic
from judging.crowd.simulation import START, Crowd, prepare, simulate, start_of
from judging.models import Assignment, MachineCall, MachineJudge, MachineUnit, Study, Unit
from judging.protocol.judges import MACHINE
from judging.setup.study_files.importing import import_study
from judging.watching.services.curation import exclude_unit
from judging.worker.services.leaving import withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import NOW, answer_wrongly, judge_unit, later, make_machine, make_worker
from tests.marked_up.drawing import square

SAMPLE = Path(judging.__file__).parent / "sample"


def eventful_sample(slug: str = "eventful", *, workers: int = 16) -> Study:
    """The sample study, judged by a crowd and then curated, closed in the end."""
    study = import_study(SAMPLE, slug=slug, now=START - timedelta(days=1)).study
    study.topics.filter(place=0).update(anchor_reason="The best there is.")
    add_markup(study)
    prepare(study, START)
    simulate(study, Crowd(workers=workers, seed=1), START)
    later = start_of(study) + timedelta(hours=1)
    first, second, third = Unit.objects.filter(topic__study=study, state="done").order_by("pk")[:3]
    exclude_unit(unit=first, reason="Answered at random.", now=later)
    exclude_unit(unit=second, reason='Odd: "é", and a\nsecond line.', now=later, collect_again=True)
    holder = Assignment.objects.get(unit=third, state="completed")
    withdraw(participation=holder.participation, delete_judgments=True, now=later)
    retire_topic(topic=study.topics.order_by("place").last(), now=later)
    close_study(study=study, now=later, force=True)
    study.refresh_from_db()
    return study


def add_markup(study: Study) -> None:
    """Give a study a picture, and a document that is an answer with a source."""
    document = study.documents.order_by("document_id").first()
    assert document is not None
    document.markup = "html"
    document.sources = [SourceText("s", "A source", "Its text.")._asdict()]
    document.save(update_fields=["markup", "sources"])
    store_picture(study, "pictures/shade.png", square(1))


def exported(study: Study, what: str, form: str) -> bytes:
    return b"".join(export_chunks(study, what, form))


def add_machine(study: Study) -> MachineJudge:
    """Let a machine judge take part twice: it does a unit, fails a question, and answers for both."""
    units = plan_own_units(study=study, kind=MACHINE.name, judgments=1)
    first, second = (make_worker(study, kind=MACHINE, now=later(hours=3 + sitting)) for sitting in range(2))
    judge = make_machine(first, most_money="0.12345678", family=["run"])
    later_sitting = make_machine(second, most_money="0.12345678", family=["run"], first=judge, sitting=2)
    MachineUnit.objects.bulk_create(MachineUnit(judge=judge, unit=unit) for unit in units)
    done = judge_unit(first, now=later(hours=5))
    reserve_unit(participation=second, now=later(hours=6), rng=Random(1))
    answer_wrongly(second, now=later(hours=6))
    for number, judgment in enumerate(done.judgments.order_by("position")):
        MachineCall.objects.create(
            judge=judge,
            key=f"{number:064x}",
            purpose="document",
            topic=done.topic,
            document=judgment.pool_document,
            answer=f"Answer: {judgment.number}",
            number=judgment.number,
            input_tokens=100,
            seconds=0.1,
            money="0.00000018",
            outcome="answered",
            at=later(hours=5),
        )
    MachineCall.objects.create(
        judge=later_sitting, key="f" * 64, purpose="practice", outcome="failed", fault="No answer.", at=NOW
    )
    return judge


def rows_of(study: Study) -> dict[str, bytes]:
    """The members of the bundle that do not change with the slug and the state of the study."""
    with ZipFile(BytesIO(exported(study, "bundle", "zip"))) as bundle:
        return {
            name: bundle.read(name)
            for name in bundle.namelist()
            if name not in ("manifest.json", "study.json")
        }


def everything(study: Study) -> dict[str, bytes]:
    """Every table, as text and as Parquet."""
    return {
        f"{what}.{form}": exported(study, what, form)
        for what, export in EXPORTS.items()
        for form in export.formats
    }


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return tmp_path / "bundle.zip"
