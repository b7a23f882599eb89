"""The page: templates with every text escaped, and nothing that a text could make run.

Every text of the data goes through the templates' escaping, or, for the charts, through `script_json`. A policy in the page
lets only the scripts run whose hashes it names, and nothing be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import causes, formats
from .errors import ReportError
from .options import NAME_CHARACTERS, FILE_BYTES, ROWS_SHOWN, WORST_SHOWN
from .pages import Page
from .scores_view import Report
from .texts import counted, cut, seen
from .verdicts import overview

_HERE = Path(__file__).parent
_SCRIPTS = ("tables.js", "records.js", "charts.js")
_STYLES = ("base.css", "sections.css", "records.css", "print.css")


def libraries() -> tuple[Any, Any]:
    """jinja2 and vl_convert. ERRORS: ReportError that says how to get them."""
    try:
        import jinja2
        import vl_convert
    except ImportError as error:
        sentence = f"a report needs jinja2 and vl-convert-python ({error}): pip install jinja2 vl-convert-python"
        raise ReportError(sentence) from None
    return jinja2, vl_convert


def render(report: Report) -> str:
    """Returns the whole page."""
    jinja2, vl_convert = libraries()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        finalize=_visible,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(vars(formats))
    environment.filters.update(name=name, counted=counted, cut=cut, figure=_figure)
    environment.filters.update(file=report.names.file, model=report.names.model_of_file, cause=causes.of_one)
    charts = _charts(report)
    theme = _static("theme.js")
    runtime = _runtime(vl_convert) if charts else ""
    program = "\n".join(map(_static, _SCRIPTS))
    scripts = [_safe_script(script) for script in (theme, runtime, program)]
    trusted = {
        "styles": "\n".join(map(_static, _STYLES)),
        "theme": scripts[0],
        "runtime": scripts[1],
        "program": scripts[2],
        "charts_json": script_json(charts),
        "policy": " ".join(f"'sha256-{_hash(script)}'" for script in scripts),
    }
    mark = jinja2.utils.markupsafe.Markup
    told = {key: mark(value) for key, value in trusted.items()}
    told |= {"report": report, "sections": _sections(report), "rows_shown": ROWS_SHOWN, "worst_shown": WORST_SHOWN}
    told |= _choices(report)
    template = environment.get_template("report.html")
    without = template.render(pages="", linked={row.page.number for row in report.worst}, **told)
    room = FILE_BYTES - len(without.encode())
    pages = _rendered_pages(environment.get_template("record.html"), report, room)
    page: str = template.render(pages=mark("".join(pages.values())), linked=set(pages), **told)
    return page


@lru_cache(maxsize=1)
def _runtime(vl_convert: Any) -> str:
    """The code of Vega, Vega-Lite and Vega-Embed, which takes seconds to bundle."""
    bundle: str = vl_convert.javascript_bundle()
    return bundle


def _visible(value: Any) -> Any:
    return seen(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def name(text: str) -> str:
    """A name on one line, as long as names are."""
    return cut(text, NAME_CHARACTERS).replace("\n", "\\u000A").replace("\t", "\\u0009")


def _figure(value: Any) -> str:
    """A score of a line, which may be told by the digits as they are written."""
    return formats.number(None if value is None else float(str(value)))


def script_json(value: Any) -> str:
    """JSON that ends no script and begins no comment, wherever it stands in a page."""
    text = json.dumps(value, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _static(file: str) -> str:
    return (_HERE / "static" / file).read_text(encoding="utf-8")


def _safe_script(script: str) -> str:
    """ERRORS: ReportError for code of a library that would end its own element."""
    lower = script.lower()
    if "</script" in lower or "<!--" in lower or "\r" in script or "\0" in script:
        raise ReportError("the runtime of Vega-Lite cannot stand in a page; another version of vl-convert-python may do")
    return script


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _charts(report: Report) -> dict[str, Any]:
    """The charts by the names that their places in the page have."""
    found: dict[str, Any] = {}
    kinds: dict[str, Sequence[Any]] = {"changes": report.changes, "spread": report.spreads, "reliability": report.reliabilities}
    for kind, views in kinds.items():
        found.update({f"{kind}-{number}": view.chart for number, view in enumerate(views) if view.chart})
    if (chart := overview(report.changes, report.names)) is not None:
        found["all-0"] = chart
    return found


def _choices(report: Report) -> dict[str, Any]:
    """Returns the choices of the filters. Elements have the numbers of scorers and models, as names may be of any length."""
    views: list[Any] = [*report.boards, *report.matches, *report.changes, *report.worst, *report.field_rates, *report.reliabilities]
    scorers = list(dict.fromkeys(view.scorer for view in views))
    models = sorted({row.page.model for row in report.worst})
    known = dict.fromkeys(model for spread in report.spreads for model, *_ in spread.shown.rows)
    return {
        "scorers": {scorer: number for number, scorer in enumerate(scorers)},
        "models": {model: number for number, model in enumerate(models)},
        "has_causes": any(row.causes for row in report.worst),
        "unlisted": [model for model in known if model not in models],
        "outcomes": sorted({row.state for row in report.worst}),
    }


def _sections(report: Report) -> list[tuple[str, str]]:
    """The sections that this page has, by their addresses."""
    sections = [("verdict", "Overview")]
    sections += [("leaderboard", "Leaderboard")] if report.boards else []
    sections += [("matches", "Matches")] if report.matches else []
    sections += [("parts", "Groups")] if report.parts else []
    sections += [("changes", "Changes")] if report.changes else []
    sections += [("fields", "Fields")] if report.boards else []
    sections += [("scores", "Distributions")]
    sections += [("worst", "Records")] if report.worst else []
    return [*sections, ("about", "How to read")]


def _rendered_pages(template: Any, report: Report, room: int) -> dict[int, str]:
    """The pages by number, the worst first, as many as there is room for, in bytes."""
    pages: dict[int, str] = {}
    ordered: dict[int, Page] = {row.page.number: row.page for row in report.worst}
    for number, page in ordered.items():
        page.complete()
        made = template.render(page=page, compared=report.comparison is not None)
        room -= len(made.encode())
        if room < 0:
            break
        pages[number] = made
    return pages
