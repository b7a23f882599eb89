"""Where scores come from: what the files of a tool say of the tool and of its metrics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Origin:
    """The origin of one input. `tasks` has, by task, the facts that comparable scores share."""

    tool: str = ""  # unknown
    version: str = ""  # unknown
    metrics: tuple[str, ...] = ()  # that it names, even if no sample has a score
    tasks: dict[str, Any] = field(default_factory=dict)
    less_is_better: tuple[str, ...] = ()
