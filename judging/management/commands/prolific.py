"""`prolific`: list a study's submissions on Prolific, approve them, pay bonuses, and send messages."""

from judging.management.platforms import PlatformCommand


class Command(PlatformCommand):
    platform = "prolific"
    help = (
        "Read the submissions of a study on Prolific, approve those with a completed unit, pay bonuses, write"
        " to a participant, or subscribe to Prolific's messages. It never rejects a submission. The token of"
        " your Prolific account is read from PLUMBLINE_PROLIFIC_TOKEN."
    )
