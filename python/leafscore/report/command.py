"""The command leafscore, whose figures the report shows: all statistics are its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from typing import Any, Sequence

from .errors import ReportError
from .options import Options


def leaderboard(files: Sequence[str], options: Options) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of `leafscore leaderboard`, and its warnings. ERRORS: ReportError with the command's sentence."""
    return _rows(["leaderboard", *_common(options), "--means", "--format", "json", "--", *files])


def matches(files: Sequence[str], options: Options) -> tuple[list[dict[str, Any]], list[str]]:
    """The same of files whose answers were compared with those of a base: models by matches. ERRORS: as above."""
    return _rows(["leaderboard", *_common(options), "--format", "json", "--", *files])


def comparison(base: str, files: Sequence[str], options: Options) -> tuple[dict[str, Any], list[str], bool]:
    """Returns the output of `leafscore compare`, its warnings, and whether all gates held. ERRORS: as above."""
    arguments = ["compare", *_common(options), *options.comparison_options]
    arguments += ["--worst", str(options.worst), "--format", "json", "--", base, *files]
    text, warnings, status = _run(arguments, may_fail=True)
    figures: dict[str, Any] = json.loads(text)
    return figures, warnings, status == 0


def _rows(arguments: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    text, warnings, _ = _run(arguments)
    rows: list[dict[str, Any]] = json.loads(text)
    return rows, warnings


def _common(options: Options) -> list[str]:
    arguments = ["--repeats", options.repeats]
    for name, value in (("--by", options.by), ("--cluster", options.cluster)):
        arguments += [] if value is None else [name, value]
    return [*arguments, "--unverified"] if options.unverified else arguments


def _program() -> str:
    """The command that came with this package, or the first on the PATH."""
    folders = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    found = shutil.which("leafscore", path=folders)
    if found is None:
        raise ReportError("the command leafscore is not on the PATH, and the report shows its figures")
    return found


def _run(arguments: list[str], may_fail: bool = False) -> tuple[str, list[str], int]:
    program = _program()
    process = subprocess.Popen(
        [program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        output, messages = process.communicate()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    said = [line.removeprefix("leafscore: ") for line in messages.decode("utf-8", "replace").splitlines()]
    if process.returncode != 0 and not (may_fail and process.returncode == 1 and output):
        reason = "; ".join(said) or f"leafscore {arguments[0]} ended with {process.returncode}"
        raise ReportError(reason)
    warnings = [line.removeprefix("warning: ") for line in said if line.startswith("warning: ")]
    return output.decode(), warnings, process.returncode
