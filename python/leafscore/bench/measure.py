"""A whole run: contestants start, answer, and are timed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence

from . import machine
from .answers import take_answers
from .contestants import Contestant
from .player import Player
from .players import Players, Start, Tell
from .records import Data
from .results import Options, Outcome, Result
from .rounds import take_growth, take_rounds


def measure(
    chosen: Sequence[Contestant], data: Data, options: Options, tell: Tell = lambda text: None, start: Start = Player
) -> Result:
    """Measures all contestants on the data. `start` makes a player of what `Contestant.setup` says."""
    paired = {contestant.against for contestant in chosen}
    outcomes = [
        Outcome(contestant, is_alone=contestant.against is None and place not in paired)
        for place, contestant in enumerate(chosen)
    ]
    busy = machine.busy_share()
    with tempfile.TemporaryDirectory(prefix="leafscore-bench-") as folder, Players(outcomes, options, tell) as players:
        records = os.path.join(folder, "records")
        with open(records, "w", encoding="utf-8") as file:
            file.writelines(json.dumps([record.expected, record.actual]) + "\n" for record in data.records)
        players.start(start, records)
        take_answers(players, data.records)
        take_rounds(players)
        take_growth(players)
    return Result(data, options, outcomes, machine.describe(chosen), busy)
