"""Workers who share a browser: either one person with two pseudonyms, or two people at one computer."""

from typing import NamedTuple

from django.db.models import F, Q
from django.utils.translation import gettext as _

from judging.core.selectors.kinds import workers_of
from judging.models import Participation, Study


class SameBrowser(NamedTuple):
    """The pseudonyms of two workers. The second used a browser that the first had used before."""

    first: str
    second: str

    @property
    def reason(self) -> str:
        """Return the reason to look at the second worker."""
        return _(
            "Used a browser in which {worker} had already taken part in this study. Either one person has "
            "two pseudonyms, or two people share a computer."
        ).format(worker=self.first)


def same_browsers(study: Study, *, most: int) -> tuple[list[SameBrowser], int]:
    """Return the latest pairs in the study (at most `most`), and the total number of pairs.

    This takes two queries.
    """
    workers = workers_of(study).filter(same_browser__isnull=False)
    pairs = workers.order_by("-pk").values_list(F("same_browser__pseudonym"), "pseudonym")
    return [SameBrowser(*pair) for pair in pairs[:most]], workers.count()


def same_browser_reasons(worker: Participation) -> list[str]:
    """Return the reasons to look at this worker: one for each other worker who used the same browser.

    For most workers, the list is empty. This takes one query.
    """
    others = Participation.objects.filter(Q(pk=worker.same_browser_id) | Q(same_browser=worker))
    return [
        SameBrowser(name, worker.pseudonym).reason
        if key == worker.same_browser_id
        else _("{worker} later used the same browser as this worker.").format(worker=name)
        for key, name in others.order_by("pk").values_list("pk", "pseudonym")
    ]
