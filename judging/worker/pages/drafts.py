"""Names under which a worker's own browser keeps what was typed but not sent."""

from django.utils.crypto import salted_hmac

from judging.models import Assignment


def draft_prefix(assignment: Assignment) -> str:
    """What the drafts of one assignment have in common; it tells nothing about worker or unit."""
    secret = f"{assignment.participation.token}/{assignment.number}"
    return salted_hmac("plumbline.draft", secret).hexdigest()[:16]


def draft_key(assignment: Assignment) -> str:
    """The name of the draft for the document at the cursor."""
    return f"{draft_prefix(assignment)}.{assignment.cursor}"
