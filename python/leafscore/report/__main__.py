"""The program `leafscore-report`, which `leafscore report` starts."""

from __future__ import annotations

import argparse
import signal
import sys
import traceback

from ..convert.counts import printable
from .errors import ReportError
from .options import MAX_WORST, Options
from .writer import write_report

DESCRIPTION = """Writes one HTML file to look at: which model is best and what got worse, leaderboards, fields by model,
distributions, and the worst records with a page of each. It needs no network."""
EPILOG = """Exit status: 0 written, 1 written, but a gate failed, 2 not written, 3 a defect, 130 and 143 interrupted."""
GATES = ("fail-on", "max-drop", "max-pass-drop", "max-flips", "max-errors")
VALUES = ("margin", "alpha", "correction", "scorer")
FLAGS = ("common-only", "accept-differences")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leafscore report", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    add = made.add_argument
    add("inputs", nargs="+", metavar="SCORES", help="files of leafscore score in JSON Lines, or the JSON of one comparison")
    add("-o", "--output", required=True, help="the page, a new name or one to write over")
    add("--compare", metavar="BASE", help="tell what changed from these scores")
    add("--by", metavar="FIELD", help="the field that names the model or group (score --group-by FIELD)")
    add("--cluster", metavar="FIELD", help="the field whose values are clusters of records")
    add("--repeats", choices=("last", "first", "all", "error"), default="last", help="which lines of an id count (last)")
    add("--unverified", action="store_true", help="take files without a manifest, too; the page says so")
    add("--data", metavar="RECORDS", action="append", default=[], help="files of records, for whole texts (repeatable)")
    help_of_summary = "the summary of a run, for precision and recall by field (score --summary; repeatable)"
    add("--summary", metavar="SUMMARY", action="append", default=[], help=help_of_summary)
    add("--worst", type=_worst, default=50, metavar="N", help="how many records of each scorer have a page (50)")
    add("--title", help="the heading of the page")
    help_of_name = "show a file, or a value of --by, under this name (repeatable)"
    add("--name", metavar="KEY=NAME", action="append", default=[], help=help_of_name)
    with_compare = made.add_argument_group("with --compare, as leafscore compare has them")
    for name in (*GATES, *VALUES):
        with_compare.add_argument(f"--{name}", action="append", default=[], metavar="X")
    for name in FLAGS:
        with_compare.add_argument(f"--{name}", action="store_true")
    return made


def _worst(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > MAX_WORST:
        raise argparse.ArgumentTypeError(f"it is a number from 0 to {MAX_WORST:,}")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Runs the program. RETURNS: the exit status."""
    chosen = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return 0 if write_report(chosen.inputs, chosen.output, _options(chosen)) else 1
    except ReportError as error:
        _say(str(error))
    except OSError as error:
        _say(f"{error.filename or chosen.output}: {error.strerror or error}")
    except MemoryError:
        _say("memory is exhausted")
    except KeyboardInterrupt:
        return 130
    except Exception:  # a defect, which must not look like a failed gate
        traceback.print_exc()
        return 3
    return 2


def _options(chosen: argparse.Namespace) -> Options:
    passed_on: list[str] = []
    for name in (*GATES, *VALUES):
        for value in getattr(chosen, name.replace("-", "_")):
            passed_on.append(f"--{name}={value}")
    passed_on += [f"--{name}" for name in FLAGS if getattr(chosen, name.replace("-", "_"))]
    names = ("by", "cluster", "repeats", "unverified", "compare", "worst", "title")
    given = {name: getattr(chosen, name) for name in names}
    given |= {"data": tuple(chosen.data), "summaries": tuple(chosen.summary), "names": tuple(chosen.name)}
    return Options(**given, comparison_options=tuple(passed_on))


def _say(sentence: str) -> None:
    try:
        print(f"leafscore-report: {printable(sentence)}", file=sys.stderr, flush=True)
    except (OSError, ValueError, AttributeError):
        pass  # text that standard error does not accept is lost, and nothing else


if __name__ == "__main__":
    sys.exit(main())
