from pathlib import Path

from judging.platforms.operations import Bonus, Operations, Submission


class PanelOperations(Operations):
    title = "the panel"
    waiting = "done"
    rewarded = {"completed": "accepted"}
    arguments = {"--folder": {"type": Path, "required": True, "help": "of visits.csv and orders.csv"}}

    def submissions(self):
        lines = (self.options["folder"] / "visits.csv").read_text().split()
        return [Submission(*line.split(",")) for line in lines]

    def approve(self, submission):
        self._order(f"{submission},accept\n")

    def prepare_bonuses(self, visits):
        lines = "".join(f"{visit.submission.submission_id},{visit.bonus_amount}\n" for visit in visits)
        return lines, [Bonus(lines, visits, f"{len(visits)} bonuses are ordered.")]

    def pay_bonus(self, bonus):
        self._order(bonus.id)

    def _order(self, lines):
        with (self.options["folder"] / "orders.csv").open("a") as orders:
            orders.write(lines)
