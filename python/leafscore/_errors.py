"""The exception of the package."""

from __future__ import annotations

import json
import re
from typing import Any, Sequence

_NAMES_SHOWN = 20
# An option of the command, as its messages name it: first, or in brackets.
_FLAG = re.compile(r"(?:^|(?<=\())--([a-z][a-z-]*)(?=[ );,]|$)")


class Error(Exception):
    """An error of a call, in one sentence that names the problem and says what to do.

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
        super().__init__(_FLAG.sub(lambda flag: flag[1].replace("-", "_"), message))
        self.code = code
        self.line = line
        self.option = option
        self.source = source
        self.report: dict[str, Any] | None = json.loads(report) if report is not None else None

    def __reduce__(self) -> tuple[Any, ...]:
        report = None if self.report is None else json.dumps(self.report)
        return type(self), (self.args[0], self.code, self.line, self.option, self.source, report)


def nearest(name: str, valid: Sequence[str]) -> str:
    """Returns a question about the name that was probably meant; empty if none is near.

    >>> nearest("Actual", ["id", "actual"])
    "; did you mean 'actual'?"
    """
    import difflib  # here, as nobody needs it who makes no mistakes

    lower = {str(known).lower(): known for known in valid}
    near = difflib.get_close_matches(name.lower(), list(lower), 1)
    return f"; did you mean {lower[near[0]]!r}?" if near else ""


def a_kind(value: object) -> str:
    """Returns what a value is, as "an int".

    >>> a_kind(1), a_kind({})
    ('an int', 'a dict')
    """
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def no_column(where: str, name: str, valid: Sequence[Any]) -> Error:
    """Returns the error about a column that is not there. `where` is a beginning, as "the data have"."""
    known = ", ".join(map(repr, valid[:_NAMES_SHOWN])) + (", ..." if len(valid) > _NAMES_SHOWN else "")
    cure = f"; the option {name} names another" if name in ("expected", "actual", "id") else ""
    negated = f"{where} the" if where.startswith("no ") else f"{where} no"
    return Error(f"{negated} column {name!r}{nearest(name, valid) or ';'} valid: {known or 'none'}{cure}")
