"""This library's measures for `ir_measures`, PyTerrier and every other tool that uses `ir_measures`.

Importing this module changes no measure of `ir_measures`. It registers the provider `plumbline` and the
measure `Plumbline`, which `ir_measures` then finds by these names. There are two ways to use our measures:

- `measure("nDCG@10")` returns a measure object of `ir_measures`. It can be used like any other measure
  object, and together with others: `ir_measures.calc_aggregate([measure("nDCG@10"), nDCG@10], qrels, run)`.
- `provider` uses our definitions to compute measures of `ir_measures`, such as `nDCG@10`:
  `provider.calc_aggregate([nDCG@10], qrels, run)`.

The command line of `ir_measures` does not import other packages by itself. To use our measures there, start
it like this, without blanks in a measure:

    python -m plumbline_ir.ir_measures QRELS RUN nDCG@10 --provider plumbline
    python -m plumbline_ir.ir_measures QRELS RUN nDCG@10 'Plumbline(notation="nDCG(discount=jk)@10")'

`ir_measures` reads whole grades only. In Python, both ways accept real-valued gains. By default, a topic
without a relevant document has no value and is left out of the mean. With `empty="zero"`, it counts as 0, as
in trec_eval. The package `ir_measures` must be installed.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args

import ir_measures
import numpy as np
from ir_measures.measures import ParamInfo
from ir_measures.measures.base import Agg
from ir_measures.util import TYPE_QREL, TYPE_RUN

from .conventions import Empty, Ties
from .frames import Gains
from .measures import Measure, parse
from .options import checked
from .translation import Translation, translated, values_of


class OverTopics(Agg):
    """The value of a measure over the topics that have a value; NaN if no topic has a value."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.values: list[float] = []

    def add(self, value: float) -> None:
        """Add a topic's value. NaN means that the topic has no value, and is ignored."""
        self.values.append(value)

    def result(self) -> float:
        """Return the mean, or what the measure has in its place, such as the sum."""
        return self.measure.over_topics(np.array(self.values, dtype=np.float64))


class OurMeasure(ir_measures.Measure):
    """A measure of this library, as a measure object of `ir_measures`. `@` sets its cut-off.

    `ir_measures` can compute any measure object that has a method `runtime_impl`.
    """

    NAME = "plumbline"
    SUPPORTED_PARAMS = {
        "notation": ParamInfo(dtype=str, required=True, desc="the measure, as plumbline_ir.parse reads it"),
        "cutoff": ParamInfo(dtype=int, required=False, desc="the last rank that counts"),
        "empty": ParamInfo(
            dtype=str, choices=list(get_args(Empty)), default="skip", desc="topics without relevance"
        ),
    }
    RUN_INPUTS: Final = ("query_id", "doc_id", "score")
    QREL_INPUTS: Final = ("query_id", "doc_id", "relevance")

    def __repr__(self) -> str:
        """Return a name with all parameters, because `ir_measures` compares measures by their names."""
        empty = "" if self["empty"] == "skip" else f", empty={self['empty']}"
        return f"Plumbline({self.ours}{empty})"

    @property
    def ours(self) -> Measure:
        """The measure as a `Measure` of this library. Raise `InputError` for an unknown measure."""
        measure = parse(self.params["notation"])
        return Measure(measure.name, measure.given, self.params.get("cutoff", measure.cutoff))

    def aggregator(self) -> Agg:
        """Return an aggregator that leaves out topics without a value."""
        return OverTopics(self.ours)

    def runtime_impl(self, qrels: Any, run: Any) -> Iterator[ir_measures.Metric]:
        """Yield the value of each topic in the qrels, or NaN for a topic without a value.

        `qrels` and `run` are pandas tables.
        """
        gains = Gains(qrels, negative="zero")
        yield from _metrics({self: translate(self)}, gains, run, self["empty"], "trec_eval")


@checked
def measure(notation: str | Measure, empty: Empty = "skip") -> OurMeasure:
    """Return a measure of this library, as a measure object of `ir_measures`.

    `notation` is a measure of this library, such as `nDCG@10` or `ERR(gmax="topic")@10`. `empty` says whether
    a topic without relevant documents has no value (`"skip"`) or counts as 0 (`"zero"`). Raise `InputError`
    for an unknown measure.

    Example: `ir_measures.calc_aggregate([measure("nDCG@10")], qrels, run)`.
    """
    parse(str(notation))
    return OurMeasure(notation=str(notation), empty=empty)


