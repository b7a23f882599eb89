"""The exception of the package."""

from __future__ import annotations

import json
from typing import Any


class Error(Exception):
    """What went wrong with a call, in one sentence that names it and says what to do.

    What is wrong with a record is no error: it is in the results, as an outcome with a reason and a message.

    Attributes:
        code: "usage", "input", "output", "interrupted", "resources" or "internal" (a defect of leafscore).
        line: the line of a configuration, or the position of a scorer in a plan, from 1; None where not known.
        option: the name of the option that is wrong; None where it is about none.
        source: the name of the configuration, as a path; None where it is about none.
        report: what was known of a run over files that ended early, as a dict; else None.
    """

    def __init__(
        self,
        message: str,
        code: str = "usage",
        line: int | None = None,
        option: str | None = None,
        source: str | None = None,
        report: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.option = option
        self.source = source
        self.report: dict[str, Any] | None = json.loads(report) if report is not None else None

    def __reduce__(self) -> tuple[Any, ...]:
        report = None if self.report is None else json.dumps(self.report)
        return type(self), (self.args[0], self.code, self.line, self.option, self.source, report)
