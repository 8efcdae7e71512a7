"""The job `notice`, which sends each recipient only one e-mail, even if the job starts several times."""

from email.utils import parseaddr
from smtplib import SMTPException, SMTPNotSupportedError, SMTPRecipientsRefused
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage

from judging.core import access, mail
from judging.core.clock import now
from judging.core.jobs.running import NotNowError
from judging.core.services import jobs
from judging.models import Assignment, AuditEntry, Job, NoticeAbout, Result
from judging.protocol.states import AssignmentState
from judging.watching.selectors.notices import recipients_of
from judging.watching.selectors.progress import study_progress

_TEMPLATES: Final = {
    NoticeAbout.COLLECTED: "watching/collected.txt",
    NoticeAbout.CLOSED: "watching/closed.txt",
    NoticeAbout.FAILED: "watching/failed.txt",
    NoticeAbout.THRESHOLD: "watching/threshold.txt",
}


def tell_people(job: Job, progress: jobs.Progress) -> Result:
    """Send the notice to all recipients, and return `{"told": [name, …], "refused": {name: reason}}`.

    The result is stored after each recipient, so a restarted job continues with the remaining recipients.
    Raise NotNowError if the mail server or a mailbox is temporarily unavailable.
    """
    job.result = {"told": [], "refused": {}} | job.result
    unavailable = ""
    for person in recipients_of(job):
        name = person.get_username()
        is_settled = name in job.result["told"] or name in job.result["refused"]
        if is_settled or not access.may_see_job(person, job):
            continue
        try:
            _message(job, person).send()
        except SMTPRecipientsRefused as refusal:
            code, reply = next(iter(refusal.recipients.values()))
            if code < 500:
                unavailable = (
                    f"The mail server does not accept mail for {person.email} now: {_text_of(reply)}"
                )
                continue
            job.result["refused"][name] = _text_of(reply)
        except (SMTPNotSupportedError, ValueError) as fault:  # The address is invalid.
            job.result["refused"][name] = str(fault)
        except (SMTPException, OSError) as error:
            raise NotNowError(f"The mail server of EMAIL_URL did not accept the e-mail: {error}") from error
        else:
            job.result["told"].append(name)
        jobs.store_result(job=job, result=job.result, now=now())
    if unavailable:
        raise NotNowError(unavailable)
    result: Result = job.result
    return result


def _message(job: Job, person: User) -> EmailMessage:
    """Return the e-mail to a person.

    Every attempt to send the e-mail uses the same Message-ID, so mail programs can drop duplicates.
    """
    about = NoticeAbout(job.parameters["about"])
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    name = f"<notice-{job.pk}-{person.pk}-{job.created_at:%Y%m%d%H%M%S%f}@{domain}>"
    context = {"study": job.study} | _facts(job, about)
    return mail.message(_TEMPLATES[about], context, person.email, **{"Message-ID": name})


def _facts(job: Job, about: NoticeAbout) -> dict[str, object]:
    if about == NoticeAbout.COLLECTED:
        study = job.own_study
        return {"progress": study_progress([study])[study.pk]}
    if about == NoticeAbout.CLOSED:
        return {"units": _cancelled_by(AuditEntry.objects.get(pk=job.parameters["closing"]))}
    if about == NoticeAbout.THRESHOLD:
        return {"sentence": job.parameters["said"], "title": job.parameters["what"]}
    return {"failed": Job.objects.get(pk=job.parameters["job"])}


def _cancelled_by(closing: AuditEntry) -> list[Assignment]:
    cancelled = Assignment.objects.filter(
        participation__study=closing.study_id, state=AssignmentState.CANCELLED.value
    )
    units = cancelled.select_related("participation").order_by("participation__pseudonym", "number")
    names = set(closing.detail["cancelled"])
    return [unit for unit in units if f"{unit.participation.pseudonym}/{unit.number}" in names]


def _text_of(reply: object) -> str:
    """Return the reply of a mail server as text."""
    return reply.decode(errors="replace") if isinstance(reply, bytes) else str(reply)
