"""What mkdocs does not do by itself: pages from outside of docs, API pages, llms.txt, and Markdown beside each page."""

from __future__ import annotations

import ast
import os
import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
# Files of the repository that are pages, by their place in the site.
PAGES = {
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "HACKING.md": "HACKING.md",
    "SECURITY.md": "SECURITY.md",
    "bench/RESULTS.md": "bench/RESULTS.md",
}
SOURCES = "source"  # where files that pages link to are, which are no pages
DOXYGEN = ROOT / "build" / "docs" / "html"
FENCE = re.compile(r"^ *(```|~~~)")
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
FIRST_TEXT = re.compile(r"(?<=\n\n)(?![#!|><\-\d:\s])(.+(?:\n\S.*)*)")
SENTENCE = re.compile(r"(.+?[.:?!](?=\s|$)|.+)", re.S)

PYTHON = {
    "Scoring": ["score", "score_stream", "score_pair", "ascore", "score_files"],
    "Results": ["Scores", "ScoreStream", "Summary", "Score"],
    "Scorers and options": [
        "Plan",
        "Scorer",
        "ScoreOptions",
        "PairOptions",
        "Judges",
        "import_config",
        "ImportedConfig",
    ],
    "Comparing": ["compare", "Comparison", "leaderboard", "Leaderboard", "write_lines"],
    "Tests and agent runs": ["lint", "LintReport", "evaluate", "Evaluation"],
    "Distances": ["levenshtein", "jaro_winkler", "Column"],
    "Errors": ["Error"],
}
INTEGRATIONS = {
    "pydantic_evals": ["LeafscoreEvaluator"],
    "mlflow": ["leafscore_scorer"],
    "deepeval": ["LeafscoreMetric"],
    "langsmith": ["create_leafscore_evaluator"],
    "strands_evals": ["LeafscoreEvaluator"],
    "rewards": ["Reward", "earned_by"],
    "verifiers": ["leafscore_reward"],
    "duckdb": ["create_function"],
    "inspect_ai": ["leafscore_scorer"],
}
_markdown: dict[str, str] = {}  # of each page, by its place


def on_files(files: Files, config: Any) -> Files:
    def add(place: str, **what: Any) -> None:
        files.append(File.generated(config, place, **what))

    for place, name in PAGES.items():
        add(place, content=(ROOT / name).read_text(encoding="utf-8"))
    add("api/python.md", content=_python_page())
    add("api/cpp.md", content=_cpp_page())
    names = [*PAGES.values(), *(f"docs/{file.src_uri}" for file in files.documentation_pages())]
    targets = [target for name in names if (ROOT / name).exists() for target in _targets(name)]
    targets += [f"include/leafscore/{path.name}" for path in (ROOT / "include" / "leafscore").glob("*.h")]
    for target in dict.fromkeys(targets):
        path = ROOT / target
        inside = sorted(path.iterdir()) if path.is_dir() else []
        if path.is_dir() and not (path / "README.md").exists():
            links = "".join(f"- [{each.name}]({each.name})\n" for each in inside)
            add(_place(f"{target}/README.md"), content=f"# {target}\n\n{links}")
        for each in inside or [path]:
            place = _place(str(each.relative_to(ROOT)))
            if each.is_file() and files.get_file_from_path(place) is None:
                add(place, abs_src_path=str(each))
    return files


def _targets(name: str) -> list[str]:
    """The files and folders of the repository that a page links to."""
    lines = _prose((ROOT / name).read_text(encoding="utf-8"))
    return [_target(name, match[1]) for line in lines for match in LINK.finditer(line)]


