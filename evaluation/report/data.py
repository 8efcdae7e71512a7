"""What a report is computed from: judgments, known grades and runs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import polars as pl

from ..analyses.ranked import Ranked, Systems, choose_systems
from ..arrays import FloatArray
from ..comparison.choices import Choices
from ..conventions import SpreadOf, Statistic
from ..distances.ratings import Ratings
from ..figures.boxes import NMRH
from ..frames import Gains, Judgments
from ..magnitudes import gains, normalise
from ..magnitudes.document_gains import statistic_of
from ..magnitudes.normalisation import Method
from ..options import checked
from ..result import Result, Warning
from ..result.gathering import Shares
from ..runs import Run
from ..sampling.chances import Sampling
from ..sampling.estimation import method_of_sample
from ..sampling.result import SampledScores
from ..scales import scale_of
from ..scales.scale import Scale
from ..score_table import Scores
from ..side_by_side.arm import Arm
from ..text import Text
from . import answers
from .answers import MAGNITUDES
from .machines import Machine
from .needs import Facts
from .parameters import Input, Parameters

WITH_ANCHORS: Final = pl.when("anchors").then(pl.lit("with")).otherwise(pl.lit("without")).alias("anchors")
"""Replaces the boolean column `anchors` of a table with a column of the words "with" and "without"."""


@checked
@dataclass(frozen=True, eq=False)
class ReportData:
    """The data of a study.

    `known` maps the name of each set of known grades to its gains, for the scores of runs. `grades` has the
    sets that are compared with the judgments of documents. By default, these are the sets of `known`.
    `lettered` names the sets in which the gains 0 to 3 stand for N, M, R and H. By default, these are the
    sets with at least three different gains, all of them 0, 1, 2 or 3. `method` is the method of `normalise`,
    and `statistic` is the statistic of `gains`, or None for the default of the scale. `is_random` says that
    the judgments come from a simulation without known grades. Such judgments say nothing about the runs.
    `is_adaptive` says that a rule chose the judged documents and the end of the study, as in
    `plumbline_ir.allocation`.

    `comments` is a table of the workers' justifications: `topic_id, document_id, comment`. `verdicts` is a
    table of verdicts on disagreements, as `files.read_verdicts` returns it: `topic_id, document_id, verdict`
    and, if they are about several sets, `grades`. `topics` is a table with a row for each topic. Like Table 1
    of [T15], it also counts failed checks and uses of the back button. If `topics` is None, the report counts
    only what the judgments show. `pay` is the reward for a unit, in `currency`. `fee` is the platform's fee,
    as a share of `pay`. `excluded` has, for each topic, the number of paid units whose judgments do not
    count. `settings` are named facts about the study for the paragraph on methods. `measure` is the measure
    that was chosen beforehand, by default the first one of the parameters. `baseline` is the run that all
    others are compared with, chosen beforehand. `flagged` has the workers whose statistics are unusual, and
    `dates` the first and the last day of judging. `judges` names the kinds of judges that count, unless they
    are people, and `warnings` are what readers of the results must know about the study. `sampling` is not
    None if only a sample of the documents was judged; all measures of the parameters must then be linear in
    gains. `arms` are the arms of the study, if it compares several.

    `machines` are the machine judges that took part. `labels` maps the names of judges to their labels, which
    are compared with people and enter no other result. `families` maps runs to the judge whose family they
    belong to, and `documents` has further columns to group bias by, as `assess` describes them.

    `software` maps names of further software to versions, for the paragraph on methods. `inputs` are the
    files that the report was computed from.
    """

    title: str
    judgments: Judgments
    known: Mapping[str, Gains] = field(default_factory=dict)
    runs: Sequence[Run] = ()
    grades: Mapping[str, Gains] | None = None
    lettered: frozenset[str] | None = None
    method: Method | None = None
    statistic: Statistic | None = None
    is_random: bool = False
    is_adaptive: bool = False
    comments: pl.DataFrame | None = None
    verdicts: pl.DataFrame | None = None
    topics: pl.DataFrame | None = None
    pay: float | None = None
    fee: float = 0.0
    excluded: Mapping[str, int] = field(default_factory=dict)
    currency: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    inputs: Sequence[Input] = ()
    software: Mapping[str, str] = field(default_factory=dict)
    parameters: Parameters = field(default_factory=Parameters)
    measure: str | None = None
    baseline: str | None = None
    judges: tuple[Text, ...] = ()
    warnings: tuple[Warning, ...] = ()
    flagged: Collection[str] = ()
    dates: tuple[str, str] | None = None
    sampling: Sampling | None = None
    arms: Sequence[Arm] = ()
    machines: Sequence[Machine] = ()
    labels: Mapping[str, Gains | Ratings] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    documents: pl.DataFrame | None = None

    @property
    def normalisation(self) -> Method | None:
        """The method of `normalise`: `method` or, if only a sample was judged, the default for samples."""
        return method_of_sample(self.judgments) if self.sampling and self.method is None else self.method

    @cached_property
    def normalised(self) -> FloatArray:
        """The normalised magnitude of each judgment, in row order."""
        return normalise(self.judgments, self.normalisation)

    @cached_property
    def gains(self) -> Gains:
        """The gains of the documents, such as the medians of their normalised magnitudes."""
        return gains(self.judgments, self.normalised, self.gain_statistic)

    @cached_property
    def gain_statistic(self) -> Statistic:
        """The statistic of `gains`: `statistic`, or the default of the scale."""
        return statistic_of(self.judgments, self.statistic)

    @property
    def spread(self) -> SpreadOf:
        """The judgments that give the interval of a gain: in an adaptive study, all of the topic."""
        return "topic" if self.is_adaptive and self.has_ratios else "document"

    @property
    def all_gains(self) -> dict[str, Gains]:
        """The crowd's gains, and then each set of known grades."""
        return {MAGNITUDES: self.gains, **self.known}

    def number_of(self, name: str) -> int:
        """Return the number that stands for the gains with this name in the keys of tables.

        The crowd's gains have the number 0. The sets of known grades have the numbers 1, 2 and so on.
        """
        return list(self.all_gains).index(name)

    @cached_property
    def facts(self) -> Facts:
        """The facts about the study that decide which parts its report can have."""
        return Facts(
            units=self.judgments.table.select(self.judgments.unit_keys).n_unique(),
            topics=self.judgments.table["topic_id"].n_unique(),
            graded=sum(len(grades.table) for grades in self.judged_grades.values()),
            runs=len(self.runs),
            grade_sets=tuple(self.known),
            anchors=self.judgments.has_anchors,
            scale=self.scale,
            statistic=self.gain_statistic,
            levels=bool(self.graded),
            letters=bool(self.with_letters),
            pay=self.pay is not None,
            binary=bool(self.binary),
            multilevel=bool(self.multilevel),
            sampled=self.sampling is not None,
            arms=len(self.arms) > 1,
            machines=bool(self.machines),
            labels=bool(self.labels),
        )

    @cached_property
    def judged_grades(self) -> dict[str, Gains]:
        """The sets of known grades that grade at least one judged document."""
        judged = self.judgments.documents
        return {
            name: grades
            for name, grades in (self.known if self.grades is None else self.grades).items()
            if not grades.table.join(judged, on=["topic_id", "document_id"], how="semi").is_empty()
        }

    @cached_property
    def graded(self) -> dict[str, Gains]:
        """The sets with at least three different grades, all of them 0, 1, 2 or 3."""
        return {
            name: grades
            for name, grades in self.judged_grades.items()
            if set(grades.values.tolist()) <= set(NMRH) and len(set(grades.values.tolist())) > 2
        }

    @cached_property
    def binary(self) -> dict[str, Gains]:
        """The sets with at most two different grades."""
        return {
            name: grades
            for name, grades in self.judged_grades.items()
            if len(set(grades.values.tolist())) <= 2
        }

    @property
    def multilevel(self) -> dict[str, Gains]:
        """The sets with at least three different grades."""
        return {name: grades for name, grades in self.judged_grades.items() if name not in self.binary}

    @cached_property
    def with_letters(self) -> dict[str, Gains]:
        """The sets in which 0, 1, 2 and 3 stand for N, M, R and H."""
        names = self.graded if self.lettered is None else self.lettered
        return {name: grades for name, grades in self.judged_grades.items() if name in names}

    @property
    def scale(self) -> Scale:
        """The scale of the judgments."""
        return scale_of(self.judgments)

    @property
    def has_ratios(self) -> bool:
        """Whether ratios and logarithms of the judgments have a meaning."""
        return self.scale.has_ratios

    @property
    def gains_have_ratios(self) -> bool:
        """Whether ratios and logarithms of the gains have a meaning."""
        return self.scale.gains_have_ratios(self.gain_statistic)

    @property
    def crowd(self) -> str:
        """The name that readers see for the crowd's gains: what the workers gave, magnitudes or ratings."""
        return self.scale.numbers

    def shown(self, name: str) -> str:
        """Return the name of gains that readers see. `name` is `MAGNITUDES` or a set of known grades."""
        return self.crowd if name == MAGNITUDES else name

    def money(self, amount: float) -> str:
        """Return an amount of money in the study's currency, with two to four decimals."""
        digits = f"{amount:.4f}"
        # An amount of less than a cent, such as the price of one judgment, keeps its own decimals.
        shown = digits[:-2] + digits[-2:].rstrip("0")
        return f"{shown} {self.currency}".strip()

    @cached_property
    def judged_scores(self) -> Scores:
        """The scores of the runs, based on the crowd's gains."""
        return self.scores_by(MAGNITUDES)

    def scores_by_known(self, name: str) -> dict[str, Scores]:
        """Return `{name: scores}`: the runs' scores, based on the set of known grades with this name."""
        return {name: self.scores_by(name)}

    def scores_by(self, name: str) -> Scores:
        """Return the scores of the runs, based on the gains with this name."""
        return self.scored(name)[0]

    def scored(self, name: str) -> tuple[Scores, Shares]:
        """Return the scores of the runs, and the shares of judged documents."""
        if name not in self._scored_before:
            self._scored_before[name] = answers.scored(self, name)
        return self._scored_before[name]

    @cached_property
    def samples(self) -> dict[str, SampledScores]:
        """What the sample says by each measure, or an empty dict if the whole pool was judged.

        Raise `InputError` in the same cases as `estimate`.
        """
        return answers.samples(self)

    @cached_property
    def _scored_before(self) -> dict[str, tuple[Scores, Shares]]:
        """The results of `scored`, by the names of gains."""
        return {}

    @property
    def choices(self) -> Choices:
        """The choices of the results: level, limit for p, seed and baseline."""
        parameters = self.parameters
        return Choices(
            baseline=self.baseline, alpha=parameters.alpha, level=parameters.level, seed=parameters.seed
        )

    def results_by(self, name: str) -> dict[str, Result]:
        """Return the result by each measure, based on the gains with this name.

        Raise `InputError` in the same cases as `score`.
        """
        if name not in self._results_before:
            self._results_before[name] = answers.results(self, name)
        return self._results_before[name]

    @cached_property
    def _results_before(self) -> dict[str, dict[str, Result]]:
        return {}

    @checked
    def systems(
        self, known: Mapping[str, Gains], ranked: Ranked = "auto", *, judged_topics: bool = True
    ) -> dict[str, Systems]:
        """Return the systems to rank by each set of known grades: the runs or, if few are graded, others.

        With `judged_topics`, simulated systems have only topics with judgments. Every call with the same
        arguments returns the same systems.
        """
        return choose_systems(
            known,
            self.runs,
            self.parameters.measures,
            rng=self.parameters.random,
            ranked=ranked,
            topics=self.judgments.table["topic_id"].unique() if judged_topics else None,
            number=self.parameters.systems,
            depth=self.parameters.depth,
        )

    def names(self, name: str) -> Mapping[float, str] | None:
        """Return the letters of the grades of a set, or None if its grades are shown as numbers."""
        return NMRH if name in self.with_letters else None

    def show_grade(self, name: str, grade: float | None) -> str:
        """Return a grade of a set as the report shows it: a letter, a number, or U for no grade."""
        if grade is None:
            return "U"
        return NMRH[grade] if name in self.with_letters else f"{grade:g}"
