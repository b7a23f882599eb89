"""Conversion between the files of evaluation frameworks and leafscore's records; `leafscore convert` is the command.

>>> from leafscore.convert import Options, convert
>>> counts = convert(["samples_gsm8k.jsonl"], "records.jsonl")        # doctest: +SKIP

Nothing outside Python's standard library is imported before a format needs it.
"""

from __future__ import annotations

from .conversion import FORMATS, convert
from .counts import Counts
from .errors import ConvertError
from .samples import Options

__all__ = ["FORMATS", "ConvertError", "Counts", "Options", "convert"]
