import csv
from pathlib import Path

from judging.platforms.operations import Bonus, Operations, Submission


class PanelOperations(Operations):
    title = "the panel"
    waiting = "done"
    rewarded = {"completed": "accepted"}
    arguments = {"--folder": {"type": Path, "required": True, "help": "of visits.csv and orders.csv"}}

    def submissions(self):
        lines = (self.options["folder"] / "visits.csv").read_text().splitlines()
        return [Submission(*row) for row in csv.reader(lines)]

    def approve(self, submission):
        self._order(submission, "accept")

    def prepare_bonuses(self, visits):
        amounts = [(visit.submission.submission_id, visit.bonus_amount, visit) for visit in visits]
        requests = [Bonus(name, [visit], f"{name}: {amount} ordered.") for name, amount, visit in amounts]
        return f"{len(requests)} bonuses are due.", requests

    def pay_bonus(self, bonus):
        self._order(bonus.id, *(visit.bonus_amount for visit in bonus.visits))

    def _order(self, *cells):
        with (self.options["folder"] / "orders.csv").open("a") as lines:
            csv.writer(lines).writerow(cells)
