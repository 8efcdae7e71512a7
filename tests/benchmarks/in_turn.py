"""Contenders that work in turn, each in a process of its own whose peak memory is its own.

This module imports nothing large: on Linux a child starts out with the peak memory of its parent.
"""

import importlib
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from typing import Any

LEAST_TURN = 0.25
"""Seconds; quick work is done again and again for so long, or it would be timed with cold caches alone."""


@dataclass
class Timed:
    """What a contender took: seconds, a round each, and its peak memory in MB; `result` is its last.

    `processor` has the seconds of all cores together, which other programs on the machine change least.
    """

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    peak: float = 0
    result: Any = None

    @property
    def median(self) -> float:
        return median(self.seconds)

    def less(self, start: "Timed") -> "Timed":
        """The same without what the program takes to start."""
        seconds = [seconds - start.median for seconds in self.seconds]
        processor = [seconds - median(start.processor) for seconds in self.processor]
        return Timed(seconds, processor, self.peak, self.result)

    def scaled(self, factor: float) -> "Timed":
        """The same as if it had done so many times as much."""
        seconds, processor = ([factor * part for part in parts] for parts in (self.seconds, self.processor))
        return Timed(seconds, processor, self.peak, self.result)

    def times_quicker_than(self, other: "Timed") -> float:
        """The median, over the rounds, of the other's time by this one's in the same round."""
        return median(theirs / ours for ours, theirs in zip(self.seconds, other.seconds, strict=True))

    def times_less_work_than(self, other: "Timed") -> float:
        """The same of processor time."""
        return median(theirs / ours for ours, theirs in zip(self.processor, other.processor, strict=True))


@dataclass(frozen=True)
class Worker:
    """A class as `module:Class` and what it is made with; its `work()` is what is timed."""

    maker: str
    arguments: tuple[Any, ...]


def work_in_turn(workers: Sequence[Worker], rounds: int) -> list[Timed]:
    """Every worker made, tried once, and then asked `rounds` times, one after the other in each round."""
    spawn = multiprocessing.get_context("spawn")
    results = [Timed() for _ in workers]
    with ExitStack() as stack:
        ends = []
        for worker in workers:
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=_serve, args=(theirs, worker.maker, worker.arguments), daemon=True)
            process.start()
            theirs.close()  # so that a worker that dies is noticed
            stack.callback(process.join)
            ends.append(stack.enter_context(ours))
        for number in range(rounds + 1):
            for end, timed in zip(ends, results, strict=True):
                end.send("work")
                seconds, processor, timed.peak, timed.result = end.recv()
                if number > 0:  # the first was the trial
                    timed.seconds.append(seconds)
                    timed.processor.append(processor)
    return results


def _serve(end: Connection, maker: str, arguments: tuple[Any, ...]) -> None:
    """Work at every word that comes down the pipe, until it is closed."""
    module, name = maker.split(":")
    worker = getattr(importlib.import_module(module), name)(*arguments)
    while True:
        try:
            end.recv()
        except EOFError:
            return
        seconds, processor, result = _timed(worker)
        end.send((seconds, processor, getrusage(RUSAGE_SELF).ru_maxrss / 1024, result))


def _timed(worker: Any) -> tuple[float, float, Any]:
    """The mean seconds and processor seconds of a turn's works, and the last result."""
    began, processor, times = time.perf_counter(), time.process_time(), 0
    while True:
        result = worker.work()
        times += 1
        if (passed := time.perf_counter() - began) >= LEAST_TURN:
            return passed / times, (time.process_time() - processor) / times, result


def run_in_turn(
    commands: Sequence[Sequence[str]], outputs: Sequence[Path], rounds: int, files: Sequence[Path] = ()
) -> list[Timed]:
    """Every program tried once, then run `rounds` times in turn; its output goes to its file.

    Before each turn `files` are read: else who comes after a long turn would fetch them from the disk for
    all. The trial leaves the bytecode of every module beside the outputs, as installing a program does.
    Raises `SystemExit` when a program fails.
    """
    results = [Timed() for _ in commands]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(outputs[0].parent / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for number in range(rounds + 1):
        for command, output, timed in zip(commands, outputs, results, strict=True):
            for file in files:
                file.read_bytes()
            to_file = (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            began = time.perf_counter()
            pid = os.posix_spawn(
                sys.executable, [sys.executable, *command], environment, file_actions=[to_file]
            )
            _, status, usage = os.wait4(pid, 0)
            if status:
                raise SystemExit(f"{' '.join(command[:4])} … failed")
            timed.peak = max(timed.peak, usage.ru_maxrss / 1024)
            if number > 0:
                timed.seconds.append(time.perf_counter() - began)
                timed.processor.append(usage.ru_utime + usage.ru_stime)
    return results
