"""`mturk`: print what a study's HIT on MTurk needs, approve or reject its assignments, and pay bonuses."""

from judging.management.platforms import PlatformCommand


class Command(PlatformCommand):
    platform = "mturk"
    help = (
        "Write the ExternalQuestion and the qualifications for a HIT on MTurk, list its assignments, approve"
        " those with a completed unit, pay bonuses, or reject one assignment. Amazon's usual variables and"
        " files give the account. Without --live, the command uses MTurk's sandbox."
    )
