"""Every address of the console and of the API that answers with a page, on a large site.

`LEFT_OUT` are those that are not measured, and why; `tests/house/test_large_site.py` holds that there are no
others.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlencode

from django.db.models import Max, QuerySet
from django.urls import reverse

from judging.limits import ROWS_PER_PAGE
from judging.models import Event, Participation, Study
from judging.protocol.checks import CHECKS
from judging.watching.pages.workers import UNITS
from tests.benchmarks.large_site import LargeSite

_DOWNLOAD: Final = "a file, streamed or read from the disk, whose time is that of its size"
_FORM: Final = "takes a form, and shows no page of its own"
LEFT_OUT: Final = {
    "console:download_payments": _DOWNLOAD,
    "console:export": _DOWNLOAD,
    "console:export_manifest": "reads an export from end to end, as the API's does",
    "console:job_file": _DOWNLOAD,
    "console:job_manifest": _DOWNLOAD,
    "console:figure_file": _DOWNLOAD,
    "console:report_table": _DOWNLOAD,
    "console:picture": _DOWNLOAD,
    "console:whole_report": _DOWNLOAD,
    "console:study_archive": _DOWNLOAD,
    "console:setup_archive": _DOWNLOAD,
    "console:setup_file": _DOWNLOAD,
    "console:setup_download": _DOWNLOAD,
    "console:mend_topic": "needs a topic whose anchors look bad; it reads that topic alone",
    "console:setup_columns": "reads the first rows of one uploaded file, not what was judged",
    "console:setup_import_topics": "reads one uploaded file of topics, not what was judged",
    "console:setup_replace": "asks about one uploaded file of a set-up, and reads nothing else",
    "console:setup_delete_topics": "shows a form; which topics go is asked by a form",
    "console:setup_grades": "reads one uploaded file of a set-up, not what was judged",
    "api:export": _DOWNLOAD,
    "api:result": "reads one stored report, and nothing that was judged",
    "api:arms": "likewise",
    "api:judgments_export": _DOWNLOAD,
    "api:manifest": "reads an export from end to end, and says so in its description",
    "api:judgments_manifest": "likewise",
    "api:schema": "the same for every site, whatever is in it",
    "api:token": _FORM,
    "api:api/v1/": "where nothing is",
    "console:judge": "shows one machine judge; the list of all reads as much for each",
    "console:logout": _FORM,
    "console:rehearse": _FORM,
    "console:decide": _FORM,
    "console:as_worker": _FORM,
    "console:copy": _FORM,
    "console:setup_change": _FORM,
    "console:password_set": "shows no page but after a redirect, and reads one account",
}
_OF_STUDY: Final = (
    "study",
    "search",
    "set_up",
    "plan",
    "members",
    "way_in",
    "audit",
    "payments",
    "quality",
    "worker_statistics",
    "thresholds",
    "table1",
    "events",
    "workers",
    "understanding",
    "grades",
    "arms",
    "judges",
    "labels",
    "results",
    "systems",
    "figures",
    "papers",
    "jobs",
)
_OF_SITE: Final = (
    "studies",
    "login",
    "password_change",
    "password_ask",
    "password_asked",
    "people",
    "site_audit",
    "help",
    "setup",
)
_OF_SETUP: Final = (
    "setup_overview",
    "setup_estimate",
    "setup_preview",
    "setup_files",
    "setup_topics",
    "setup_anchors",
)
_DAYS: Final = {"first": "2026-03-05", "last": "2026-03-20"}


def addresses(site: LargeSite) -> Iterator[tuple[str, str]]:
    """What a page is → its address."""
    for name in _OF_SITE:
        yield name, reverse(f"console:{name}")
    yield "a code", reverse("console:code") + "?code=" + _code(site.study)
    yield "an invitation", reverse("console:invitation", args=[site.invitation])
    yield "audit of the site, last page", _last(reverse("console:site_audit"), 100 * site.rows)
    for name in _OF_STUDY:
        yield name, _console(site, name)
    yield from _further(site)
    yield from _lists(site)
    yield from _setup(site)
    yield from _api(site)


def _further(site: LargeSite) -> Iterator[tuple[str, str]]:
    topic = site.study.topics.order_by("place")[0]
    document = topic.pool.exclude(anchor="").order_by("pk")[0].document.document_id
    of_topic = {"topic": topic.number}
    yield "search for documents", _console(site, "search", q="D4")
    yield "documents", _console(site, "documents", **of_topic)
    yield "documents by spread", _console(site, "documents", **of_topic, sort="spread")
    yield "document", _console(site, "document", **of_topic, id=document)
    yield "results, made", _console(site, "results", measures="nDCG@10\nAP")
    yield "figure", reverse("console:figure", args=[site.slug, "magnitudes-by-grade"])
    yield "quality by hour", _console(site, "quality", by="hour")
    yield "job", reverse("console:job", args=[site.slug, site.job])
    yield "import", reverse("console:import", args=[site.importing])
    for action in ("pause", "close"):
        yield f"state {action}", reverse("console:state", args=[site.slug, action])
    yield "state open", reverse("console:state", args=[site.tomorrow.slug, "open"])
    yield "study, not open yet", reverse("console:study", args=[site.tomorrow.slug])


def _lists(site: LargeSite) -> Iterator[tuple[str, str]]:
    workers, events = _workers(site), Event.objects.filter(study=site.study)
    worker = _busiest(site)
    yield (
        "worker_statistics, last page",
        _last(_console(site, "worker_statistics"), workers.count() * 9 // 10),
    )
    yield "events, last page", _last(_console(site, "events"), events.count())
    yield "events of a check", _console(site, "events", check="c")
    yield "events of some days", _console(site, "events", **_DAYS)
    narrow = {"check": "c", "topic": "401", "worker": worker.pseudonym}
    yield "events, all filters", _console(site, "events", **narrow, **_DAYS)
    for sort in ("worker", "state", *UNITS, "failures", *CHECKS, "seen"):
        yield f"workers by {sort}", _console(site, "workers", sort=sort)
    yield "workers, last page", _last(_console(site, "workers"), workers.count())
    yield "worker", reverse("console:worker", args=[site.slug, worker.pseudonym])
    yield "worker_pair", _console(site, "worker_pair", a=worker.pseudonym, b=_partner(site, worker).pseudonym)
    yield "audit by actor", _console(site, "audit", sort="actor")
    yield "audit of a verb", _console(site, "audit", verb="paused", first="2026-03-02", last="2026-03-20")


def _setup(site: LargeSite) -> Iterator[tuple[str, str]]:
    slug = site.setup.study.slug
    for name in _OF_SETUP:
        yield name, reverse(f"console:{name}", args=[slug])
    yield "setup_settings", reverse("console:setup_settings", args=[slug, "texts"])
    for name in ("setup_topic", "setup_topic_preview", "setup_advice"):
        yield name, reverse(f"console:{name}", args=[slug]) + "?number=401"
    yield "setup_anchors of a topic", reverse("console:setup_anchors", args=[slug]) + "?number=401"


def _api(site: LargeSite) -> Iterator[tuple[str, str]]:
    yield "api studies", reverse("api:studies")
    for name in ("study", "topics", "judgments", "gains", "units", "events", "exports"):
        yield f"api {name}", reverse(f"api:{name}", args=[site.slug])
    worker = _busiest(site).pseudonym
    yield "api judgments of a worker", f"{reverse('api:judgments', args=[site.slug])}?worker={worker}"
    yield "api judgments of a unit", f"{reverse('api:judgments', args=[site.slug])}?unit=401-0001"
    yield "api events of a check", f"{reverse('api:events', args=[site.slug])}?check=c"


def _console(site: LargeSite, name: str, **asked: str) -> str:
    address = reverse(f"console:{name}", args=[site.slug])
    return f"{address}?{urlencode(asked)}" if asked else address


def _last(address: str, rows: int) -> str:
    return f"{address}?page={max(1, -(-rows // ROWS_PER_PAGE))}"


def _workers(site: LargeSite) -> QuerySet[Participation]:
    return Participation.objects.filter(study=site.study)


def _busiest(site: LargeSite) -> Participation:
    return (
        _workers(site)
        .annotate(units=Max("assignments__number"))
        .order_by("-units", "pk")
        .exclude(units=None)[0]
    )


def _partner(site: LargeSite, worker: Participation) -> Participation:
    """Another worker who judged a topic of this worker, so at least the same anchors."""
    done = {"assignments__completion_code__isnull": False}
    topic = worker.assignments.filter(completion_code__isnull=False).order_by("number")[0].topic
    return _workers(site).exclude(pk=worker.pk).filter(assignments__topic=topic, **done).order_by("pk")[0]


def _code(study: Study) -> str:
    done = study.participations.filter(assignments__completion_code__isnull=False).order_by("pk")
    return done.values_list("assignments__completion_code", flat=True)[0]
