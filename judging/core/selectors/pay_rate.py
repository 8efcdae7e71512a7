"""What the first unit pays per hour, with the instructions and the practice before it."""

from django.utils.translation import gettext as _

from judging.models import Study, Topic
from judging.protocol.estimates import first_minutes, hourly_pay
from judging.protocol.platforms import least_pay_of
from judging.protocol.scales import judging_of


def words_before_work(study: Study) -> tuple[int, int]:
    """Return how many words a worker reads before the first document, and how many topics the study has.

    A worker first reads the study's texts and a topic. The words of the longest topic are counted. Retired
    topics do not count.
    """
    of_scale = (getattr(study, key) for key in judging_of(study).instructions)
    texts = (study.information, study.consent, *of_scale, study.instructions_task)
    topics = Topic.objects.filter(study=study, retired_at__isnull=True) if study.pk else Topic.objects.none()
    of_topics = [len(f"{topic.title} {topic.description} {topic.narrative}".split()) for topic in topics]
    return sum(len(text.split()) for text in texts) + max(of_topics, default=0), len(of_topics)


def pay_warnings(study: Study) -> list[str]:
    """Return a warning if the first unit pays, but less than the platform's minimum."""
    if not study.pay_per_unit:
        return []
    minutes = first_minutes(words_before_work(study)[0], study.expected_minutes)
    hourly = hourly_pay(study.pay_per_unit, minutes)
    least, source = least_pay_of(study)
    least_hourly = least.get(study.currency, least["USD"])
    if hourly >= least_hourly:
        return []
    text = _(
        "The first unit takes about {minutes} minutes with the instructions and the practice, so it pays"
        " {hourly} {currency} an hour. That is less than {least}. Raise pay_per_unit, or check what is fair."
    )
    told = text.format(minutes=minutes, hourly=hourly, currency=study.currency, least=least_hourly)
    return [f"{told} {_(source)}"]
