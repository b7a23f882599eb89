"""Answers come first: they are taken, compared, and decide how many records each contestant is timed with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from .agreement import compare
from .player import Failed
from .players import Players
from .records import Record
from .results import Outcome


def take_answers(players: Players, records: Sequence[Record]) -> None:
    for outcome in players.alive():
        players.tell(f"{outcome.name}: answers")
        with players.out_if_it_fails(outcome):
            _answers_of(outcome, players, records)
    for outcome in players.outcomes:
        if outcome.contestant.against is not None:
            reference = players.outcomes[outcome.contestant.against]
            outcome.agreement = compare(records, reference.answers, outcome.answers, players.options.tolerance)
            if not reference.failed:
                outcome.timed = min(outcome.timed, reference.timed)


def _answers_of(outcome: Outcome, players: Players, records: Sequence[Record]) -> None:
    player = players[outcome]
    request = {"do": "answer", "seconds": players.answer_seconds}
    ends = []
    try:
        for reply in player.stream(request, players.options.time_limit, player.see_children):
            if "answers" in reply:
                outcome.answers += reply["answers"]
                outcome.first_ns.append(reply["ns"])
                outcome.changed += reply["changed"]
                ends.append(len(outcome.answers))
    except Failed as failure:
        if len(outcome.answers) == len(records):
            raise
        record = records[len(outcome.answers)]
        raise Failed(f"{failure}, at {record.place} (id {record.id}) or soon after") from None
    before, peak = reply["memory"]
    outcome.memory = (before, peak + player.children_peak)
    outcome.timed = records_of_a_pass(ends, outcome.first_ns, players.pass_seconds)


def records_of_a_pass(ends: Sequence[int], times: Sequence[int], seconds: float) -> int:
    """How many records can be scored in a time, by the nanoseconds of the chunks that end with these numbers of them."""
    limit = seconds * 1e9
    if ends == list(range(1, len(ends) + 1)):  # each separately
        return max(1, sum(taken <= limit for taken in accumulate(times)))
    size, time = max((end - begin, time) for begin, end, time in zip([0, *ends], ends, times))
    return max(1, min(ends[-1], int(limit * size / max(time, 1))))
