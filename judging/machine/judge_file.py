"""Judge files: TOML files that describe a machine judge, its prompt and its limits."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from judging.core.faults import Faults, shown
from judging.core.selectors.labels import name_fault, unknown_runs
from judging.machine.prompts import Prompt, add_mismatch, read_prompt
from judging.models import Study
from judging.models.labels import LONGEST_NAME
from judging.protocol.settings import SETTINGS
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.toml_file import read_study_file
from judging.setup.intake.toml_table import Table

NO_LIMIT: Final = "none"
_LARGEST: Final = 10**12
_MOST_MONEY: Final = 10**9
_PRICES: Final = ("price_per_million_input_tokens", "price_per_million_output_tokens")


@dataclass(frozen=True)
class JudgeFile:
    """What a judge file says. A limit is None if the file says that there is none.

    `seed` is None if no seed is sent to the model. If the file has no prices, `is_priced` is false, and the
    prices are 0. `family` has the tags of the runs of the same model.
    """

    name: str
    model: str
    prompt: Prompt
    temperature: float
    seed: int | None
    judgments: int
    answer_tokens: int
    most_tokens: int | None
    most_money: Decimal | None
    most_seconds: int | None
    input_price: Decimal
    output_price: Decimal
    is_priced: bool
    requests_per_minute: Decimal
    timeout_seconds: Decimal
    retries: int
    family: list[str]


def read_judge_file(path: Path, study: Study) -> JudgeFile:
    """Return what a judge file says. Raise StudyRefusedError with all faults of the file.

    A prompt that does not fit the scale of the study is a fault, too.
    """
    faults = Faults()
    table = read_study_file(path, faults)
    if table is None:
        faults.raise_if_any()
        raise AssertionError("a file that cannot be read has faults")
    judge = _read(table, path, study)
    table.close()
    faults.raise_if_any()
    assert judge is not None, "a judge file without faults names its prompt"
    return judge


def _read(table: Table, path: Path, study: Study) -> JudgeFile | None:
    name = table.text("name", longest=LONGEST_NAME, needed=True)
    if fault := name_fault(name):
        table.fault("name", fault)
    model = table.text("model", longest=200, needed=True)
    prompt_name = table.text("prompt", longest=1000, needed=True)
    prompt = (
        read_prompt(prompt_name, path.parent, table.where("prompt"), table.faults) if prompt_name else None
    )
    if prompt is not None:
        add_mismatch(prompt, study, table.where("prompt"), table.faults)
    most_money = _limit(table, "most_money", is_needed=True)
    is_priced = all(key in table for key in _PRICES)
    why = _needs_prices(most_money, study)
    prices = [_price(table, key, why) for key in _PRICES]
    bounds = SETTINGS["judgments_per_document"]
    temperature = table.number("temperature", Decimal(0), least=0, most=2)
    seed = table.whole("seed", 0, least=0, most=2**31 - 1) if "seed" in table else None
    judgments = table.whole("judgments", 1, least=1, most=int(bounds.most or 1))
    answer_tokens = table.whole("answer_tokens", 400, least=16, most=100_000)
    most_tokens = _limit(table, "most_tokens", is_needed=True)
    most_seconds = _limit(table, "most_seconds", is_needed=False)
    requests_per_minute = _above_zero(table, "requests_per_minute", Decimal(60), most=100_000)
    timeout_seconds = _above_zero(table, "timeout_seconds", Decimal(60), most=3600)
    retries = table.whole("retries", 2, least=0, most=10)
    family = _family(table, study)
    if prompt is None:
        return None
    return JudgeFile(
        name=name,
        model=model,
        prompt=prompt,
        temperature=float(temperature),
        seed=seed,
        judgments=judgments,
        answer_tokens=answer_tokens,
        most_tokens=None if most_tokens is None else int(most_tokens),
        most_money=most_money,
        most_seconds=None if most_seconds is None else int(most_seconds),
        input_price=prices[0],
        output_price=prices[1],
        is_priced=is_priced,
        requests_per_minute=requests_per_minute,
        timeout_seconds=timeout_seconds,
        retries=retries,
        family=family,
    )


def _family(table: Table, study: Study) -> list[str]:
    """Return the tags of the runs of the judge's own family. Add a fault for one that the study lacks."""
    family = table.texts("family") or []
    if unknown := unknown_runs(study, family):
        text = _("The study has no run {runs}. Write the tags of runs as the study has them.")
        table.fault("family", text, runs=", ".join(map(shown, unknown)))
    return family


def _above_zero(table: Table, key: str, default: Decimal, *, most: int) -> Decimal:
    value = table.number(key, default, least=0, most=most)
    if value == 0:
        table.fault(key, _("The value is 0. Write a number above 0."))
    return value


def _limit(table: Table, key: str, *, is_needed: bool) -> Decimal | None:
    """Return a limit, or None if there is none. A limit on tokens or money must be there, or be "none"."""
    if key not in table:
        if is_needed:
            text = _('This limit is missing. Write a number, or {key} = "none" if there is none.')
            table.faults.add(table.where(), key, text, key=key)
        return None
    if table.is_text(key):
        if table.text(key) != NO_LIMIT:
            table.fault(key, _('The limit is not a number. Write a number, or "none" if there is no limit.'))
        return None
    return table.number(key, Decimal(0), least=0, most=_MOST_MONEY if key == "most_money" else _LARGEST)


def _needs_prices(most_money: Decimal | None, study: Study) -> str:
    """Return what is wrong with a judge file without prices, or "" if it needs none."""
    if study.entrance.machine_budget is not None:
        return _(
            "The price is missing, but the study has a budget for machine judges. Add the price in the"
            " study’s currency. 0 is a price, too."
        )
    if most_money is not None:
        return _(
            'The price is missing, so the limit on money has no effect. Add it, or write most_money = "none".'
        )
    return ""


def _price(table: Table, key: str, why: str) -> Decimal:
    """Return a price, or 0 if it is missing. If `why` is not empty, that is a fault."""
    if key not in table and why:
        table.faults.add(table.where(), key, why)
    return table.number(key, Decimal(0), least=0, most=10**6)
