"""The program `leafscore-convert`, which `leafscore convert` starts."""

from __future__ import annotations

import argparse
import signal
import sys

from .conversion import FORMATS, TARGETS, convert
from . import every_eval_ever, otlp, sarif, scores
from .counts import Counts
from .errors import ConvertError
from .outputs import lines_to
from .samples import Options
from .score_writer import write_scores

DESCRIPTION = """Turns the files of evaluation frameworks into leafscore's records and back. What a format cannot hold is
counted and told on standard error; every sample becomes a record, also one without an answer."""
EPILOG = """Exit status: 0 converted, 1 converted, but some lines could not be read (each is a record with the error, or
an event that is missing), 2 not converted, 130 and 143 interrupted."""
RECURSION_LIMIT = 1_200  # for JSON of 1,024 levels, the depth that leafscore accepts


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        "leafscore convert", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False
    )
    add = made.add_argument
    add("inputs", nargs="*", metavar="INPUT", help="files, also .gz, or folders of them; - is standard input")
    add("-o", "--output", default="-", help="where to write; - is standard output (default)")
    add(
        "--from",
        dest="source",
        choices=FORMATS,
        help="format of the inputs, where it cannot be told from them",
    )
    add(
        "--to",
        dest="target",
        choices=TARGETS,
        default="records",
        help="format of the output (records); scores: for compare, leaderboard and report; otlp: lines of scores as "
        "events of OpenTelemetry; every-eval-ever: lines of scores as results; sarif: findings of lint and check",
    )
    add("--list", action="store_true", help="tell the formats, and end")
    add("--id-field", "--id", metavar="PATH", help="where in a sample its id is, as in doc.id")
    add("--expected-field", metavar="PATH", help="where in a sample the expected value is, as in doc.answer")
    add("--actual-field", metavar="PATH", help="where in a sample the answer is")
    add(
        "--keep",
        metavar="PATH",
        action="append",
        default=[],
        help="copy this of a sample into its record (repeatable)",
    )
    add("--all-responses", action="store_true", help="a record for each response of a sample")
    add("--same-ids", action="store_true", help="leave ids that repeat, for leaderboard --repeats all")
    add("--split", help="which split of a dataset to read")
    add(
        "--score",
        metavar="PATH",
        action="append",
        default=[],
        help="--to scores: where in a sample a score is; NAME=PATH names it (repeatable)",
    )
    add("--passed", metavar="PATH", help="--to scores: where in a sample it stands whether it passed")
    add(
        "--metric",
        metavar="NAME",
        action="append",
        default=[],
        help="--to scores: take this one of the metrics that a sample has (repeatable)",
    )
    add(
        "--score-range",
        metavar="LOW:HIGH",
        action="append",
        default=[],
        help="--to scores: what scores can be, from the worst to the best, as 1:5, or 5:1 where less is better; "
        "NAME=LOW:HIGH of one metric (repeatable)",
    )
    add(
        "--scores",
        metavar="FILE",
        help="write these lines of leafscore score into the one input, a log of inspect_ai; or, with --to "
        "every-eval-ever, beside the inputs as its samples",
    )
    add(
        "--about",
        metavar="FILE",
        help="--to every-eval-ever: a JSON object of what scores do not say, as benchmark, models and source_metadata",
    )
    add("--gold", metavar="FILE", help="--to sarif: the gold that lint read, in which its findings are located")
    add("--quiet", action="store_true", help="tell nothing but errors")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Runs the program. RETURNS: the exit status."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    chosen = parser().parse_args(arguments)
    counts = Counts()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return _run(chosen, counts)
    except ConvertError as error:
        counts.say(str(error))
    except BrokenPipeError:
        counts.say(f"the reader of {chosen.output} is gone")
    except OSError as error:
        counts.say(f"{error.filename or chosen.output}: {error.strerror or error}")
    except MemoryError:
        counts.say("memory is exhausted")
    except KeyboardInterrupt:
        return 130
    return 2


def _run(chosen: argparse.Namespace, counts: Counts) -> int:
    if chosen.list:
        with lines_to("-") as lines:
            for name, module in FORMATS.items():
                lines.write(f"{name:13} {module.ABOUT}\n{'':13} written as {module.OUTPUT}")
            for target in (scores, otlp, sarif):
                lines.write(f"{target.NAME:13} written only, as {target.OUTPUT}")
        return 0
    if not chosen.inputs:
        raise ConvertError("no input is named: leafscore convert INPUT... -o OUTPUT")
    of_scores = {
        "score": chosen.score,
        "passed": chosen.passed,
        "metric": chosen.metric,
        "score-range": chosen.score_range,
    }
    if any(of_scores.values()) and chosen.target != scores.NAME:
        given = next(name for name, value in of_scores.items() if value)
        raise ConvertError(f"--{given} is about scores: add --to scores")
    for option, target in (("about", every_eval_ever), ("gold", sarif)):
        if getattr(chosen, option) and chosen.target != target.NAME:
            raise ConvertError(f"--{option} belongs to --to {target.NAME}")
    if chosen.scores and chosen.target != every_eval_ever.NAME:
        if len(chosen.inputs) != 1:
            raise ConvertError("scores are written into one log at a time")
        write_scores(chosen.inputs[0], chosen.scores, chosen.output, counts)
    else:
        options = Options(
            id_field=chosen.id_field,
            expected_field=chosen.expected_field,
            actual_field=chosen.actual_field,
            keep=tuple(chosen.keep),
            all_responses=chosen.all_responses,
            same_ids=chosen.same_ids,
            split=chosen.split,
            score=tuple(chosen.score),
            passed=chosen.passed,
            metric=tuple(chosen.metric),
            score_range=tuple(chosen.score_range),
            about=chosen.about,
            scores=chosen.scores,
            gold=chosen.gold,
        )
        convert(
            chosen.inputs,
            chosen.output,
            source_format=chosen.source,
            target_format=chosen.target,
            options=options,
            counts=counts,
        )
    if not chosen.quiet:
        counts.tell(f"{', '.join(chosen.inputs[:3])} -> {chosen.output}")
    return 1 if counts["unreadable"] else 0


if __name__ == "__main__":
    sys.exit(main())
