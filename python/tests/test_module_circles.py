"""No module of the package needs itself, over however many others, not even for its types."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import leafscore

PACKAGE = Path(leafscore.__file__).parent


def imported_modules(path: Path, modules: dict[str, Path]) -> set[str]:
    """Returns the modules of the package that a module imports anywhere in it."""
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            members = {f"{source}.{alias.name}" for alias in node.names}
            found.update(member if member in modules else source for member in members)
    return found & (modules.keys() - {package})  # which `from . import _core` names


def module_name(path: Path) -> str:
    parts = ("leafscore", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def find_circle(imports: dict[str, set[str]]) -> list[str]:
    """Returns the modules of a circle, its first one at the end again; nothing if there is no circle."""
    done: set[str] = set()

    def visit(module: str, trail: list[str]) -> list[str]:
        if module in trail:
            return [*trail[trail.index(module) :], module]
        if module in done:
            return []
        for other in sorted(imports[module]):
            if circle := visit(other, [*trail, module]):
                return circle
        done.add(module)
        return []

    for module in sorted(imports):
        if circle := visit(module, []):
            return circle
    return []


def test_a_circle_is_found() -> None:
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert find_circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_modules_import_each_other() -> None:
    # In a build folder, the folders of the package are links.
    paths = [Path(folder, file) for folder, _, files in os.walk(PACKAGE, followlinks=True) for file in files]
    modules = {module_name(path): path for path in paths if path.suffix == ".py"}
    assert len(modules) > 20
    imports = {name: imported_modules(path, modules) for name, path in modules.items()}
    assert imports["leafscore._plan"] >= {"leafscore._scores", "leafscore._errors"}
    assert find_circle(imports) == []
