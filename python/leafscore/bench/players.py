"""The players of one run. One that fails is out, and the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .player import Failed
from .results import Options, Outcome

LOAD_SECONDS = 120
# How a contestant's seconds are divided: parts for its answers and for growth, and two for each round.
ANSWER_PARTS = 6
GROWTH_PARTS = 10

Start = Callable[[dict[str, Any], float], Any]
Tell = Callable[[str], object]


class Players:
    """Who plays for each outcome, and how long things may take. Ends all processes where its `with` ends."""

    def __init__(self, outcomes: Sequence[Outcome], options: Options, tell: Tell):
        self.outcomes = outcomes
        self.options = options
        self.tell = tell
        self.pass_seconds = options.seconds / (2 * options.rounds + ANSWER_PARTS + GROWTH_PARTS)
        self.answer_seconds = self.pass_seconds * ANSWER_PARTS if options.rounds else float("inf")
        self._limit = options.time_limit + 10 * (options.min_seconds + self.pass_seconds)
        self._players: dict[str, Any] = {}

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *_: object) -> None:
        for outcome in self.outcomes:
            self._end(outcome)

    def __getitem__(self, outcome: Outcome) -> Any:
        return self._players[outcome.name]

    def alive(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if not outcome.failed]

    def start(self, start: Start, records: str) -> None:
        for outcome in self.outcomes:
            self.tell(f"{outcome.name}: starting")
            with self.out_if_it_fails(outcome):
                setup = {**outcome.contestant.setup, "records": records}
                self._players[outcome.name] = start(setup, max(LOAD_SECONDS, self.options.time_limit))

    def ask(self, outcome: Outcome, request: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the reply of a player; None when it is out."""
        if not outcome.failed:
            with self.out_if_it_fails(outcome):
                reply: dict[str, Any] = self[outcome].ask(request, self._limit)
                return reply
        return None

    @contextmanager
    def out_if_it_fails(self, outcome: Outcome) -> Iterator[None]:
        try:
            yield
        except Failed as failure:
            outcome.failed = str(failure)
            self._end(outcome)

    def _end(self, outcome: Outcome) -> None:
        if player := self._players.pop(outcome.name, None):
            outcome.printed = player.printed
            player.end()
