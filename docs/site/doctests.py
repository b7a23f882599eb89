"""Examples in docstrings as blocks of code, wherever they stand: griffe takes only those of a section for such."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

DOCTEST = re.compile(r"^( *)>>> (?:.*\n?)(?:\1\S.*(?:\n|\Z))*", re.M)


class Doctests(Extension):
    """Puts doctests into fences."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = DOCTEST.sub(_fenced, obj.docstring.value)


def _fenced(found: re.Match[str]) -> str:
    return f"{found[1]}```pycon\n{found[0].rstrip()}\n{found[1]}```\n"
