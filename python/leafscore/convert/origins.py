"""Where scores come from: what the files of a tool say of the tool and of its metrics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Origin:
    """What one input says. `tasks` has, by task, what must be the same for its scores to be comparable."""

    tool: str = ""  # unknown
    version: str = ""  # unknown
    metrics: tuple[str, ...] = ()  # that it names, even if no sample has a score
    tasks: dict[str, Any] = field(default_factory=dict)
    less_is_better: tuple[str, ...] = ()