class OurEvaluator(ir_measures.Evaluator):
    """An evaluator that scores runs by several measures against the same qrels.

    Each run is ranked only once for all measures that treat unjudged documents and grades in the same way.
    """

    @checked
    def __init__(
        self,
        measures: Iterable[ir_measures.Measure],
        qrels: TYPE_QREL,
        empty: Empty = "skip",
        ties: Ties = "trec_eval",
    ) -> None:
        self.empty, self.ties = empty, ties
        self.ours = {measure: translate(measure) for measure in measures}
        self.gains = Gains(qrels, negative="zero")
        super().__init__(list(self.ours), set(self.gains.table["topic_id"]))

    def _iter_calc(self, run: TYPE_RUN) -> Iterator[ir_measures.Metric]:
        return _metrics(self.ours, self.gains, run, self.empty, self.ties)

    def calc_aggregate(self, run: TYPE_RUN) -> dict[ir_measures.Measure, float | int]:
        """Return the value of each measure over the topics that have a value."""
        return self._means(self.iter_calc(run))

    def calc(self, run: TYPE_RUN) -> ir_measures.CalcResults:
        """Return the result of `calc_aggregate` for this run, and the values in each topic."""
        metrics = list(self.iter_calc(run))
        return ir_measures.CalcResults(self._means(metrics), metrics)

    def _means(self, metrics: Iterable[ir_measures.Metric]) -> dict[ir_measures.Measure, float | int]:
        means = {measure: OverTopics(ours.measure) for measure, ours in self.ours.items()}
        for metric in metrics:
            means[metric.measure].add(metric.value)
        return {measure: mean.result() for measure, mean in means.items()}


class OurProvider(ir_measures.Provider):
    """A provider that uses our definitions to compute measures.

    It accepts measures of `ir_measures`, and measure objects that the function `measure` returns. `empty`
    says whether a topic without relevant documents has no value (`"skip"`) or counts as 0 (`"zero"`). `ties`
    is that of `score`; `"trec_eval9"` compares scores in 32 bits, as most measures of `ir_measures` do.
    """

    NAME = "plumbline"

    @checked
    def __init__(self, empty: Empty = "skip", ties: Ties = "trec_eval") -> None:
        super().__init__()
        self.empty, self.ties = empty, ties

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Return whether this library has a measure with the same definition as `measure`."""
        measure.validate_params()
        return _translated(measure) is not None

    def _evaluator(self, measures: Iterable[ir_measures.Measure], qrels: TYPE_QREL) -> OurEvaluator:
        return OurEvaluator(measures, qrels, self.empty, self.ties)


provider: Final = OurProvider()
"""A provider with the default options. Use it as in `provider.calc_aggregate([nDCG@10], qrels, run)`."""


def _register() -> None:
    """Let `ir_measures` find the provider and the measure by their names, once in a process."""
    if "Plumbline" not in ir_measures.measures.registry:
        ir_measures.measures.register(OurMeasure, name="Plumbline")
        ir_measures.providers.register(provider)


_register()


def translate(measure: ir_measures.Measure) -> Translation:
    """Return how this library computes a measure of `ir_measures`, with the same definition.

    Raise ValueError, as `ir_measures` does, if there is no such measure.
    """
    measure.validate_params()
    if (ours := _translated(measure)) is None:
        raise ValueError(f"Unsupported measure {measure}. Write one of ours: measure('nDCG@10').")
    return ours


def _translated(measure: ir_measures.Measure) -> Translation | None:
    if isinstance(measure, OurMeasure):
        return Translation(measure.ours)
    return translated(measure)


def _metrics(
    ours: dict[Any, Translation], gains: Gains, run: TYPE_RUN, empty: Empty, ties: Ties
) -> Iterator[ir_measures.Metric]:
    topics, values = values_of(ours.values(), gains, run, empty, ties)
    for place, topic in enumerate(topics):
        for measure, translation in ours.items():
            yield ir_measures.Metric(topic, measure, float(values[translation][place]))


if __name__ == "__main__":
    from ir_measures.__main__ import main_cli

    main_cli()
