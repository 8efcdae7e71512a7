"""Record researchers' verdicts on documents whose judgments disagree with a known grade."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit, difference
from judging.core.storable import unstorable
from judging.core.words import translated
from judging.models import Actor, DisagreementVerdict, GradeSet, PoolDocument
from judging.protocol.verdicts import Verdict
from judging.understanding.selectors.verdicts import level_in

LONGEST_NOTE: Final = 500


@transaction.atomic
def record_verdict(
    *, pooled: PoolDocument, grades: GradeSet, verdict: str, note: str, now: datetime, actor: Actor = None
) -> bool:
    """Store the verdict on a document and its grade in a set of known grades. Return whether it changed.

    A new verdict replaces the earlier one. An empty verdict deletes it, together with its note. Raise
    RefusedError if the verdict is unknown, the note is too long or invalid, a note has no verdict, or the
    document has no grade in this set.
    """
    note = note.strip()
    if verdict not in {"", *Verdict}:
        raise RefusedError(_("Unknown verdict: nothing was saved. Choose a verdict from the list."))
    if note and not verdict:
        raise RefusedError(_("The verdict is missing. Choose a verdict, or delete the note."))
    if len(note) > LONGEST_NOTE:
        raise RefusedError(
            _("The note is too long. Shorten it to at most {count} characters.").format(count=LONGEST_NOTE)
        )
    if fault := unstorable(note):
        raise RefusedError(translated(fault))
    # The lock keeps two researchers from storing two verdicts at the same time.
    pooled = (
        PoolDocument.objects.select_for_update(no_key=True, of=("self",))
        .select_related("topic__study", "document")
        .get(pk=pooled.pk)
    )
    if grades.study_id != pooled.topic.study_id or not level_in(grades, pooled):
        raise RefusedError(
            _("The document has no grade in the set {grades}, so there is nothing to decide.").format(
                grades=grades.name
            )
        )
    stored = DisagreementVerdict.objects.filter(pool_document=pooled, grade_set=grades).first()
    before = {"verdict": stored.verdict, "note": stored.note} if stored else {"verdict": "", "note": ""}
    after = {"verdict": verdict, "note": note}
    if after == before:
        return False
    if verdict:
        DisagreementVerdict.objects.update_or_create(
            pool_document=pooled,
            grade_set=grades,
            defaults={**after, "decided_at": now, "decided_by": actor},
        )
    elif stored:
        stored.delete()
    audit(
        "verdict_changed",
        study=pooled.topic.study,
        actor=actor,
        now=now,
        topic=pooled.topic.number,
        document=pooled.document.document_id,
        grades=grades.name,
        **difference(before, after),
    )
    return True
