"""A study as its workers will see it: their own templates, and forms that store nothing.

Nobody takes part by this: there is no participation, no unit is reserved, and no time runs.
"""

from types import SimpleNamespace
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from judging.models import PoolDocument, Question, Study, Topic
from judging.pages.console.guard import console_page, find_study, row_key
from judging.pages.worker.back import unpaid_way_back
from judging.pages.worker.door import refusal_of
from judging.pages.worker.practice import frame_of
from judging.protocol import magnitude
from judging.protocol.checks.practice import LONGEST
from judging.protocol.platforms import platform_of
from judging.services.submitting import MISSING_JUSTIFICATION

_LINES: Final = (LONGEST // 2, LONGEST // 5, LONGEST)
_NO_CODE: Final = "XXXX-XXXX-XXXX"
"""Stands for a completion code in the address that a test visit shows."""
WRONG: Final = "That is not the right option: the unit of a worker would be over now."
PAGES: Final = ("information", "instructions", "practice", "task", "topic", "judge")


@csrf_exempt  # The workers' first form has no token, and nothing is stored here by any.
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def as_worker(request: HttpRequest, slug: str, page: str) -> HttpResponseBase:
    """One page of the way; pressing its button leads to the next one. `?topic=` and `?place=` say where."""
    study = find_study(request, slug)
    if page not in PAGES:
        raise Http404
    topics = list(Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place"))
    asked = request.GET.get("topic")
    topic = next((one for one in topics if asked in (None, one.number)), None)
    if topic is None:
        raise Http404
    place = request.GET.get("place", "0")
    walk = Walk(request, study, topics, topic, row_key(place))
    return getattr(walk, page)()  # type: ignore[no-any-return]  # a method for each page


class Walk:
    """Somebody who looks at the pages, at one topic and one place (a line or a document) of it.

    A method for each page: shows it, or, where its form was sent, goes on to the next one.
    """

    def __init__(
        self, request: HttpRequest, study: Study, topics: list[Topic], topic: Topic, place: int
    ) -> None:
        self.request, self.study, self.topics, self.topic_shown = request, study, topics, topic
        self.place = min(place, 100)
        self.posted = request.method == "POST"

    def information(self) -> HttpResponseBase:
        if self.posted and self.request.POST.get("consent") == "yes":
            return self._to("instructions")
        if self.posted:
            return self._show("goodbye", back=unpaid_way_back(self.study))
        return self._show(
            "information",
            arrival="",
            takes_work=True,
            has_work=True,
            **self._test_visit(),
        )

    def _test_visit(self) -> dict[str, Any]:
        """Return what the study's own page would make of the ids in this address, nothing without any."""
        platform = platform_of(self.study)
        parameters = platform.parameters(self.study)
        if not parameters.worker or parameters.worker not in self.request.GET:
            return {}
        arrival = platform.arrival(self.study, self.request.GET)
        return {
            "test_visit": arrival,
            "parameters": parameters,
            "refusal": refusal_of(self.request, self.study, arrival),
            "platform_id": arrival.platform_id,
            "completion_link": platform.completion_link(
                self.study, code=_NO_CODE, submission_id=arrival.submission_id
            ),
        }

    def instructions(self) -> HttpResponseBase:
        return self._to("practice") if self.posted else self._show("instructions")

    def practice(self) -> HttpResponseBase:
        line = min(self.place, len(_LINES) - 1)
        fault = self._magnitude_fault()
        if self.posted and not fault:
            return self._to("practice", line + 1) if line + 1 < len(_LINES) else self._to("task")
        return self._show(
            "practice",
            attempt=SimpleNamespace(number=1),
            attempts_left=self.study.practice_attempts - 1,
            line=line,
            lines=len(_LINES),
            length=_LINES[line],
            frame=frame_of(_LINES[line]),
            text=self.request.POST.get("magnitude", ""),
            faults=fault,
        )

    def task(self) -> HttpResponseBase:
        return self._to("topic") if self.posted else self._show("task", work_is_left=True)

    def topic(self) -> HttpResponseBase:
        question = Question.objects.filter(topic=self.topic_shown).first()
        if question is None:
            raise Http404
        answer = self.request.POST.get("answer")
        if self.posted and self.request.POST.get("action") == "return":
            return self._to("task")
        if self.posted and answer == str(question.right_option):
            return self._to("judge")
        faults = {"answer": WRONG if answer is not None else "Please choose one of the answers."}
        return self._show(
            "topic",
            assignment=SimpleNamespace(number=0),
            topic=self.topic_shown,
            question=question.text,
            options=question.options,
            faults=faults if self.posted else {},
        )

    def judge(self) -> HttpResponseBase:
        documents = self._documents()
        place = min(self.place, len(documents) - 1)
        last = place == len(documents) - 1
        action = self.request.POST.get("action", "next")
        fault = self._magnitude_fault()
        if self.posted and not self.request.POST.get("justification", "").strip():
            fault["justification"] = MISSING_JUSTIFICATION
        if self.posted and action == "return":
            return self._to("task")
        if self.posted and action == "back":
            return self._to("judge", max(0, place - 1))
        if self.posted and not fault:
            return self._end() if last else self._to("judge", place + 1)
        document = documents[place].document
        typed = {key: self.request.POST.get(key, "") for key in ("magnitude", "justification")}
        return self._show(
            "judge",
            assignment=SimpleNamespace(number=0, serial=0, cursor=place),
            topic=self.topic_shown,
            judgment=SimpleNamespace(raw_input=typed["magnitude"], justification=typed["justification"]),
            title=document.title,
            text=document.text,
            layout=document.layout or self.study.layout,
            place=place + 1,
            places=len(documents),
            last=last,
            may_finish=last,
            faults=fault,
        )

    def _documents(self) -> list[PoolDocument]:
        """A unit's worth of the topic: the anchors, and as many others as a unit has."""
        pool = PoolDocument.objects.filter(topic=self.topic_shown).select_related("document")
        found = sorted(pool.order_by("-anchor", "document__document_id")[: self.study.unit_size], key=_by_id)
        if not found:
            raise Http404
        return found

    def _magnitude_fault(self) -> dict[str, str]:
        if not self.posted:
            return {}
        message = magnitude.parse(self.request.POST.get("magnitude", "")).message
        return {"magnitude": message} if message else {}

    def _end(self) -> HttpResponseBase:
        context = {**self._shown, "topics": self.topics}
        return render(self.request, "console/as_worker_end.html", context)

    def _show(self, template: str, **context: Any) -> HttpResponseBase:
        return render(self.request, f"worker/{template}.html", {**self._shown, **context})

    @property
    def _shown(self) -> dict[str, Any]:
        """What each page takes to be one that is only looked at."""
        number = self.topic_shown.number
        return {"study": self.study, "preview": True, "pages": PAGES, "topic_number": number}

    def _to(self, page: str, place: int = 0) -> HttpResponseBase:
        address = reverse("console:as_worker", args=[self.study.slug, page])
        query = urlencode({"topic": self.topic_shown.number, "place": place})
        return redirect(f"{address}?{query}")


def _by_id(pooled: PoolDocument) -> str:
    return pooled.document.document_id