def _target(name: str, link: str) -> str:
    """The path in the repository that a link in a file leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), link))


def _place(target: str) -> str:
    """Where a file of the repository is in the site."""
    for place, name in PAGES.items():
        if name == target:
            return place
    return target.removeprefix("docs/") if target.startswith("docs/") else f"{SOURCES}/{target}"


def _prose(text: str) -> list[str]:
    """The lines outside of blocks of code."""
    lines, inside = [], False
    for line in text.split("\n"):
        fence = bool(FENCE.match(line))
        lines.append("" if inside or fence else line)
        inside ^= fence
    return lines


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    place = page.file.src_uri
    if place.startswith("api/") or page.file.abs_src_path is None and place not in PAGES:  # made here
        return markdown
    name = PAGES.get(place, f"docs/{place}")

    def relink(match: re.Match[str]) -> str:
        target = _target(name, match[1])
        if (ROOT / target).is_dir():
            target = posixpath.join(target, "README.md")
        relative = posixpath.relpath(_place(target), posixpath.dirname(place) or ".")
        return relative + (match[2] or "")

    lines, inside = [], False
    for line in markdown.split("\n"):
        inside ^= bool(FENCE.match(line))
        lines.append(line if inside else LINK.sub(relink, line))
    _markdown[place] = "\n".join(lines)
    return _markdown[place]


def _python_page() -> str:
    """The reference of the package, with all names that it exports and no others."""
    module = ast.parse((ROOT / "python" / "leafscore" / "__init__.py").read_text(encoding="utf-8"))
    [names] = [
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    ]
    shown = [name for section in PYTHON.values() for name in section]
    if sorted(shown) != sorted(set(names) - {"__version__"}):
        raise PluginError(f"docs/site/hooks.py, PYTHON: not what leafscore exports: {set(shown) ^ set(names)}")
    parts = ["# Python\n\n`import leafscore as ls`. [The guide](../python.md) has examples of each.\n"]
    for title, section in PYTHON.items():
        parts += [f"## {title}\n", *(f"::: leafscore.{name}\n" for name in section)]
    parts.append("## Integrations\n\n[What they do](../integrations.md), tool by tool.\n")
    for name, section in INTEGRATIONS.items():
        parts += [f"::: leafscore.integrations.{name}.{each}\n" for each in section]
    return "\n".join(parts)


def _cpp_page() -> str:
    """The headers and what each is for; their reference is made by Doxygen."""
    rows = []
    for path in sorted((ROOT / "include" / "leafscore").glob("*.h")):
        comment = re.match(r"(?:// ?.*\n)+", path.read_text(encoding="utf-8"))
        text = re.sub(r"\n// ?", " ", comment[0]).removeprefix(f"// leafscore/{path.name}: ") if comment else ""
        sentence = SENTENCE.match(text.replace("|", "\\|"))
        link = f"[`{path.name}`](../{SOURCES}/include/leafscore/{path.name})"
        rows.append(f"| {link} | {sentence[1] if sentence else ''} |")
    reference = (
        '<a href="cpp/index.html">All types and functions</a>, made from the headers.'
        if DOXYGEN.exists()
        else "`make docs` makes pages of all types and functions from the headers."
    )
    return "\n".join(
        [
            "# C++\n",
            "`#include <leafscore/leafscore.h>` brings the whole public interface, and "
            f"[that header](../{SOURCES}/include/leafscore/leafscore.h) is the manual: its examples are compiled "
            f"and run by tests. {reference}\n",
            "| header | |",
            "|---|---|",
            *rows,
        ]
    )


def on_post_build(config: Any) -> None:
    site = Path(config.site_dir)
    if DOXYGEN.exists():
        shutil.copytree(DOXYGEN, site / "api" / "cpp", dirs_exist_ok=True)
    for place, text in _markdown.items():
        target = site / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (site / "llms.txt").write_text(_llms(config), encoding="utf-8")


def _llms(config: Any) -> str:
    """The index that https://llmstxt.org describes: each page with its first sentence, as Markdown."""
    base = (config.site_url or "").rstrip("/")
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    lines += ["Pages are Markdown. Commands explain themselves: `leafscore NAME --help`, `leafscore scorers NAME`.", ""]
    for section in config.nav:
        [(title, entries)] = section.items()
        lines += [f"## {title}", ""]
        for place in _places(entries):
            if place in _markdown:
                text = _markdown[place]
                name = re.search(r"^# (.+)$", text, re.M)
                lines.append(f"- [{name[1] if name else place}]({base}/{place}){_about(text)}".replace("](/", "]("))
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _places(entries: Any) -> list[str]:
    if isinstance(entries, str):
        return [entries]
    children = entries.values() if isinstance(entries, dict) else entries
    return [place for each in children for place in _places(each)]


def _about(text: str) -> str:
    """The first sentence below the title, with links as their texts."""
    body = "\n".join(_prose(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)))
    found = FIRST_TEXT.search(body)
    sentence = SENTENCE.match(found[1]) if found else None
    if sentence is None:
        return ""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", sentence[1])
    return ": " + re.sub(r"\*\*|\s*\n\s*", lambda each: "" if each[0] == "**" else " ", plain).rstrip(":")
