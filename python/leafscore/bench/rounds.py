"""Rounds: all contestants in random order, as records are and made larger."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from .growth import MAX_FACTOR, MIN_SIZES, factors
from .players import Players
from .results import Outcome, Timing

MAX_LATENCIES = 1000  # records that are timed individually in a round
GROWTH_ROUNDS = 5
REPEATED = 8  # records whose texts are repeated to make them large


def take_rounds(players: Players) -> None:
    chance = random.Random(players.options.seed)
    for number in range(players.options.rounds):
        turns: list[Callable[[], None]] = []
        for outcome in players.alive():
            turns += [partial(_time, players, outcome, *chosen) for chosen in _sets(players, outcome)]
            turns.append(partial(_latency, players, outcome))
        chance.shuffle(turns)
        for done, turn in enumerate(turns):
            players.tell(f"round {number + 1} of {players.options.rounds}, {done} of {len(turns)}")
            turn()


def _sets(players: Players, outcome: Outcome) -> list[tuple[int, int]]:
    """The numbers of records and threads to time: those of others too, that are compared with it."""
    threads = players.options.threads if outcome.contestant.is_engine else ()
    sets = [(outcome.timed, 1), *((outcome.timed, number) for number in threads)]
    for other in players.outcomes:
        against = other.contestant.against
        if against is not None and players.outcomes[against] is outcome and other.timed:
            sets.append((other.timed, 1))
    return list(dict.fromkeys(sets))


def _time(players: Players, outcome: Outcome, records: int, threads: int) -> None:
    request = {"do": "time", "records": records, "threads": threads, "fill": outcome.timed}
    if reply := players.ask(outcome, {**request, "seconds": players.options.min_seconds}):
        outcome.unlike = max(outcome.unlike, reply["unlike"])
        timing = Timing(reply["passes"], reply["real"], reply["cpu"], reply["records"])
        outcome.timings.setdefault((records, threads), []).append(timing)


def _latency(players: Players, outcome: Outcome) -> None:
    if reply := players.ask(outcome, {"do": "latency", "records": min(outcome.timed, MAX_LATENCIES)}):
        outcome.unlike = max(outcome.unlike, reply["unlike"])
        outcome.latencies.append(reply["ns"])


def take_growth(players: Players) -> None:
    """Times records made larger, from the smallest up, until one pass over them takes longer than its share."""
    kind = players.options.growth
    if kind == "none" or not players.options.rounds:
        return
    for outcome in players.alive():
        players.tell(f"{outcome.name}: larger records")
        sizes = factors(outcome.timed if kind == "records" else MAX_FACTOR)
        for factor in sizes if len(sizes) >= MIN_SIZES else ():
            if _grow(players, outcome, factor) > players.pass_seconds or outcome.growth.errors:
                break
    turns = [
        (outcome, size) for outcome in players.alive() if not outcome.growth.flaw() for size in outcome.growth.times
    ]
    chance = random.Random(players.options.seed)
    for number in range(1, GROWTH_ROUNDS):
        chance.shuffle(turns)
        players.tell(f"larger records, round {number + 1} of {GROWTH_ROUNDS}")
        for outcome, factor in turns:
            _grow(players, outcome, factor)


def _grow(players: Players, outcome: Outcome, factor: int) -> float:
    """Returns the seconds that all records of this size take once."""
    growth, options = outcome.growth, players.options
    seconds = options.min_seconds / 4
    records, fill = min(outcome.timed, REPEATED), 0
    if options.growth == "records":
        records, speed = factors(outcome.timed)[-1], outcome.rate()
        fill = (
            min(outcome.timed, int(speed.value * seconds)) if speed else 0
        )  # so that the cost of calls is small beside the records
    request = {"do": "time", "records": records, "grow": [options.growth, factor], "threads": 1}
    reply = players.ask(outcome, {**request, "fill": fill, "seconds": seconds})
    if reply is None:
        return 0
    growth.errors += reply["errors"]
    growth.sizes[factor] = reply["bytes"] if options.growth == "records" else factor
    one: float = reply["real"] / reply["passes"] / reply["records"]
    growth.times.setdefault(factor, []).append(one)
    return one * (records // factor if options.growth == "records" else records) / 1e9
