"""The command line of `leafscore bench`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from . import machine
from .contestants import KINDS
from .growth import KINDS as GROWTH_KINDS
from .records import Fields
from .results import Options

Number = TypeVar("Number", int, float)

DESCRIPTION = """Is a scorer right, and how fast is it? The same records go to each, in a process of its own; answers are
compared first, then speed, time of single records, processor time, memory and growth are measured in rounds of random
order. A speed stands beside what became of the answers."""
ROLES = {
    "scorer": "what others are compared with (repeatable)",
    "against": "compared with the --scorer before it (repeatable)",
}
EPILOG = f"""A scorer is {KINDS}. A function takes the expected and the actual value, as Python values, and returns a
number, or what has one in `score`. Exit status: 0 all answers agree, 1 they do not, or some have no score, 2 nothing was
measured, 130 and 143 interrupted."""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leafscore bench", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    add = made.add_argument
    add("data", metavar="DATA", help="records: JSON Lines, also .gz, - for standard input; Parquet, Arrow or CSV")
    for role, what in ROLES.items():
        add(f"--{role}", dest="chosen", type=_role(role), action="append", default=[], metavar="SCORER", help=what)
    add(
        "--tolerance",
        type=_least(float, 0),
        default=Options.tolerance,
        metavar="X",
        help="scores as near as this are the same (1e-9)",
    )
    add("--records", type=_least(int, 1), default=10_000, metavar="N", help="at most N records, chosen at random (10000)")
    add(
        "--rounds",
        type=_least(int, 0),
        default=Options.rounds,
        metavar="N",
        help="of times; 0 compares answers only (9)",
    )
    add(
        "--seconds",
        type=_least(float, 0.1),
        default=Options.seconds,
        metavar="S",
        help="for each scorer, about; a slow one gets fewer records (60)",
    )
    add(
        "--min-seconds",
        type=_least(float, 0.001),
        default=Options.min_seconds,
        metavar="S",
        help="that a round lasts: fast ones score the records again and again (0.2)",
    )
    add(
        "--time-limit",
        type=_least(float, 0.1),
        default=Options.time_limit,
        metavar="S",
        help="for one record; a scorer that takes longer is out (30)",
    )
    add(
        "--threads",
        type=_counts,
        default=None,
        metavar="N,N",
        help="of leafscore's scorers (1 and as many as there are cores)",
    )
    add("--growth", choices=GROWTH_KINDS, default=Options.growth, help="how records are made larger (records)")
    add("--id-field", default="id", metavar="NAME", help="the member, or column, of the id (id)")
    add("--expected-field", default="expected", metavar="NAME", help="of the expected value (expected)")
    add("--actual-field", default="actual", metavar="NAME", help="of the actual value (actual)")
    add("--seed", type=int, default=Options.seed, metavar="N", help="of what is random (1)")
    add("--json", metavar="FILE", help="write all figures, in the JSON of Google Benchmark")
    add("--plot", metavar="FILE", help="draw speeds and growth: .svg, .png, or .json for Vega-Lite")
    add("--quiet", action="store_true", help="tell no progress")
    return made


def _role(role: str) -> Callable[[str], tuple[str, str]]:
    return lambda text: (role, text)


def _least(kind: Callable[[str], Number], least: Number) -> Callable[[str], Number]:
    def read(text: str) -> Number:
        value = kind(text)
        if not least <= value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text} is not {least:g} or more")
        return value

    read.__name__ = "number"
    return read


def _counts(text: str) -> tuple[int, ...]:
    found = tuple(int(part) for part in text.split(","))
    if min(found) < 1 or max(found) > 1024:
        raise argparse.ArgumentTypeError(f"{text} is not a list of 1 to 1024")
    return found


_counts.__name__ = "list of numbers"  # the name in error messages


def options(chosen: argparse.Namespace) -> Options:
    return Options(
        rounds=chosen.rounds,
        seconds=chosen.seconds,
        min_seconds=chosen.min_seconds,
        time_limit=chosen.time_limit,
        threads=chosen.threads if chosen.threads is not None else (1, machine.cpus()),
        growth=chosen.growth,
        tolerance=chosen.tolerance,
        seed=chosen.seed,
    )


def fields(chosen: argparse.Namespace) -> Fields:
    return Fields(chosen.id_field, chosen.expected_field, chosen.actual_field)
