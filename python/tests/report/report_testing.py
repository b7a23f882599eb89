"""What the tests of reports share: score files, pages made of them, and the texts of a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from leafscore.report.__main__ import main  # noqa: E402

VOID = {"meta", "link", "input", "br", "path"}
CODE = {"script", "style"}


def report(*arguments: Any) -> int:
    """Runs the program. RETURNS: its exit status."""
    return main([str(argument) for argument in arguments])


class Page(HTMLParser):
    """A page taken apart: its tags with their attributes, its texts in their order, and its data."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.values: list[tuple[str, str, str]] = []  # tag, attribute, value
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.comments: list[str] = []
        self.charts: Any = None
        self._attributes: dict[str, str | None] = {}
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._attributes = dict(attrs)
        self.tags.append(tag)
        self.values += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
        if tag in CODE:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in CODE:
            if self.open and data.strip():
                self.texts.append(data)
        elif self._attributes.get("id") == "charts":
            self.charts = json.loads(data)
        else:
            self.scripts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def page_of(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def write_lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def line(number: int, score: float | None = 0.5, scorer: str = "json_similarity", **members: Any) -> dict[str, Any]:
    """A line of scores; without a score, that of an answer that cannot be read."""
    told: dict[str, Any] = {"outcome": "unreadable", "reason": "invalid_actual_json", "message": "it is cut off"}
    if score is not None:
        told = {"outcome": "scored", "score": score}
    return {"id": f"q{number}", "scorer": scorer, **told, **members}
