"""Evidence about a worker: how many reasons for judgments were pasted, and how long the page was hidden."""

from django.db.models import Q

from judging.core.selectors.judgments import time_spent
from judging.models import Judgment, Participation
from judging.protocol.evidence import PASTED, Evidence
from judging.protocol.states import AssignmentState


def evidence_of(participation: Participation) -> Evidence:
    """Return the evidence about a worker's completed units. This takes two queries."""
    own = Q(assignment__participation=participation, assignment__state=AssignmentState.COMPLETED.value)
    rows = list(Judgment.objects.filter(own).order_by().values_list("pk", "pasted", "visible_seconds"))
    spent = time_spent(own)
    shares = [share for _, share, _ in rows if share is not None]
    times = [(spent[pk].seconds, visible) for pk, _, visible in rows if visible and pk in spent]
    return Evidence(
        reasons=len(rows),
        known=len(shares),
        pasted=sum(1 for share in shares if share >= PASTED),
        open=sum(seconds for seconds, _ in times),
        visible=sum(min(seconds, visible) for seconds, visible in times),
    )
