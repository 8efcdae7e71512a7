"""What pages call the numbers that workers give: magnitudes or ratings, depending on the study's scale."""

from django.utils.translation import gettext as _

from judging.models import Study
from judging.protocol.settings import Scale


def name_of_number(study: Study) -> str:
    """Return the name of one number, such as the heading of a column."""
    return _("Magnitude") if study.scale == Scale.MAGNITUDE else _("Rating")


def name_of_numbers(study: Study) -> str:
    """Return the name of several numbers, such as the heading of a section."""
    return _("Magnitudes") if study.scale == Scale.MAGNITUDE else _("Ratings")
