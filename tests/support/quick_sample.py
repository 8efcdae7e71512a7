"""The sample collection as a study that can be judged in real time: a moment on each document is enough."""

import shutil
from pathlib import Path

import judging
from judging.core.clock import now
from judging.core.services.studies import open_study
from judging.models import Study
from judging.setup.study_files.importing import import_study

SAMPLE = Path(judging.__file__).parent / "sample"
SECONDS = 0.02


def open_sample(folder: Path, slug: str, *, judgments: int = 1, scale: str = "") -> Study:
    """The sample, open, with so many judgments per document; a copy of its files is kept in `folder`.

    Without a `scale`, it has the default one.
    """
    copy = Path(shutil.copytree(SAMPLE, folder / "sample"))
    text = (copy / "study.toml").read_text()
    for default, quick in (
        ("# judgments_per_document = 10", f"judgments_per_document = {judgments}"),
        ("# seconds_per_document = 20", f"seconds_per_document = {SECONDS}"),
    ):
        assert default in text
        text = text.replace(default, quick)
    chosen = f'scale = "{scale}"\n' if scale else ""
    (copy / "study.toml").write_text(chosen + text)
    study = import_study(copy, slug=slug, now=now()).study
    open_study(study=study, now=now())
    return study
