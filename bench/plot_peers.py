#!/usr/bin/env python3
"""Draws the table "By processor time" of RESULTS.md as an SVG: pairs a second of each package, on a log axis.

    bench/plot_peers.py bench/RESULTS.md > docs/peers.svg

The colours follow the reader's scheme, light or dark. Python's standard library is all it needs.
"""
import math
import re
import sys
from pathlib import Path

HEADING = "### By processor time"
UNITS = {"µs": 1e-6, "ms": 1e-3}
WIDTH, LEFT, RIGHT, TOP, ROW = 860, 220, 730, 46, 36
LOW, HIGH = 10, 1e6  # of the axis, pairs a second


def read_rows(markdown):
    """Returns (scorer, pairs a second) in the order of the table."""
    section = markdown.split(HEADING, 1)[1].split("\n#", 1)[0]
    found = re.findall(r"^\| (.+?) \| .*\| ([\d.]+) (µs|ms) \|", section, re.MULTILINE)
    return [(name.replace("`", ""), 1 / (float(time) * UNITS[unit])) for name, time, unit in found]


def place(rate):
    return LEFT + (RIGHT - LEFT) * math.log(rate / LOW) / math.log(HIGH / LOW)


def rounded(rate):
    """Two digits say what such a measurement knows."""
    digits = 1 - math.floor(math.log10(rate))
    return f"{round(rate, digits):,.0f}"


def draw(rows):
    bottom = TOP + ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 34}" role="img">',
        "<title>Pairs of JSON documents scored a second on one core, by package</title>",
        "<style>",
        "text { font: 14px sans-serif; fill: #1f2328 } .title { font-weight: bold; font-size: 15px }",
        ".grid { stroke: #d1d9e0 } .ours { fill: #12704f } .other { fill: #8c959f } .bold { font-weight: bold }",
        "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .grid { stroke: #30363d }",
        ".ours { fill: #63c9a2 } .other { fill: #6e7681 } }",
        "</style>",
        f'<text class="title" x="0" y="18">Pairs scored a second on one core (invoices of 2 KB, log scale)</text>',
    ]
    for power in range(round(math.log10(LOW)), round(math.log10(HIGH)) + 1):
        x = place(10**power)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 10}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{10**power:,}</text>')
    for number, (name, rate) in enumerate(rows):
        ours = name.startswith("leafscore")
        y = TOP + ROW * number
        bold = ' class="bold"' if ours else ""
        parts.append(f'<text{bold} x="{LEFT - 10}" y="{y + 16}" text-anchor="end">{name}</text>')
        kind = "ours" if ours else "other"
        parts.append(f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{place(rate) - LEFT:.1f}" height="{ROW - 14}" rx="3"/>')
        parts.append(f'<text{bold} x="{place(rate) + 8:.1f}" y="{y + 16}">{rounded(rate)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(draw(read_rows(Path(sys.argv[1]).read_text(encoding="utf-8"))))
