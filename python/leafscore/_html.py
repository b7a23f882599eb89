"""Results as HTML, as notebooks show them: the one home of `_repr_html_`.

A view is a piece of a page that somebody else wrote: its styles hold inside it alone, it loads and runs nothing, and it
takes its colours from what is around it, light or dark. Every text is escaped, and what is long is cut, so that a view of
any results stays below 200 KB.
"""

from __future__ import annotations

import functools
import html
import re
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from ._digest import to_the_right, without_empty
from ._shown import cut, seen

ROWS_SHOWN = 30  # of a table, or items of a list
COLUMNS_SHOWN = 40
CELL_CHARACTERS = 200
TEXT_CHARACTERS = 20_000
SECTIONS_SHOWN = 12
PROSE_CHARACTERS = 40  # from which a cell is laid out as prose

# The colours of verdicts, by the names that the page of `leafscore report` gives them.
_COLOURS = {
    "regressed": "regressed",
    "unfit": "regressed",
    "inconclusive": "inconclusive",
    "doubtful": "inconclusive",
    "improved": "improved",
    "fine": "accent",
    "equivalent": "equivalent",
}


def view(*parts: str, verdict: str = "") -> str:
    """Returns a view of parts, which the functions below make. A verdict gives it a colour."""
    colour = _COLOURS.get(verdict)
    style = f' style="--verdict: {_palette()[colour]}"' if colour else ""
    return f'<div class="leafscore-view"{style}><style>{_static("notebook.css")}</style>{"".join(parts)}</div>'


def _palette() -> dict[str, str]:
    """Returns the colours of the page of `leafscore report`, for light and dark, by name."""
    return dict(re.findall(r"--([a-z]+): (light-dark\([^;]*\));", _static("base.css")))


@functools.lru_cache(maxsize=2)
def _static(file: str) -> str:
    return (Path(__file__).parent / "report" / "static" / file).read_text(encoding="utf-8")


def escaped(text: object, characters: int = CELL_CHARACTERS) -> str:
    """Returns a text that nothing in it can change the page of, cut and with what cannot be seen as escapes."""
    return html.escape(seen(cut(str(text), characters)))


def paragraph(text: object, css_class: str = "") -> str:
    return _element("p", escaped(text, TEXT_CHARACTERS), css_class)


def verdict_line(verdict: str, rest: str) -> str:
    """Returns what comes first: a word, and the sentence that it begins."""
    return _element("p", f"<strong>{escaped(verdict)}</strong>{escaped(rest, TEXT_CHARACTERS)}", "verdict")


def preformatted(text: str) -> str:
    return f'<div class="wide"><pre>{escaped(text, TEXT_CHARACTERS)}</pre></div>'


def table(rows: Sequence[Sequence[object]], figures: Iterable[int] = ()) -> str:
    """Returns a table.

    Args:
        rows: the first has the heads of the columns, and each row begins with its name.
        figures: the columns that go to the right.
    """
    right = set(figures)
    head, *body = [[*row][:COLUMNS_SHOWN] for row in rows[: ROWS_SHOWN + 1]]
    parts = [_row(head, right, "th"), "</thead><tbody>", *(_row(row, right, "td") for row in body)]
    made = f'<div class="wide"><table><thead>{"".join(parts)}</tbody></table></div>'
    left_out = [f"{len(rows) - 1 - len(body):,} more rows"] if len(rows) - 1 > len(body) else []
    if len(rows[0]) > len(head):
        left_out.append(f"{len(rows[0]) - len(head):,} more columns")
    return made + (paragraph("and " + ", ".join(left_out), "note") if left_out else "")


def figures_table(rows: Sequence[tuple[str, ...]]) -> str:
    """Returns a table of figures, as `_digest` makes them."""
    shown = without_empty(rows)
    return table(shown, to_the_right(shown))


def _row(cells: Sequence[object], right: set[int], kind: str) -> str:
    parts = []
    for column, cell in enumerate(cells):
        text = "" if cell is None else str(cell)
        css_class = "figure" if column in right else "prose" if len(text) > PROSE_CHARACTERS else ""
        parts.append(_element("th" if column == 0 else kind, escaped(text), css_class))
    return f"<tr>{''.join(parts)}</tr>"


