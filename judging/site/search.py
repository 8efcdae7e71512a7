"""Find a topic, a document, a worker or a completion code of a study."""

from typing import Final, NamedTuple

from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core.pages.guard import console_page, find_study
from judging.models import Assignment, Participation, PoolDocument, Study, Topic
from judging.protocol.codes import read_completion_code

MOST: Final = 20
LONGEST: Final = 200


class Match(NamedTuple):
    """A search result: the kind of thing found, its name, and the address of its page."""

    kind: str
    name: str
    address: str


@require_safe
@console_page
def search(request: HttpRequest, slug: str) -> HttpResponseBase:
    """List the matches of the query. If there is only one match, redirect to its page."""
    study = find_study(request, slug)
    query = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST]  # PostgreSQL stores no NUL
    matches = matches_of(study, query) if query else []
    if len(matches) == 1:
        return redirect(matches[0].address)
    context = {"study": study, "query": query, "matches": matches, "most": MOST}
    return render(request, "site/search.html", context)


def matches_of(study: Study, query: str) -> list[Match]:
    """Return at most `MOST` matches of each kind. This takes at most four queries.

    Topic numbers, document ids and workers' pseudonyms match if they start with the query. Topic titles match
    if they contain the query. Completion codes match if they equal the query. Case does not matter.
    """
    topics = study.topics.filter(Q(number__istartswith=query) | Q(title__icontains=query)).order_by("place")
    documents = PoolDocument.objects.filter(topic__study=study, document__document_id__istartswith=query)
    named = documents.select_related("topic", "document").order_by("document__document_id", "topic__place")
    workers = Participation.objects.filter(study=study, pseudonym__istartswith=query).order_by("pseudonym")
    code = read_completion_code(query)
    coded = Assignment.objects.filter(participation__study=study, completion_code=code)
    matches = [_of_topic(study, topic) for topic in topics[:MOST]]
    matches += [
        Match(
            _("Document of topic {topic}").format(topic=pooled.topic.number),
            pooled.document.document_id,
            _address("document", study, topic=pooled.topic.number, id=pooled.document.document_id),
        )
        for pooled in named.defer("document__text", "topic__description", "topic__narrative")[:MOST]
    ]
    matches += [_of_worker(study, name) for name in workers.values_list("pseudonym", flat=True)[:MOST]]
    if code is not None:
        matches += [
            _of_worker(study, name) for name in coded.values_list("participation__pseudonym", flat=True)
        ]
    return matches


def _of_topic(study: Study, topic: Topic) -> Match:
    return Match(_("Topic"), str(topic), _address("documents", study, topic=topic.number))


def _of_worker(study: Study, pseudonym: str) -> Match:
    return Match(_("Worker"), pseudonym, reverse("console:worker", args=[study.slug, pseudonym]))


def _address(name: str, study: Study, **query: str) -> str:
    return f"{reverse(f'console:{name}', args=[study.slug])}?{urlencode(query)}"
