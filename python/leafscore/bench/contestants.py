"""The contestants, by their names on the command line."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from .. import _core
from .._errors import Error
from .._plan import Plan
from .adapters import ADAPTERS, PACKAGES

CONFIG = re.compile(r"(?P<path>.+\.(?:ya?ml|json))(?::(?P<name>.+))?", re.DOTALL)
FUNCTION = re.compile(r"(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<function>[^\W\d]\w*(?:\.[^\W\d]\w*)*)")
KINDS = "a scorer (leafscore scorers), FILE.yaml, FILE.yaml:NAME, MODULE:FUNCTION, or one of " + ", ".join(ADAPTERS)


@dataclass(frozen=True)
class Contestant:
    """One of those compared. `against` is the place in the list of the one it is compared with; None: with none."""

    name: str
    setup: dict[str, Any] = field(compare=False)  # what its process makes it of
    against: int | None = None
    package: str = "leafscore"

    @property
    def is_engine(self) -> bool:
        """Whether it is leafscore's own, with threads of its own."""
        return bool(self.setup["kind"] == "engine")

    @property
    def version(self) -> str:
        """The package and its version, as far as that is known."""
        if self.package == "leafscore":
            return f"leafscore {_core.version()}"
        try:
            return f"{self.package} {metadata.version(self.package)}"
        except metadata.PackageNotFoundError:
            return self.package


def contestants(chosen: Sequence[tuple[str, str]]) -> list[Contestant]:
    """Makes contestants of options in their order: ("scorer", WHAT) is what each ("against", WHAT) behind it is compared
    with. ERRORS: Error."""
    found: list[Contestant] = []
    reference: int | None = None
    for role, what in chosen:
        setup, package = _setup(what)
        if role == "scorer":
            reference = None
        elif reference is None:
            raise Error(f"--against {what}: what it is compared with, --scorer, comes before it")
        times = sum(each.name.partition("#")[0] == what for each in found)
        name = what if not times else f"{what}#{times + 1}"
        found.append(Contestant(name, setup, reference, package))
        if role == "scorer":
            reference = len(found) - 1
    return found


def _setup(what: str) -> tuple[dict[str, Any], str]:
    """Returns what the process makes a contestant of, and the package that it is of."""
    if what in ADAPTERS:
        return {"kind": "adapter", "name": what}, _installed(what)
    function = FUNCTION.fullmatch(what)
    config = CONFIG.fullmatch(what)
    if config and (not function or os.path.exists(config["path"])):
        return _engine(Plan.from_config(config["path"]), config["path"], config["name"], what), "leafscore"
    if what.partition(":")[0] in PACKAGES:
        raise Error(f"{what} is no adapter; there are {', '.join(ADAPTERS)}")
    if function:
        return {"kind": "function", **function.groupdict()}, function["module"].partition(".")[0]
    if ":" in what or not what:
        raise Error(f"{what!r} is not {KINDS}")
    return _engine(Plan(what), "config", None, what), "leafscore"


def _engine(plan: Plan, path: str, name: str | None, what: str) -> dict[str, Any]:
    if importlib.util.find_spec("pyarrow") is None:
        raise Error(
            "leafscore's scorers are timed with pyarrow, which is not installed: pip install pyarrow"
        )
    each = json.loads(plan.config())["evaluators"]
    names = plan.scorer_names
    if name is None and len(names) > 1:
        raise Error(f"{what} has several scorers; name one, as {what}:{names[0]} ({', '.join(names)})")
    if name is not None and name not in names:
        raise Error(f"{path} has no scorer {name!r}, but {', '.join(names)}")
    one = each[names.index(name) if name is not None else 0]
    return {"kind": "engine", "config": json.dumps({"evaluators": [one]}), "path": os.path.abspath(path)}


def _installed(adapter: str) -> str:
    package = adapter.partition(":")[0]
    if importlib.util.find_spec(package) is None:
        raise Error(f"{adapter} needs the package {package}, which is not installed: pip install {package}")
    return package
