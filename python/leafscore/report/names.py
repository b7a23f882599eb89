"""The names that models and files are shown by: those that were given, else those of the command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import ReportError
from .lines import model_of_file


@dataclass(frozen=True)
class Noun:
    """The kind of a table's rows."""

    one: str
    many: str
    is_part: bool = False  # of one test, and no model to rank

    @property
    def heading(self) -> str:
        """That of their column. A name of a field that is no plain word stays as it is."""
        return self.one.capitalize() if self.one.isalpha() and self.one.islower() else self.one


MODELS, RUNS = Noun("model", "models"), Noun("run", "runs")
MODEL_FIELDS = ("model", "source")  # whose values are models even where they share no record

Rows = list[dict[str, Any]]  # of leaderboards, as the command makes them


def are_parts(rows: Rows) -> bool:
    """Whether no two models share a record."""
    return len({row["model"] for row in rows}) > 1 and all(row["own"] == row["asked"] for row in rows)


class Names:
    """Given as KEY=NAME, where KEY is a file of scores or, with a field that names models, a value of that field."""

    def __init__(
        self, given: Sequence[str] = (), files: Sequence[str] = (), by: str | None = None, compared: bool = False
    ):
        """ERRORS: ReportError for what is no KEY=NAME, and for a key that is no file where files name the models."""
        self.of_files = RUNS if compared else MODELS
        self.noun = self.of_files if by is None else MODELS if by in MODEL_FIELDS else Noun(by, "groups", is_part=True)
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

    def rename_rows(self, rows: Rows) -> None:
        """Gives the models of leaderboards their names, and learns what they are.

        ERRORS: ReportError for unknown models, and for a name of two.
        """
        known = {row["model"] for row in rows}
        if self._by is not None and (unknown := [model for model in self._models if model not in known]):
            raise ReportError(f"--name: {unknown[0]} is no value of {self._by}; it has {', '.join(sorted(known))}")
        _rename(rows, self._models)
        if self.noun.is_part and not are_parts(rows):
            self.noun = Noun(self.noun.one, "models")

    def rename_runs(self, rows: Rows) -> None:
        """Gives the models of leaderboards their names, where each is a file. ERRORS: ReportError for a name of two."""
        _rename(rows, {model_of_file(file): name for file, name in self._files.items()})

    def rename_matches(self, rows: Rows, answers: dict[str, str]) -> None:
        """Gives models by matches, which have the names of files of answers, those of their files of scores.

        Args: answers: by file of scores, the model that its answers are named after.
        """
        given = {answers[file]: name for file, name in self._files.items() if file in answers}
        for row in rows:
            row["model"] = given.get(row["model"], row["model"])

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


def _rename(rows: Rows, names: dict[str, str]) -> None:
    for row in rows:
        row["model"] = names.get(row["model"], row["model"])
        row["tied_with"] = [names.get(other, other) for other in row["tied_with"]]
    models = [(row["scorer"], row["model"]) for row in rows]
    if len(set(models)) < len(models):
        twice = next(model for scorer, model in models if models.count((scorer, model)) > 1)
        raise ReportError(f"--name: two models would be called {twice}")


def _parts(text: str, files: Sequence[str]) -> tuple[str, str]:
    """The two sides of the = behind the longest file that the text begins with, else of the first one."""
    for file in sorted(files, key=len, reverse=True):
        if text.startswith(f"{file}="):
            return file, text[len(file) + 1 :]
    key, _, name = text.partition("=")
    return key, name
