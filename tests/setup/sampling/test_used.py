"""What else works with the documents of a sampled study: commands, previews, imports and repairs."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management import call_command
from django.core.management.base import CommandError

from judging.core.services.errors import RefusedError
from judging.core.services.studies import open_study
from judging.models import PoolDocument, SampleDraw, Study, Topic, UnitDocument
from judging.protocol.anchor_pairs import Anchor
from judging.watching.selectors.progress import topic_progress
from judging.watching.services.mending import replace_topic
from judging.worker.services.previews import begin_preview
from tests.factories import NOW, judge_unit, later, make_worker
from tests.setup.intake.folder import TOPICS, StudyFolder
from tests.setup.sampling.folder import ALL, BUDGET, add_late_run, sampled_folder, table_of
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return sampled_folder(tmp_path / "small")


@pytest.fixture
def study(folder: StudyFolder) -> Study:
    study = folder.imported().study
    open_study(study=study, now=NOW)
    return Study.objects.get(pk=study.pk)


def others(topic: Topic, *, sampled: bool) -> list[str]:
    rows = PoolDocument.objects.filter(topic=topic, anchor="", sampled=sampled, grade="")
    return sorted(rows.values_list("document__document_id", flat=True))


def test_check_study_tells_the_sample_and_its_cost(study: Study) -> None:
    out = StringIO()
    call_command("check_study", "small", stdout=out)
    assert f"{BUDGET} of {len(ALL) * len(TOPICS)}" in out.getvalue()


def test_progress_counts_the_documents_to_judge(study: Study) -> None:
    assert sum(progress.documents for progress in topic_progress(study)) == BUDGET


def test_a_simulated_crowd_judges_the_sample_alone(folder: StudyFolder) -> None:
    study = folder.imported().study
    call_command("simulate", "small", "--workers", "20", "--seed", "1", stdout=StringIO())
    rows = PoolDocument.objects.filter(topic__study=study, judgments__isnull=False).distinct()
    assert rows.count() == BUDGET
    assert not rows.filter(sampled=False).exists()
    assert broken_invariants(Study.objects.get(pk=study.pk)) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_dry_run_judges_a_sample_too(folder: StudyFolder) -> None:
    study = folder.imported().study
    call_command("dry_run", "small", "--seed", "3", stdout=StringIO())
    copy = Study.objects.exclude(pk=study.pk).get()
    assert copy.sample_budget == BUDGET
    judged = PoolDocument.objects.filter(topic__study=copy, judgments__isnull=False).distinct()
    assert 0 < judged.count() <= BUDGET
    assert not judged.filter(sampled=False).exists()
    assert broken_invariants(copy) == []


@pytest.mark.parametrize("documents", ["sampled", "all"])
def test_only_judgments_of_the_sample_are_imported(
    folder: StudyFolder, tmp_path: Path, documents: str
) -> None:
    study = folder.imported().study
    sample = table_of(study)
    rows = sample.filter("sampled") if documents == "sampled" else sample
    lines = [
        f"{topic},{topic}-1,{name},w,5\n" for topic, name in rows.select("topic_id", "document_id").rows()
    ]
    file = tmp_path / "judgments.csv"
    file.write_text("topic_id,unit_id,document_id,worker_id,relevance_score\n" + "".join(lines))
    if documents == "sampled":
        call_command("import_judgments", "small", str(file), stdout=StringIO())
        assert broken_invariants(study) == []
    else:
        with pytest.raises(CommandError, match="document_id"):
            call_command("import_judgments", "small", str(file), stdout=StringIO())
    judged = PoolDocument.objects.filter(judgments__isnull=False).count()
    assert judged == (BUDGET if documents == "sampled" else 0)


class TestRepairs:
    """A topic is replaced by a copy with other anchors."""

    def anchors(self, topic: Topic, document: str) -> Mapping[Anchor, str]:
        kept = topic.pool.get(anchor="N").document.document_id
        return {Anchor.H: document, Anchor.N: kept}

    def test_the_copy_has_the_chances_of_the_sample(self, study: Study) -> None:
        topic = study.topics.get(number="007")
        before = table_of(study).filter(topic_id="007").drop("topic_id")
        anchor = others(topic, sampled=True)[0]
        copy, units = replace_topic(
            topic=topic, anchors=self.anchors(topic, anchor), exclude=False, now=NOW, actor=None
        )
        table = table_of(study)
        assert set(table["topic_id"]) == {copy.number, "1e5"}
        assert table.filter(topic_id=copy.number).drop("topic_id").equals(before)
        assert units
        assert not UnitDocument.objects.filter(pool_document__sampled=False).exists()
        assert broken_invariants(study) == []

    def test_an_anchor_must_be_in_the_sample(self, study: Study) -> None:
        topic = study.topics.get(number="007")
        outside = others(topic, sampled=False)[0]
        with pytest.raises(RefusedError, match=outside):
            replace_topic(
                topic=topic, anchors=self.anchors(topic, outside), exclude=False, now=NOW, actor=None
            )
        assert study.topics.count() == len(TOPICS)


def test_an_open_preview_does_not_keep_a_sample(
    study: Study, folder: StudyFolder, researcher: AbstractBaseUser
) -> None:
    preview = begin_preview(study=study, person=researcher, now=NOW)
    assert not PoolDocument.objects.filter(topic__study=preview).exclude(draw=None).exists()
    folder.replace("study.toml", f"budget = {BUDGET}", "budget = 30")
    folder.imported(update=True)
    assert SampleDraw.objects.get().budget == 30


def test_a_deleted_study_takes_its_draws_along(study: Study, folder: StudyFolder) -> None:
    judge_unit(make_worker(study))
    add_late_run(folder)
    folder.imported(update=True)
    assert SampleDraw.objects.count() == 2
    judge_unit(make_worker(Study.objects.get(pk=study.pk), now=later(hours=2)), now=later(hours=2))
    again = folder.imported(slug="again").study
    again.delete()
    assert SampleDraw.objects.filter(study=study).count() == 2
