"""A whole run: contestants start, answer, and are timed in rounds of random order."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import Any

from . import machine
from .agreement import compare
from .contestants import Contestant
from .growth import MAX_FACTOR, factors
from .player import Failed, Player
from .records import Data
from .results import Options, Outcome, Result, Timing

LOAD_SECONDS = 120
MAX_LATENCIES = 1000  # records that are timed one by one in a round
GROWTH_ROUNDS = 5
# A contestant's seconds are shared out: so many parts for its answers and for growth, and two for each round.
ANSWER_PARTS = 6
GROWTH_PARTS = 10

Start = Callable[[dict[str, Any], float], Any]
Tell = Callable[[str], object]


class Run:
    """The players of one run. A player that fails is out, and the others go on."""

    def __init__(self, outcomes: Sequence[Outcome], data: Data, options: Options, tell: Tell):
        self._outcomes = outcomes
        self._data = data
        self._options = options
        self._tell = tell
        self._players: dict[str, Any] = {}
        self._chance = random.Random(options.seed)
        self._pass_seconds = options.seconds / (2 * options.rounds + ANSWER_PARTS + GROWTH_PARTS)
        self._limit = options.time_limit + 10 * (options.min_seconds + self._pass_seconds)

    def _alive(self) -> list[Outcome]:
        return [outcome for outcome in self._outcomes if not outcome.failed]

    @contextmanager
    def _out_if_it_fails(self, outcome: Outcome) -> Iterator[None]:
        try:
            yield
        except Failed as failure:
            outcome.failed = str(failure)
            if player := self._players.pop(outcome.name, None):
                outcome.printed = player.printed
                player.end()

    def end(self) -> None:
        for outcome in self._outcomes:
            if player := self._players.pop(outcome.name, None):
                outcome.printed = player.printed
                player.end()

    def start(self, start: Start, records: str) -> None:
        for outcome in self._outcomes:
            self._tell(f"{outcome.name}: starting")
            with self._out_if_it_fails(outcome):
                setup = {**outcome.contestant.setup, "records": records}
                self._players[outcome.name] = start(setup, max(LOAD_SECONDS, self._options.time_limit))

    def answer(self) -> None:
        """Takes the answers of all, compares them, and decides how many records each is timed with."""
        for outcome in self._alive():
            self._tell(f"{outcome.name}: answers")
            with self._out_if_it_fails(outcome):
                self._answers_of(outcome)
        for outcome in self._outcomes:
            if outcome.contestant.against is not None:
                reference = self._outcomes[outcome.contestant.against]
                outcome.agreement = compare(
                    self._data.records, reference.answers, outcome.answers, self._options.tolerance
                )
        for outcome in self._alive():
            if outcome.contestant.against is not None:
                reference = self._outcomes[outcome.contestant.against]
                if not reference.failed:
                    outcome.timed = min(outcome.timed, reference.timed)

    def _answers_of(self, outcome: Outcome) -> None:
        player = self._players[outcome.name]
        request = {"do": "answer", "seconds": self._pass_seconds * ANSWER_PARTS}
        ends = []
        try:
            for reply in player.stream(request, self._options.time_limit, player.see_children):
                if "answers" in reply:
                    outcome.answers += reply["answers"]
                    outcome.first_ns.append(reply["ns"])
                    outcome.changed += reply["changed"]
                    ends.append(len(outcome.answers))
        except Failed as failure:
            if len(outcome.answers) == len(self._data.records):
                raise
            record = self._data.records[len(outcome.answers)]
            place = f"{record.place} (id {record.id})" if outcome.contestant.setup["kind"] != "engine" else record.place
            raise Failed(f"{failure}, at or after {place}, number {len(outcome.answers) + 1} here") from None
        before, peak = reply["memory"]
        outcome.memory = (before, peak + player.children_peak)
        outcome.timed = self._within_a_pass(ends, outcome.first_ns)

    def _within_a_pass(self, ends: Sequence[int], times: Sequence[int]) -> int:
        """How many records a pass can take, by the times of the chunks that end with these numbers of records."""
        limit = self._pass_seconds * 1e9
        if ends == list(range(1, len(ends) + 1)):  # each on its own
            return max(1, sum(taken <= limit for taken in accumulate(times)))
        size, time = max((end - begin, time) for begin, end, time in zip([0, *ends], ends, times))
        return max(1, min(ends[-1], int(limit * size / max(time, 1))))

    def rounds(self) -> None:
        for number in range(self._options.rounds):
            turns: list[Callable[[], None]] = []
            for outcome in self._alive():
                turns += [partial(self._time, outcome, *chosen) for chosen in self._sets(outcome)]
                turns.append(partial(self._latency, outcome))
            self._chance.shuffle(turns)
            for done, turn in enumerate(turns):
                self._tell(f"round {number + 1} of {self._options.rounds}, {done} of {len(turns)}")
                turn()

    def _sets(self, outcome: Outcome) -> list[tuple[int, int]]:
        """The numbers of records and threads to time: those of others too, that are compared with it."""
        threads = self._options.threads if outcome.contestant.is_engine else ()
        sets = [(outcome.timed, 1), *((outcome.timed, number) for number in threads)]
        for other in self._outcomes:
            against = other.contestant.against
            if against is not None and self._outcomes[against] is outcome and other.timed:
                sets.append((other.timed, 1))
        return list(dict.fromkeys(sets))

    def _time(self, outcome: Outcome, records: int, threads: int) -> None:
        request = {"do": "time", "records": records, "grow": None, "threads": threads}
        if reply := self._ask(outcome, {**request, "seconds": self._options.min_seconds}):
            outcome.unlike = max(outcome.unlike, reply["unlike"])
            timing = Timing(reply["passes"], reply["real"], reply["cpu"], records)
            outcome.timings.setdefault((records, threads), []).append(timing)

    def _latency(self, outcome: Outcome) -> None:
        if reply := self._ask(outcome, {"do": "latency", "records": min(outcome.timed, MAX_LATENCIES)}):
            outcome.unlike = max(outcome.unlike, reply["unlike"])
            outcome.latencies.append(reply["ns"])

    def _ask(self, outcome: Outcome, request: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the reply of a player; None when it is out."""
        if not outcome.failed:
            with self._out_if_it_fails(outcome):
                reply: dict[str, Any] = self._players[outcome.name].ask(request, self._limit)
                return reply
        return None

    def growth(self) -> None:
        """Times records made larger, from the smallest up, until one pass over them takes longer than its share."""
        kind = self._options.growth
        if kind == "none" or not self._options.rounds:
            return
        turns = []
        for outcome in self._alive():
            self._tell(f"{outcome.name}: larger records")
            for factor in factors(outcome.timed if kind == "records" else MAX_FACTOR):
                turns.append((outcome, factor))
                if self._grow(outcome, kind, factor) > self._pass_seconds or outcome.growth.errors:
                    break
        for number in range(1, GROWTH_ROUNDS):
            self._chance.shuffle(turns)
            self._tell(f"larger records, round {number + 1} of {GROWTH_ROUNDS}")
            for outcome, factor in turns:
                self._grow(outcome, kind, factor)

    def _grow(self, outcome: Outcome, kind: str, factor: int) -> float:
        """Returns the seconds of one pass."""
        if outcome.growth.errors:
            return 0
        records = factors(outcome.timed)[-1]
        request = {"do": "time", "records": records, "grow": [kind, factor], "threads": 1}
        reply = self._ask(outcome, {**request, "seconds": self._options.min_seconds / 4})
        if reply is None:
            return 0
        growth = outcome.growth
        growth.errors += reply["errors"]
        growth.bytes[factor] = reply["bytes"]
        one_pass: float = reply["real"] / reply["passes"]
        growth.times.setdefault(factor, []).append(one_pass / reply["records"])
        return one_pass / 1e9


def measure(
    chosen: Sequence[Contestant], data: Data, options: Options, tell: Tell = lambda text: None, start: Start = Player
) -> Result:
    """Measures all contestants on the data. `start` makes a player of what `Contestant.setup` says."""
    paired = {contestant.against for contestant in chosen}
    outcomes = [
        Outcome(contestant, is_alone=contestant.against is None and place not in paired)
        for place, contestant in enumerate(chosen)
    ]
    load = os.getloadavg()[0]
    run = Run(outcomes, data, options, tell)
    with tempfile.TemporaryDirectory(prefix="leafscore-bench-") as folder:
        records = os.path.join(folder, "records")
        with open(records, "w", encoding="utf-8") as file:
            file.writelines(json.dumps([record.expected, record.actual]) + "\n" for record in data.records)
        try:
            run.start(start, records)
            run.answer()
            run.rounds()
            run.growth()
        finally:
            run.end()
    return Result(data, options, outcomes, machine.describe(chosen), load)
