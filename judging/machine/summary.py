"""The lines in which the command tells what a machine judge did."""

from collections.abc import Iterator

from evaluation.report.machines import Machine


def lines_of(machine: Machine) -> Iterator[str]:
    """Yield the lines in which the command tells what a machine judge did."""
    yield (
        f"Machine judge {machine.name}: model {machine.model}, prompt {machine.prompt} version"
        f" {machine.version} (SHA-256 {machine.prompt_sha256})."
    )
    yield (
        f"Calls: {machine.calls:,}; tokens: {machine.input_tokens:,} read, {machine.output_tokens:,} written;"
        f" money: {machine.money.normalize():f}; seconds: {machine.seconds:,.1f}."
    )
    faults = ", ".join(f"{number:,} {kind}" for kind, number in machine.faults.items())
    yield f"Faults of the judge: {faults}."
    for name, (passed, failed) in machine.checks.items():
        yield f"Check of the {name}: {passed:,} passed, {failed:,} failed."
    yield (
        f"Units: {machine.units:,} done, {machine.units_left:,} left, in {machine.sittings:,} sittings,"
        f" of which {machine.screened_out:,} ended because the judge was screened out."
    )
    if (share := machine.share_by_place) is not None and machine.order:
        pairs, first, second = machine.order
        yield (
            f"Order: of {pairs:,} pairs, the answer followed the place in {first + second:,} ({share:.1%}):"
            f" {first:,} times the first place, {second:,} times the second."
        )
