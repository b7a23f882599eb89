"""The options of a report, and its limits."""

from __future__ import annotations

from dataclasses import dataclass

# How many are shown of things that may be numerous; the page says if there are more.
SCORERS_SHOWN = 40
WORST_SHOWN = 1_000
MODELS_SHOWN = 40  # in a heat map
CELLS_SHOWN = 10_000  # in all heat maps
FIELDS_SHOWN = 80
ROWS_SHOWN = 200  # models, groups and gates in a table
ALL_ROWS_SHOWN = 1_500  # in all tables of one kind
CHARTED = 16  # models in a chart, whose labels must be readable
ALL_CHARTED = 64
LEAVES_SHOWN = 200
NAME_CHARACTERS = 300
VALUE_CHARACTERS = 2_000  # of a leaf
TEXT_CHARACTERS = 20_000  # of a whole answer
LINES_SHOWN = 600  # of a whole answer
FILE_BYTES = 4_900_000  # records have pages as long as there is room for them
MAX_WORST = 1_000

# How many are kept while score files are read; the rest is counted, and the page says so.
CELLS_HELD = 200_000  # a model's field under a scorer
LINE_BYTES_HELD = 1 << 20  # of one line of a worst record


def fair(most: int, altogether: int, tables: int) -> int:
    """Returns how many rows each of some tables shows."""
    return max(1, min(most, altogether // max(1, tables)))


@dataclass(frozen=True)
class Options:
    """The options of the page, and those passed to `leafscore compare` and `leafscore leaderboard`."""

    by: str | None = None
    cluster: str | None = None
    repeats: str = "last"
    unverified: bool = False
    compare: str | None = None
    comparison_options: tuple[str, ...] = ()  # as given to the command: gates, --margin and so on
    data: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    worst: int = 50
    title: str | None = None
    names: tuple[str, ...] = ()  # KEY=NAME
