"""The program `leafscore-bench`, which `leafscore bench` starts."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable

from .._errors import Error
from ..convert.counts import printable
from ..convert.errors import ConvertError
from ..convert.outputs import whole_path
from . import arguments, google_json, plot, table
from .contestants import contestants
from .measure import measure
from .records import read_data
from .results import Result


def main(given: list[str] | None = None) -> int:
    """Runs the program. RETURNS: the exit status."""
    chosen = arguments.parser().parse_args(given)
    while (file := os.open(os.devnull, os.O_RDWR)) < 3:
        pass  # a closed standard stream stays closed for us, but no pipe gets its number
    os.close(file)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    try:
        return _run(chosen)
    except (Error, ConvertError, ImportError) as error:
        _say(str(error))
    except BrokenPipeError:
        _say("the reader of standard output is gone")
    except OSError as error:
        _say(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except MemoryError:
        _say("memory is exhausted")
    except KeyboardInterrupt:
        return 130
    return 2


def _run(chosen: argparse.Namespace) -> int:
    if not chosen.chosen:
        raise Error("no scorer is named: leafscore bench DATA --scorer SCORER --against SCORER")
    if sys.stdout is None:
        raise Error("standard output is closed")
    if chosen.plot:
        plot.check(chosen.plot)
    who = contestants(chosen.chosen)
    data = read_data(chosen.data, arguments.fields(chosen), chosen.records, chosen.seed)
    tell = _progress(chosen.quiet)
    result = measure(who, data, arguments.options(chosen), tell)
    tell("")
    _write(result, chosen)
    return 0 if result.all_agree else 1


def _write(result: Result, chosen: argparse.Namespace) -> None:
    """The files first, as standard output may be gone. Python would flush a buffer of its own again at exit."""
    if chosen.json:
        with whole_path(chosen.json) as path:
            path.write_text(google_json.render(result), encoding="utf-8")
    if chosen.plot:
        with whole_path(chosen.plot) as path:
            path.write_bytes(plot.draw(result, chosen.plot))
    with open(os.dup(sys.stdout.fileno()), "wb") as file:
        file.write(table.render(result).encode("utf-8", "backslashreplace"))


def _progress(quiet: bool) -> Callable[[str], object]:
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return lambda text: None
    return lambda text: sys.stderr.write(f"\r\x1b[K{printable(text)[:100]}\r")


def _say(sentence: str) -> None:
    if sys.stderr is not None:
        print(f"leafscore-bench: {printable(sentence)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
