"""Documents with markup and their pictures in the set-up of a study on the pages of the console."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Page, expect

from judging.models import Document, Picture, Setup, Study
from tests.factories import NOW, make_worker
from tests.marked_up.drawing import bulges, square
from tests.setup.driving import Driver, at, zipped
from tests.support.browser import check_looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def driver(console: Client) -> Driver:
    return Driver(console)


def uploaded(driver: Driver, folder: Path) -> Setup:
    setup = driver.upload_study("tides.zip", zipped(folder))
    assert setup is not None
    return setup


def test_an_archive_brings_its_pictures(driver: Driver, tides_folder: Path) -> None:
    setup = uploaded(driver, tides_folder)
    assert driver.check == "sound"
    assert list(setup.files.filter(kind="pictures").values_list("path", flat=True)) == ["pictures/bulges.png"]
    assert bytes(Picture.objects.get(study=setup.study).content) == bulges()
    assert Document.objects.filter(study=setup.study).exclude(sources=[]).count() == 2


def test_a_picture_is_uploaded_without_its_folder(driver: Driver, tides_folder: Path, tmp_path: Path) -> None:
    picture = tmp_path / "bulges.png"
    (tides_folder / "pictures" / "bulges.png").rename(picture)
    setup = uploaded(driver, tides_folder)
    assert not Picture.objects.exists()
    driver.upload(setup, "pictures", picture)
    driver.get(at(setup))
    assert driver.check == "sound"
    assert Picture.objects.get().name == "pictures/bulges.png"
    picture.write_bytes(square(3))
    driver.upload(setup, "pictures", picture)
    assert bytes(Picture.objects.get().content) == square(3)
    assert setup.files.filter(kind="pictures").count() == 1
    driver.post(at(setup, "files/"), action="remove", name="bulges.png")
    assert not Picture.objects.exists()


@pytest.mark.parametrize("content", [b"<svg></svg>", b"%PDF-1.7", b"words"])
def test_what_is_no_picture_is_refused(driver: Driver, tides_folder: Path, content: bytes) -> None:
    setup = uploaded(driver, tides_folder)
    file = SimpleUploadedFile("bulges.png", content)
    driver.post(at(setup, "files/"), action="upload", kind="pictures", **{"file-pictures": [file]})
    assert driver.refused == ["file-pictures"]
    assert bytes(Picture.objects.get().content) == bulges()


def test_changes_to_an_open_study_keep_its_pictures(driver: Driver, tides: Study) -> None:
    make_worker(tides, upto="judging", now=NOW)
    setup = driver.change(tides)
    driver.get(at(setup))
    assert driver.check == "sound"
    assert bytes(Picture.objects.get(study=setup.study).content) == bulges()
    checksum = Picture.objects.filter(study=tides).get().sha256
    hidden = f"/console/studies/{setup.study.slug}/pictures/{checksum}/"
    assert driver.client.get(hidden).content == bulges()
    assert Client().get(hidden).status_code == 302


def test_a_preview_shows_the_pictures(driver: Driver, tides: Study) -> None:
    driver.post("/console/studies/tides/as-worker/", page="judge")
    preview = Study.with_hidden.get(preview_of=tides)
    address = f"/s/{preview.slug}/pictures/{Picture.objects.get().sha256}/"
    assert driver.client.get(address).content == bulges()


def test_the_texts_of_anchors_side_by_side(
    driver: Driver, tides_folder: Path, open_console: Callable[..., Page]
) -> None:
    uploaded(driver, tides_folder)
    page = open_console("/console/studies/tides/setup/anchors/?number=1")
    sources = page.locator(".sides .sources")
    expect(sources).to_have_count(2)
    check_looks(page)
