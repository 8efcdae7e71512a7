"""Every export of every judged study of a site, by the names under which `exports.zip` holds them.

    python -m tests.migrations.exported

writes `exports.zip` again from `site.backup`, for when an export has changed on purpose: see the package.
"""

import io
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

FOLDER = Path(__file__).parent
BACKUP, EXPORTS = FOLDER / "site.backup", FOLDER / "exports.zip"
STUDIES = ("crowd", "imported", "judged", "made")


def exported(folder: Path) -> dict[str, bytes]:
    """Return all exports of the site, each member of a zip by itself; `folder` is for files under way."""
    from judging.archive.catalogue import OFFERED
    from judging.core.published.payments import PAYMENTS
    from judging.models import Study
    from judging.setup.study_files.study_folder import zip_study

    results: dict[str, bytes] = {}
    for slug in STUDIES:
        for what, export in (OFFERED | {PAYMENTS.name: PAYMENTS}).items():
            for form in sorted({"csv", "jsonl", "qrels", "zip"} & set(export.formats)):
                results |= _members(f"{slug}/{what}.{form}", _export(slug, what, form, folder / "export"))
        with zip_study(Study.objects.get(slug=slug)) as archive:
            results |= _members(f"{slug}/study.zip", archive.read())
    return {
        name: _without_words(data) if name.endswith("/manifest.json") else data
        for name, data in results.items()
    }


def kept() -> dict[str, bytes]:
    """Return the exports in `exports.zip`."""
    with ZipFile(EXPORTS) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _export(slug: str, what: str, form: str, file: Path) -> bytes:
    from django.core.management import call_command

    file.unlink(missing_ok=True)
    results = {"stdout": io.StringIO(), "stderr": io.StringIO()}
    call_command("export", slug, "--what", what, "--format", form, "-o", str(file), **results)
    return file.read_bytes()


def _members(name: str, data: bytes) -> dict[str, bytes]:
    if not name.endswith(".zip"):
        return {name: data}
    with ZipFile(io.BytesIO(data)) as archive:
        return {f"{name}/{member}": archive.read(member) for member in archive.namelist()}


def _without_words(manifest: bytes) -> bytes:
    """Return a bundle's manifest without what changes with a release: versions, and words for people."""
    values = json.loads(manifest)
    del values["software"], values["described_in"]
    for file in values["files"]:
        del file["what"]
    return json.dumps(values, ensure_ascii=False, indent=1).encode()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    os.environ.pop("DATABASE_URL", None)
    with TemporaryDirectory() as folder:
        os.environ["PLUMBLINE_VAR"] = folder
        import django

        django.setup()
        from django.core.management import call_command

        call_command("restore", str(BACKUP))
        with ZipFile(EXPORTS, "w", ZIP_DEFLATED) as archive:
            for name, data in sorted(exported(Path(folder)).items()):
                # The same time for all, so that the same exports make the same file.
                archive.writestr(ZipInfo(name), data, ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main()
