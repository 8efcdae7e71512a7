"""Workers who came in a browser that was another's: perhaps one person, perhaps two at one computer."""

from typing import NamedTuple

from django.db.models import F, Q

from judging.models import Participation, Study


class SameBrowser(NamedTuple):
    """Two workers, by pseudonym; the second came in a browser of the first."""

    first: str
    second: str

    @property
    def reason(self) -> str:
        """Why to look at the second."""
        return (
            f"Came in a browser in which {self.first} took part in this study before: one person under two"
            " names, or two people at one computer."
        )


def same_browsers(study: Study, *, most: int) -> tuple[list[SameBrowser], int]:
    """The latest `most` pairs of the study, and how many there are; in two queries."""
    found = Participation.objects.filter(study=study, same_browser__isnull=False)
    pairs = found.order_by("-pk").values_list(F("same_browser__pseudonym"), "pseudonym")
    return [SameBrowser(*pair) for pair in pairs[:most]], found.count()


def same_browser_reasons(worker: Participation) -> list[str]:
    """Why to look at a worker for the browsers in which they came; [] for most. In one query."""
    others = Participation.objects.filter(Q(pk=worker.same_browser_id) | Q(same_browser=worker))
    return [
        SameBrowser(name, worker.pseudonym).reason
        if key == worker.same_browser_id
        else f"{name} came later in a browser in which this worker had taken part before."
        for key, name in others.order_by("pk").values_list("pk", "pseudonym")
    ]
