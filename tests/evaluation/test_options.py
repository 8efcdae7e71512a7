"""A law over the whole library: an option refuses every value that its annotation does not list."""

import importlib
import inspect
import pkgutil
import typing

import pytest

import evaluation
from evaluation.errors import InputError
from evaluation.ir_measures import OurProvider
from evaluation.measures import parse
from evaluation.measures.definitions import DEFINITIONS
from evaluation.measures.parameters import PARAMETERS
from evaluation.options import Options, checked
from tests.evaluation.refusals import refused

GAINS, RUN = {"1": {"a": 2.0, "b": 0.0}}, {"1": {"a": 2.0, "c": 1.5, "b": 1.0}}


def literals(annotation):
    """The values of a `Literal` or of `Options` anywhere in an annotation."""
    if isinstance(annotation, Options):
        return annotation.names
    if typing.get_origin(annotation) is typing.Literal:
        return typing.get_args(annotation)
    return tuple(value for part in typing.get_args(annotation) for value in literals(part))


def public_functions():
    """Every public function, class and method of the library, with its full name."""
    for found in pkgutil.walk_packages(evaluation.__path__, "evaluation."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, item in vars(module).items():
            if name.startswith("_") or getattr(item, "__module__", None) != found.name:
                continue
            if inspect.isfunction(item):
                yield f"{found.name}.{name}", item
            elif inspect.isclass(item):
                yield f"{found.name}.{name}", item
                for attribute, method in vars(item).items():
                    if attribute.startswith("_"):
                        continue
                    if isinstance(method, classmethod | staticmethod):
                        yield f"{found.name}.{name}.{attribute}", getattr(item, attribute)
                    elif inspect.isfunction(method):
                        yield f"{found.name}.{name}.{attribute}", method


def options():
    for name, function in public_functions():
        try:
            parameters = inspect.signature(function).parameters.values()
        except ValueError:
            continue  # a class of C without a signature
        for parameter in parameters:
            if values := literals(parameter.annotation):
                allows_none = type(None) in typing.get_args(parameter.annotation)
                yield pytest.param(
                    function, parameter.name, values, allows_none, id=f"{name}({parameter.name})"
                )


OPTIONS = list(options())


def wrong_values(values, allows_none):
    """Values in the wrong case, parts of a value, numbers, an empty text, and None."""
    yield from (value.swapcase() for value in values if value.swapcase() not in values)
    yield from (value[:-1] for value in values if value[:-1] not in values)
    yield from (f"{values[0]} ", "", "no such value", 0, 1, 2.5, True, [], [values[0]], object())
    if not allows_none:
        yield None


@pytest.mark.parametrize(("function", "option", "values", "allows_none"), OPTIONS)
def test_an_option_refuses_what_its_annotation_does_not_list(function, option, values, allows_none):
    others = {
        name: next(iter(literals(part.annotation)), None)
        for name, part in inspect.signature(function).parameters.items()
        if part.default is part.empty
        and name != option
        and part.kind not in (part.VAR_POSITIONAL, part.VAR_KEYWORD)
    }
    for wrong in wrong_values(values, allows_none):
        with pytest.raises(InputError) as error:
            function(**others, **{option: wrong})
        assert error.value.code in ("unknown-choice", "misspelt-choice"), (option, wrong, error.value)
        assert error.value.values["parameter"] == option
        assert all(f'"{value}"' in str(error.value) for value in values)


def test_the_law_covers_the_options_that_users_know():
    names = {case.id.removeprefix("evaluation.") for case in OPTIONS}
    assert {
        *("scores.score(unjudged)", "scores.score(ties)", "scores.score(missing)", "scores.score(empty)"),
        *(
            "scores.score(average)",
            "magnitudes.document_gains.gains(median)",
            "ir_measures.OurProvider(empty)",
        ),
        *("comparison.agreement.krippendorff_alpha(level)", "frames.Gains(negative)"),
        *("allocation.decision.Settings(statistic)", "distances.topics.Sides(missing)"),
        *("score_table.Scores.to_polars(shape)", "figures.scatter.system_scatter(width)"),
        "comparison.topset.overlap(how)",
    } <= names


MEASURE_OPTIONS = [
    (definition, parameter, typing.get_args(annotation))
    for definition in DEFINITIONS.values()
    for parameter in definition.defaults
    if (annotation := inspect.signature(definition.compute).parameters.get(parameter))
    and (annotation := annotation.annotation)
    and typing.get_origin(annotation) is typing.Literal
]


@pytest.mark.parametrize(("definition", "parameter", "values"), MEASURE_OPTIONS)
def test_a_parameter_of_a_measure_has_the_values_of_its_annotation(definition, parameter, values):
    cutoff = "@10" if definition.needs_cutoff else ""
    for value in values:
        more = ", base=2" if value == "jk" else ""
        assert parse(f'{definition.name}({parameter}="{value}"{more}){cutoff}').parameters[parameter] == value
    for wrong in wrong_values(values, allows_none=False):
        with pytest.raises(InputError) as error:
            PARAMETERS[parameter](definition.name, parameter, wrong)
        assert error.value.code in ("unknown-choice", "misspelt-choice")


def test_measures_have_such_parameters():
    assert {parameter for _, parameter, _ in MEASURE_OPTIONS} >= {
        "discount",
        "ideal",
        "stop",
        "norm",
        "levels",
    }


@pytest.mark.parametrize(
    ("option", "wrong", "near"),
    [
        *(("unjudged", "Drop", "drop"), ("unjudged", "n", "N"), ("empty", "Zero", "zero")),
        *(("missing", "Skip", "skip"), ("average", "ratio_of_mean", "ratio_of_means")),
        *(("ties", "trec_evall", "trec_eval"), ("ties", "as-ranked", "as_ranked")),
    ],
)
def test_the_error_suggests_the_nearest_value(option, wrong, near):
    for call in (evaluation.score, evaluation.compare):
        with refused("misspelt-choice", option, repr(wrong), f'"{near}"'):
            call(GAINS, [RUN, RUN], "nDCG@10", **{option: wrong})


def test_options_that_are_passed_on_are_checked():
    with refused("misspelt-choice", "empty", "'Zero'"):
        OurProvider(empty="Zero")
    with refused("misspelt-choice", "discount of nDCG", "'log10'"):
        parse('nDCG(discount="log10")@10')
    with refused("misspelt-choice", "stop of ERR"):
        parse('ERR(stop="Exp")')
    with refused("misspelt-choice", "form", "'Minimum'"):
        evaluation.compare(GAINS, [RUN, RUN], "AP", statistic="rbo(form=Minimum)")
    with refused("unknown-choice", "tests"):
        evaluation.compare(GAINS, {"a": RUN, "b": RUN}, "AP", tests="anova")


def test_a_function_without_options_is_not_decorated():
    with pytest.raises(TypeError):
        checked(lambda number: number)
