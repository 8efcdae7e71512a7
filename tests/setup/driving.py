"""What a researcher does on the pages of a set-up, through a test client."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from judging.models import Setup, Study
from tests.support.html import compact
from tests.support.problems import problems_in

BEGIN = "/console/setup/"


def zipped(folder: Path, *, inside: str = "") -> bytes:
    """A folder as a zip, its files below `inside`."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{inside}{path.relative_to(folder)}")
    return buffer.getvalue()


def at(setup: Setup, page: str = "") -> str:
    """The address of a page of a set-up."""
    study = Study.with_hidden.select_related("changes_to").get(setup=setup)
    return f"/console/studies/{(study.changes_to or study).slug}/setup/{page}"


class Fault(NamedTuple):
    """A fault that a page lists: the step that its link leads to, its place, its field and all of it."""

    step: str
    where: str
    field: str
    item: str


class PathStep(NamedTuple):
    """A step of the path: whether it is done, whether it comes next, and what is missing in words."""

    name: str
    state: str
    is_next: bool
    missing: str


class Driver:
    """Somebody who sets a study up; `text` is the last page, and `address` that of the last form."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.text = ""
        self.address = ""
        self.status = 0

    def begin(self, title: str) -> Setup:
        self.post(BEGIN, action="begin", title=title)
        return Setup.objects.latest("pk")

    def upload_study(self, name: str, content: bytes) -> Setup | None:
        before = Setup.objects.count()
        self.post(BEGIN, action="upload", file=SimpleUploadedFile(name, content))
        return Setup.objects.latest("pk") if Setup.objects.count() > before else None

    def change(self, study: Study) -> Setup:
        """Take up the set-up of a study, or of changes to it."""
        self.post(f"/console/studies/{study.slug}/setup/change/")
        return Setup.objects.latest("pk")

    def upload(self, setup: Setup, kind: str, *paths: Path, **fields: str) -> None:
        files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in paths]
        names = {name if name == "only" else f"{name}-{kind}": value for name, value in fields.items()}
        self.post(at(setup, "files/"), action="upload", kind=kind, **{f"file-{kind}": files}, **names)
        self.import_topics()

    def import_topics(self, **choice: str) -> None:
        """Confirm each page that shows the topics of a file. `choice` says which of its topics to keep."""
        while self.status == 200 and 'value="import"' in self.text:
            only = re.search(r'name="only" value="([^"]*)"', self.text)
            numbers = only[1] if only else ""
            chosen = choice or {"keep": "these" if numbers else "all", "only": numbers}
            self.post(self.address, action="import", **chosen)

    def upload_grades(self, setup: Setup, path: Path, *, reading: str = "qrels", **grades: str) -> str:
        """Upload known grades and say what their values mean; `grades` are `grade-0` and so on."""
        self.upload(setup, "grades", path)
        return self.read_grades(setup, path.name, reading=reading, **grades)

    def read_grades(self, setup: Setup, name: str, *, reading: str, **grades: str) -> str:
        return self.post(at(setup, f"grades/?name={name}"), reading=reading, **grades)

    def post(self, address: str, **fields: Any) -> str:
        answer = self.client.post(address, fields, follow=True)
        self.address = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        return self._keep(answer)

    def get(self, address: str) -> str:
        return self._keep(self.client.get(address))

    def _keep(self, answer: Any) -> str:
        self.status = answer.status_code
        self.text = unescape(compact(" ".join(answer.content.decode().split())))
        return self.text

    def fault_at(self, name: str) -> str:
        """What stands beside a field."""
        match = re.search(rf'id="{re.escape(name)}(?:_error|-fault)">(.*?)</p>', self.text)
        return match[1].strip() if match else ""

    @property
    def check(self) -> str:
        """How the check went: checking, unchecked, faulty or sound; empty on a page that does not say."""
        match = re.search(r'data-check="(\w+)"', self.text)
        return match[1] if match else ""

    @property
    def step_counts(self) -> dict[str, int]:
        """Return the number of faults of each step that has any."""
        parts = re.findall(r'<li data-step="(\w+)"(.*?)</li>', self.text)
        counts = {step: re.search(r'data-faults="([1-9]\d*)"', part) for step, part in parts}
        return {step: int(count[1]) for step, count in counts.items() if count}

    @property
    def path(self) -> list[PathStep]:
        """Return the steps of the path, as the page shows them."""
        items = re.findall(r'<li data-step="(\w+)" data-state="(\w+)"\s*(data-next)?(.*?)</li>', self.text)
        missing = [re.search(r'<span class="missing"[^>]*>(.*?)</span>', rest) for *_, rest in items]
        return [
            PathStep(name, state, bool(follows), words[1].strip() if words else "")
            for (name, state, follows, _), words in zip(items, missing, strict=True)
        ]

    @property
    def faults(self) -> list[Fault]:
        """Return the faults that the page lists."""
        lists = re.findall(r'<ul class="faults">(.*?)</ul>', self.text)
        return [_fault(item.strip()) for text in lists for item in re.findall(r"<li>(.*?)</li>", text)]

    @property
    def missing(self) -> list[str]:
        """Return the parts of the set-up that the page says nobody has given."""
        return re.findall(r'data-missing="(\w+)"', self.text)

    @property
    def refused(self) -> list[str]:
        """Return the ids of the fields that the summary of problems names, empty for one without a field."""
        return [field for field, _ in problems_in(self.text)]

    def told(self, level: str = "success") -> list[str]:
        """Return the messages of a level that is not an error."""
        return re.findall(rf'<p class="notice {level}" role="status">(.*?)</p>', self.text)

    def items(self, name: str) -> list[str]:
        """Return the items of the list with this id."""
        match = re.search(rf'<ul id="{name}">(.*?)</ul>', self.text)
        return [item.strip() for item in re.findall(r"<li>(.*?)</li>", match[1])] if match else []


def _fault(item: str) -> Fault:
    step = re.match(r'<a href="[^"#]*/(\w+)/"', item)
    where = re.search(r"<code>(.*?)</code>", item)
    field = re.search(r'<b>(.*?)</b>|<a href="#[^"]*">(.*?)</a>', item)
    name = next(filter(None, field.groups())) if field else ""
    return Fault(step[1] if step else "", where[1] if where else "", name, item)
