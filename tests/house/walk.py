"""Everybody, a study with everything in it that an address can name, and every address of the site."""

from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from judging.core.clock import now
from judging.core.services.jobs import request, send
from judging.models import JobKind, Picture, Report, ReportKind, Role, Study
from judging.people.services.invitations import invite, token_of
from judging.protocol.judges import KINDS
from judging.protocol.markup import PictureType
from judging.setup.making import get_or_create_setup
from judging.understanding.reports.catalogue import WHOLE_ZIP
from judging.understanding.selectors.reports import folder_of, report_key
from tests.factories import judge_unit, make_machine, make_study, make_worker
from tests.marked_up.drawing import square
from tests.people.conftest import PASSWORD, browser_of, make_people

VISITORS = ("anonymous", "worker", "stranger", "viewer", "editor", "owner", "admin")
"""A stranger has an account and a role in another study; only the admin is of the staff."""


def addresses(
    patterns: list[Any] | None = None, before: str = "", space: str = ""
) -> Iterator[tuple[str, str]]:
    """Each address of the site as (namespace:name, route); Django's admin is one, as it is all alike."""
    for item in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(item.pattern)
        if isinstance(item, URLResolver):
            inside = f"{item.namespace}:" if item.namespace else space
            if item.namespace == "admin":
                yield "admin:", route
            else:
                yield from addresses(item.url_patterns, route, inside)
        elif isinstance(item, URLPattern):
            yield f"{space}{item.name or route}", route


DRAWN = {"tables": [], "alt": "A figure", "sentences": [], "missing": []}


def report_of(study: Study, kind: ReportKind, parameters: dict[str, str], **given: Any) -> Report:
    seen = {"seen_judgments": 0, "seen_units": 0, "seen_sum": 0}
    key = report_key(kind, parameters)
    return Report.objects.create(
        study=study, kind=kind.value, parameters=parameters, key=key, made_at=now(), **seen, **given
    )


class World:
    """The study `study`, opened and judged in, its people, and what stands in the addresses below it."""

    def __init__(self) -> None:
        self.browsers: dict[str, tuple[Client, SimpleCookie]] = {}
        study = make_study(judgments_per_document=1)
        self.people = make_people(study, make_study(slug="other", opened=False))
        self.study = study
        self.worker = make_worker(study)
        judge_unit(self.worker)
        export = {"what": "judgments", "format": "csv"}
        job = request(kind=JobKind.EXPORT, study=study, parameters=export, now=now())
        importing = request(
            kind=JobKind.IMPORT, parameters={"path": "no", "slug": None, "update": False}, now=now()
        )
        send(job)  # there is no commit in a test
        changes = get_or_create_setup(study=study, now=now())
        (changes.folder / "qrels.txt").write_text("1 0 d 3\n")
        (changes.folder / "topics.txt").write_text("<top><num>1<title>Bread</top>\n")
        figure = report_of(
            study, ReportKind.FIGURE, {"figure": "magnitudes-by-grade"}, folder="drawn", content=DRAWN
        )
        (folder_of(figure)).mkdir(parents=True)
        (folder_of(figure) / "magnitudes-by-grade.svg").write_text("<svg/>")
        whole = report_of(study, ReportKind.WHOLE, {}, folder="whole", content={})
        folder_of(whole).mkdir(parents=True)
        (folder_of(whole) / WHOLE_ZIP).touch()
        documents = report_of(study, ReportKind.DOCUMENTS, {"topic": "401"}, content={"documents": []})
        pooled = study.topics.order_by("place")[0].pool.order_by("pk")[0]
        machine = make_machine(make_worker(study, kind=KINDS["machine"]))
        self.queries = {
            "console:documents": {"topic": pooled.topic.number},
            "console:document": {"topic": pooled.topic.number, "id": pooled.document.document_id},
            "console:setup_columns": {"kind": "documents", "format": "jsonl", "name": "documents.jsonl"},
            "console:setup_grades": {"name": "qrels.txt"},
            "console:setup_import_topics": {"name": "topics.txt", "format": "trec"},
            "console:setup_replace": {"name": "topics.txt", "old": "qrels.txt", "kind": "grades"},
            "console:setup_download": {"name": "qrels.txt"},
            "console:setup_topic": {"number": pooled.topic.number},
            "console:mend_topic": {"number": pooled.topic.number},
            "console:judge": {"name": machine.name},
        }
        content = square(3)
        picture = Picture.objects.create(
            study=study,
            name="square.png",
            media_type=PictureType.PNG,
            sha256=sha256(content).hexdigest(),
            content=content,
        )
        guest = get_user_model().objects.create_user("forgetful", password=PASSWORD)
        invitation = invite(
            study=study, email="new@example.org", role=Role.VIEWER, now=now(), actor=self.people["owner"]
        )
        self.parts = {
            "slug": "study",
            "pseudonym": self.worker.pseudonym,
            "form": "csv",
            "what": "judgments",
            "token": self.worker.token,
            "pk": str(job.pk),
            "attempt": "1",
            "line": "0",
            "number": "1",
            "position": "0",
            "checksum": picture.sha256,
        }
        self.special: dict[str, dict[str, str]] = {
            "console:import": {"pk": str(importing.pk)},
            "console:setup_settings": {"section": "texts"},
            "console:state": {"action": "pause"},
            "api:export": {"what": "gains"},
            "api:manifest": {"what": "gains"},
            "console:figure": {"name": "magnitudes-by-grade"},
            "console:figure_file": {"pk": str(figure.pk), "form": "svg"},
            "console:report_table": {"pk": str(documents.pk)},
            "console:invitation": {"token": token_of(invitation)},
            "console:password_set": {
                "uidb64": urlsafe_base64_encode(force_bytes(guest.pk)),
                "token": default_token_generator.make_token(guest),
            },
        }

    def address(self, name: str, route: str) -> str:
        """A route with what it asks for filled in, and its query; of Django's admin the front page."""
        given = self.parts | self.special.get(name, {})
        while "<" in route:
            before, _, rest = route.partition("<")
            what, _, after = rest.partition(">")
            route = before + given[what.rpartition(":")[2]] + after
        query = self.queries.get(name)
        return f"/{route}?{urlencode(query)}" if query else f"/{route}"

    def browser(self, visitor: str) -> Client:
        """Return the browser of a visitor who is logged in, or has come by the study's own way."""
        if visitor not in self.browsers:
            client = browser_of(self.people.get(visitor))
            if visitor == "worker":
                client.get(f"/s/study/resume/{self.worker.token}/")
            self.browsers[visitor] = client, deepcopy(client.cookies)
        client, cookies = self.browsers[visitor]
        client.cookies = deepcopy(cookies)
        return client
