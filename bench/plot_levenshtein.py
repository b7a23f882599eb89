#!/usr/bin/env python3
"""Draws what levenshtein_bench prints as an SVG: ns a pair over the length of the strings, on two log axes.

    build/release/bench/levenshtein_bench ascii | bench/plot_levenshtein.py > docs/levenshtein.svg

Reads the lines of the workloads ascii-LENGTH from standard input. The colours follow the reader's scheme, light
or dark. Python's standard library is all it needs.
"""
import math
import sys

# Contestant, its label, its colour in light and in dark, whether it is ours. Slowest first, as drawn.
SERIES = [
    ("two-row", "two rows", "#8c959f", "#7d8590", False),
    ("edlib", "edlib", "#bf8700", "#d29922", False),
    ("rapidfuzz-cpp", "rapidfuzz-cpp", "#cf222e", "#ff7b72", False),
    ("portable", "leafscore, portable", "#54aeff", "#1f6feb", True),
    ("avx2", "leafscore, AVX2", "#0969da", "#58a6ff", True),
    ("avx512", "leafscore, AVX-512", "#0a3069", "#cae8ff", True),
]
WIDTH, HEIGHT = 860, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 660, 50, 420  # the edges of the plot
LABEL_GAP = 17  # between the labels of two lines


def read_times(lines):
    """Returns {contestant: {length: ns a pair}}."""
    times = {}
    for line in lines:
        fields = line.split()
        if len(fields) != 5 or not fields[0].startswith("ascii-"):
            continue
        times.setdefault(fields[1], {})[int(fields[0].removeprefix("ascii-"))] = float(fields[2])
    return times


def time_label(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:g} {unit}"
    return f"{nanoseconds:g} ns"


def spread(positions):
    """Returns the positions, rising, moved apart to LABEL_GAP and kept within the plot."""
    moved = []
    for position in positions:
        moved.append(max(position, moved[-1] + LABEL_GAP) if moved else position)
    limit = BOTTOM
    for i in range(len(moved) - 1, -1, -1):
        moved[i] = min(moved[i], limit)
        limit = moved[i] - LABEL_GAP
    return moved


def draw(times):
    series = [s for s in SERIES if s[0] in times]
    lengths = sorted({length for name, *_ in series for length in times[name]})
    values = [value for name, *_ in series for value in times[name].values()]
    first_decade = math.floor(math.log10(min(values)))
    last_decade = math.ceil(math.log10(max(values)))

    def x(length):
        return LEFT + (RIGHT - LEFT) * math.log(length / lengths[0]) / math.log(lengths[-1] / lengths[0])

    def y(value):
        return BOTTOM - (BOTTOM - TOP) * (math.log10(value) - first_decade) / (last_decade - first_decade)

    styles = ["text { font: 13px sans-serif; fill: #1f2328 }", ".title { font-weight: bold; font-size: 15px }",
              ".grid { stroke: #d1d9e0; stroke-width: 1 }", "path { fill: none; stroke-width: 1.5 }",
              "path.ours { stroke-width: 2.5 }", "path.leader { stroke-width: 1 }"]
    dark_styles = ["text { fill: #e6edf3 }", ".grid { stroke: #3d444d }"]
    shapes = [f'<text class="title" x="{LEFT}" y="24">Edit distance of two strings: time a pair, lower is better'
              "</text>"]
    for decade in range(first_decade, last_decade + 1):
        at = y(10.0**decade)
        shapes.append(f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        shapes.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{time_label(10.0**decade)}</text>')
    for length in lengths:
        at = x(length)
        shapes.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{BOTTOM}"/>')
        shapes.append(f'<text x="{at:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{length:,}</text>')
    shapes.append(f'<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 45}" text-anchor="middle">characters of each string '
                  "(ASCII, about 15% edits)</text>")

    ends = sorted((y(times[s[0]][max(times[s[0]])]), s[0]) for s in series)
    label_at = dict(zip([name for _, name in ends], spread([end for end, _ in ends])))
    for name, label, light, dark, is_ours in series:
        points = sorted(times[name].items())
        for rules, colour in ((styles, light), (dark_styles, dark)):
            rules.append(f"path.{name} {{ stroke: {colour} }} circle.{name} {{ fill: {colour} }}")
        path = " ".join(f"{x(length):.1f},{y(value):.1f}" for length, value in points)
        shapes.append(f'<path class="{name}{" ours" if is_ours else ""}" d="M {path}"/>')
        for length, value in points:
            shapes.append(f'<circle class="{name}" cx="{x(length):.1f}" cy="{y(value):.1f}" r="3">'
                          f"<title>{label}, {length:,} characters: {value:,.1f} ns</title></circle>")
        end = y(points[-1][1])
        at = label_at[name]
        shapes.append(f'<path class="{name} leader" '
                      f'd="M {RIGHT + 6},{end:.1f} {RIGHT + 24},{at:.1f}"/>')
        shapes.append(f'<text x="{RIGHT + 30}" y="{at + 4:.1f}">{label}</text>')

    newline = "\n"
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">
<title>Time of an edit distance over the length of the strings</title>
<style>
{newline.join(styles)}
@media (prefers-color-scheme: dark) {{
{newline.join(dark_styles)}
}}
</style>
{newline.join(shapes)}
</svg>
"""


def main():
    times = read_times(sys.stdin)
    if not any(name in times and len(times[name]) > 1 for name, *_ in SERIES):
        sys.exit("no lines of levenshtein_bench for two ascii workloads on standard input: pipe its output here")
    sys.stdout.write(draw(times))


main()