def _element(tag: str, content: str, css_class: str = "") -> str:
    return f'<{tag} class="{css_class}">{content}</{tag}>' if css_class else f"<{tag}>{content}</{tag}>"


def facts(values: Mapping[str, Any]) -> str:
    """Returns a table of names and what they stand for, less what is unknown."""
    return table([("", ""), *((name, _fact(value)) for name, value in values.items() if value is not None)])


def _fact(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_fact(of_name)}" for name, of_name in value.items())
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" if type(value) is int else str(value)


# In the engine's Markdown: a backslash before a character, a <span> around one, an entity.
_MARKUP = re.compile(r"\\(.)|</?span>|&#32;", re.DOTALL)


def _plain(markdown: str) -> str:
    return _MARKUP.sub(lambda found: found[1] or (" " if found[0] == "&#32;" else ""), markdown)


def of_markdown(markdown: str) -> str:
    """Returns the parts of a view for the Markdown that the engine writes: headings, tables, lists and paragraphs."""
    parts: list[str] = []
    blocks = [block for block in markdown.strip("\n").split("\n\n") if block]
    for block in blocks[: 2 * SECTIONS_SHOWN]:
        for kind, lines in _runs(block.split("\n")):
            parts.append(_PARTS[kind](lines))
    if len(blocks) > 2 * SECTIONS_SHOWN:
        parts.append(paragraph("and more, which print() shows", "note"))
    return "".join(parts)


def _runs(lines: Sequence[str]) -> Iterable[tuple[str, list[str]]]:
    """Yields runs of lines of one kind."""
    run: list[str] = []
    kind = ""
    for line in lines:
        begin = line.lstrip()
        of_line = "|" if begin[:1] == "|" else "-" if begin[:2] == "- " else "#" if begin[:1] == "#" else ""
        if run and of_line != kind:
            yield kind, run
            run = []
        kind = of_line
        run.append(line)
    if run:
        yield kind, run


def _heading(lines: list[str]) -> str:
    parts = []
    for line in lines:
        text = _plain(line.lstrip("# "))
        word, mark, rest = text.partition(":")
        is_verdict = line.startswith("## ") and word in _COLOURS
        heading = _element("h4", escaped(text, TEXT_CHARACTERS))
        parts.append(verdict_line(word, mark + rest) if is_verdict else heading)
    return "".join(parts)


def _list(lines: list[str]) -> str:
    items = [_element("li", escaped(_plain(line.lstrip()[2:]), TEXT_CHARACTERS)) for line in lines[:ROWS_SHOWN]]
    more = paragraph(f"and {len(lines) - ROWS_SHOWN:,} more", "note") if len(lines) > ROWS_SHOWN else ""
    return f"<ul>{''.join(items)}</ul>{more}"


def _paragraphs(lines: list[str]) -> str:
    text = _plain(" ".join(lines).replace("**", ""))
    word, mark, rest = text.partition(":")
    return verdict_line(word, mark + rest) if word in _COLOURS else paragraph(text, "note")


_BAR = re.compile(r"(?<!\\)\|")  # between cells, as one in a text has a backslash before it


def _cells(line: str) -> list[str]:
    ends = [found.end() for found in _BAR.finditer(line)]
    return [_plain(line[begin : end - 1].strip().replace("**", "")) for begin, end in zip(ends, ends[1:])]


def _table_of_lines(lines: list[str]) -> str:
    right = [column for column, rule in enumerate(lines[1].strip("|").split("|")) if rule.endswith(":")]
    rows: list[Sequence[object]] = [_cells(lines[0])]
    rows += [_cells(line) for line in lines[2 : ROWS_SHOWN + 2]]
    rows += [()] * max(0, len(lines) - 2 - ROWS_SHOWN)  # which are counted alone
    return table(rows, right)


_PARTS = {"#": _heading, "|": _table_of_lines, "-": _list, "": _paragraphs}
