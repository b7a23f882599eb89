"""The names that models and files are shown by: those that were given, else those of the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .errors import ReportError
from .lines import model_of_file


class Names:
    """Given as KEY=NAME, where KEY is a file of scores or, with a field that names models, a value of that field."""

    def __init__(self, given: Sequence[str] = (), files: Sequence[str] = (), by: str | None = None):
        """ERRORS: ReportError for what is no KEY=NAME, and for a key that is no file where files name the models."""
        self._files: dict[str, str] = {}
        self._models: dict[str, str] = {}
        for text in given:
            key, name = _parts(text, files)
            if not key or not name:
                raise ReportError(f"--name {text} is not KEY=NAME, as in --name runs/a.jsonl=Ours")
            if key in files:
                self._files[key] = name
            elif by is None:
                raise ReportError(f"--name {text}: no file of this report is called {key}; they are {', '.join(files)}")
            else:
                self._models[key] = name
        self._by = by
        if by is None:
            self._models = {model_of_file(file): name for file, name in self._files.items()}

    def model(self, name: str) -> str:
        """The name of what the command calls so."""
        return self._models.get(name, name)

    def model_of_file(self, file: str) -> str:
        return self._files.get(file) or self.model(model_of_file(file))

    def file(self, path: str) -> str:
        return self._files.get(path, path)

    def in_sentence(self, text: str) -> str:
        """A sentence of the command in which files have their names."""
        for file, name in self._files.items():
            text = text.replace(file, name)
        return text

    def rename_rows(self, rows: list[dict[str, Any]]) -> None:
        """Gives the models of leaderboards their names. ERRORS: ReportError for unknown models, and for a name of two."""
        known = {row["model"] for row in rows}
        if self._by is not None and (unknown := [model for model in self._models if model not in known]):
            raise ReportError(f"--name: no model is called {unknown[0]}; they are {', '.join(sorted(known))}")
        for row in rows:
            row["model"] = self.model(row["model"])
            row["tied_with"] = [self.model(other) for other in row["tied_with"]]
        models = [(row["scorer"], row["model"]) for row in rows]
        if len(set(models)) < len(models):
            twice = next(model for scorer, model in models if models.count((scorer, model)) > 1)
            raise ReportError(f"--name: two models would be called {twice}")

    def rename_groups(self, comparison: dict[str, Any]) -> None:
        """Gives the groups of a comparison their names, where models are its groups."""
        if self._by is None:
            return
        found = list(comparison["gates"])
        for file in comparison["files"]:
            for scorer in file["scorers"]:
                found += [*scorer["groups"], *scorer["worst"]]
        for row in found:
            if row["group"] is not None:
                row["group"] = self.model(row["group"])


def _parts(text: str, files: Sequence[str]) -> tuple[str, str]:
    """The two sides of the = behind the longest file that the text begins with, else of the first one."""
    for file in sorted(files, key=len, reverse=True):
        if text.startswith(f"{file}="):
            return file, text[len(file) + 1 :]
    key, _, name = text.partition("=")
    return key, name
