"""The labels that pages show for the verbs and details of the audit log."""

from typing import Final

from judging.protocol.words import gettext_noop as _

LABELS: Final = {
    "account_deleted": _("account deleted"),
    "allocated": _("further units decided"),
    "blocked": _("worker blocked"),
    "changes_discarded": _("changes discarded"),
    "closed": _("closed"),
    "compensated": _("workers compensated"),
    "created": _("created"),
    "deleted": _("deleted"),
    "entry_secret_made": _("new secret for signed links"),
    "exported": _("exported"),
    "identity_erased": _("worker’s identity erased"),
    "imported": _("imported"),
    "invitation_accepted": _("invitation accepted"),
    "invitation_revoked": _("invitation cancelled"),
    "invited": _("invited"),
    "judgments_imported": _("judgments imported"),
    "labels_added": _("labels added"),
    "labels_removed": _("labels removed"),
    "links_made": _("personal links created"),
    "links_taken_back": _("personal links cancelled"),
    "machine_began": _("machine judge began"),
    "member_changed": _("member changed"),
    "opened": _("opened"),
    "password_set": _("password set"),
    "paused": _("paused"),
    "payment_decided": _("held payment decided"),
    "payments_marked": _("payments marked as paid"),
    "payments_unmarked": _("payments marked as due again"),
    "record_cleared": _("stopped worker can go on"),
    "reservation_freed": _("reservation cancelled"),
    "reset_link_made": _("password link created"),
    "simulated": _("simulated"),
    "topic_replaced": _("topic replaced"),
    "topic_retired": _("topic retired"),
    "unblocked": _("worker unblocked"),
    "unit_excluded": _("unit excluded"),
    "unit_included": _("unit included"),
    "updated": _("updated"),
    "verdict_changed": _("verdict on a disagreement changed"),
    "watch_changed": _("thresholds changed"),
}
"""Maps each verb to its label. Earlier versions of Plumbline may have written other verbs."""
_DETAILS: Final = {
    "amount": _("amount"),
    "cancelled": _("cancelled units"),
    "copy": _("replacement unit"),
    "count": _("number"),
    "currency": _("currency"),
    "decision": _("decision"),
    "document": _("document"),
    "first": _("first number"),
    "format": _("format"),
    "grades": _("known grades"),
    "h": _("document H"),
    "held_for": _("held because of"),
    "invitation": _("invitation"),
    "n": _("document N"),
    "payments": _("payments"),
    "reason": _("reason"),
    "role": _("role"),
    "runs": _("runs"),
    "topic": _("topic"),
    "topics": _("topics"),
    "unit": _("unit"),
    "units": _("units"),
    "units_planned": _("planned units"),
    "user": _("user"),
    "what": _("export"),
    "worker": _("worker"),
    "workers": _("workers"),
}
"""Maps the name of a detail to its label. A detail without a label is shown by its name."""


def label_of(verb: str) -> str:
    """Return the English label of a verb."""
    return LABELS.get(verb, verb.replace("_", " "))


def label_of_detail(name: str) -> str:
    """Return the English label of a detail."""
    return _DETAILS.get(name, name.replace("_", " "))
