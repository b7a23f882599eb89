"""One HTML file to look at: scores, or how they changed; `leafscore report` is the command.

>>> from leafscore.report import Options, write_report
>>> write_report(["today.jsonl"], "report.html", Options(compare="yesterday.jsonl"))        # doctest: +SKIP
"""

from __future__ import annotations

from .errors import ReportError
from .options import Options
from .writer import write_report

__all__ = ["Options", "ReportError", "write_report"]
