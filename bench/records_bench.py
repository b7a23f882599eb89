#!/usr/bin/env python3
"""Times the scorer `records` beside ExtractBench's published rules in plain Python (bench/extract_bench_rules.py) and
the packages that score extracted JSON: omni-extract-bench, stickler-eval and anls-star, where they are installed.

Usage: bench/records_bench.py LEAFSCORE [--documents N] [--rounds N] [--sample N] [--rows N]

Invoices of about 3.3 KB a pair, with 1 to 20 lines in another order and 5% of the values wrong. Each is scored by one
core. The figures are compared first: matched, expected and actual values with those of omni-extract-bench, and those
of a count by key, as each line has a number of its own; the scores of the revisions anls-star-1.0, omni-0.1 and
extractbench-2026-09 with those of their packages and rules. Runs alternate, the median of the rounds is reported;
packages score the first documents only. With --rows, two records of that many rows follow: 5% of the rows wrong and
shuffled; every row wrong in one value and one row dropped.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

WORDS = "amber basin cedar delta ember flint grove heron indigo jasper kestrel lagoon meadow nickel onyx prairie".split()
TEXT = {"type": ["string", "null"]}
LINE = {"type": "object", "properties": {name: TEXT for name in ("number", "sku", "description", "unit", "quantity")}}
HEAD = ("invoice", "vendor", "street", "city", "note")
SCHEMA = {
    "type": "object",
    "properties": {**{name: TEXT for name in HEAD}, "lines": {"type": "array", "items": LINE}},
}


def words(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count))


def wrong(source, row):
    """The row with another value at one place."""
    name = source.choice([key for key in row if key != "number"])
    return {**row, name: "wrong " + words(source, 1)}


def document(number):
    source = random.Random(number)
    lines = [
        {
            "number": f"L{number}x{i}",
            "sku": "sku " + words(source, 2),
            "description": words(source, 5),
            "unit": source.choice(["piece", "box", "metre"]),
            "quantity": source.choice(WORDS),
        }
        for i in range(source.randint(1, 20))
    ]
    expected = {
        "invoice": f"I{number}",
        "vendor": words(source, 3),
        "street": words(source, 4),
        "city": words(source, 1),
        "note": words(source, 30),
        "lines": lines,
    }
    given = [wrong(source, line) if source.random() < 0.2 else line for line in lines]
    source.shuffle(given)
    actual = {**expected, "lines": given}
    if source.random() < 0.2:
        actual["city"] = "wrong " + actual["city"]
    return {"id": number, "expected": expected, "actual": actual}


def counted_by_key(record):
    """matched, expected and actual values of a document whose lines are told apart by their numbers."""
    expected, actual = record["expected"], record["actual"]
    given = {line["number"]: line for line in actual["lines"]}
    matched = sum(expected[name] == actual[name] for name in HEAD)
    for line in expected["lines"]:
        matched += sum(line[name] == given[line["number"]][name] for name in line)
    return matched, len(HEAD) + 5 * len(expected["lines"]), len(HEAD) + 5 * len(actual["lines"])


def omni():
    from omni_extract_bench import score

    def figures(record):
        result = score(record["actual"], record["expected"], SCHEMA)
        return round(result["f1"], 9)

    return figures, lambda details: round(details["f1"], 9)


def stickler():
    from stickler import StructuredModel

    def plain(schema):
        """The schema with texts that must be equal."""
        if schema == TEXT:
            return {"type": "string", "x-aws-stickler-comparator": "ExactComparator"}
        if schema["type"] == "array":
            return {"type": "array", "items": plain(schema["items"])}
        return {"type": "object", "properties": {name: plain(part) for name, part in schema["properties"].items()}}

    model = StructuredModel.from_json_schema(plain(SCHEMA))

    def figures(record):
        one, other = model.from_json(record["expected"]), model.from_json(record["actual"])
        return one.compare_with(other, include_confusion_matrix=True)["overall_score"]

    return figures, None  # it counts rows, and by other rules


def anls_star():
    from anls_star import anls_score

    def figures(record):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return round(anls_score(record["expected"], record["actual"]), 9)

    return figures, None


def extractbench():
    from extract_bench_rules import Rules

    rules = Rules(SCHEMA)
    return lambda record: round(rules.score(record["expected"], record["actual"])["f1"], 9), None


def run(leafscore, path, *scorer):
    """Scores of a file, with the seconds of its process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [leafscore, "score", path, "-q", "--threads", "1", *(scorer or ("-s", "records"))]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [json.loads(line) for line in output.splitlines()], seconds


def configuration(folder, revision, **options):
    path = folder / f"{revision}.json"
    evaluator = {"type": "records", "revision": revision, **options}
    path.write_text(json.dumps({"evaluators": [evaluator]}), encoding="utf-8")
    return path


def time_documents(leafscore, folder, arguments):
    records = [document(number) for number in range(arguments.documents)]
    path = folder / "documents.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    print(f"{len(records)} documents, {path.stat().st_size / len(records):.0f} bytes a pair")
    scores, _ = run(leafscore, path)
    for record, score in zip(records, scores):
        found = tuple(score["details"][name] for name in ("matched", "expected_cells", "actual_cells"))
        assert found == counted_by_key(record), (record["id"], found)
        assert score["details"]["pairing"] == "exact", record["id"]
    print("matched, expected and actual values: as counted by key in each")

    peers = {}
    for make in (extractbench, omni, stickler, anls_star):
        try:
            peers[make.__name__] = make()
        except ImportError:
            print(f"{make.__name__}: left out, it or what it needs is not installed")
    sample = records[: arguments.sample]
    revisions = {
        "anls_star": ("-c", configuration(folder, "anls-star-1.0")),
        "omni": ("-c", configuration(folder, "omni-0.1", schema=SCHEMA)),
        "extractbench": ("-c", configuration(folder, "extractbench-2026-09", schema=SCHEMA)),
    }
    for name, (figures, ours) in peers.items():
        answers = [figures(record) for record in sample[:20]]
        if ours is not None:
            assert answers == [ours(score["details"]) for score in scores[:20]], name
        if name in revisions:
            by_revision, _ = run(leafscore, path, *revisions[name])
            assert answers == [round(score["score"], 9) for score in by_revision[:20]], name
    rates = collections.defaultdict(list)
    nothing = folder / "one.jsonl"
    nothing.write_text(json.dumps(records[0]) + "\n", encoding="utf-8")
    for _ in range(arguments.rounds):
        start = run(leafscore, nothing)[1]  # that of the process
        rates["leafscore"].append(len(records) / (run(leafscore, path)[1] - start))
        for name, scorer in revisions.items():
            rates[f"leafscore by the rules of {name}"].append(len(records) / (run(leafscore, path, *scorer)[1] - start))
        for name, (figures, _ours) in peers.items():
            few = sample if name in ("extractbench", "omni") else sample[: max(1, len(sample) // 10)]
            begin = time.process_time()
            for record in few:
                figures(record)
            rates[name].append(len(few) / (time.process_time() - begin))
    ours = statistics.median(rates["leafscore"])
    for name, of_name in rates.items():
        rate = statistics.median(of_name)
        print(f"{name}: {rate:,.0f} pairs/s of one core, leafscore is {ours / rate:,.1f} times as fast")


def many_rows(count, kind):
    source = random.Random(count)
    rows = [
        {
            "employee": f"E{i:06d}",
            "date": f"2026-{1 + source.randrange(12):02d}-{1 + source.randrange(28):02d}",
            "hours": source.randrange(1, 80) / 4,
            "code": source.choice(["REG", "OT", "HOL", "SICK"]),
            "site": f"S{source.randrange(400)}",
        }
        for i in range(count)
    ]

    def changed(row):
        name = source.choice(list(row))
        return {**row, name: row[name] + ("x" if isinstance(row[name], str) else 100)}

    if kind == "shuffled":
        given = [changed(row) if source.random() < 0.05 else row for row in rows]
        source.shuffle(given)
    else:
        given = [changed(row) for row in rows]
        del given[count // 2]
    return {"id": kind, "expected": {"rows": rows}, "actual": {"rows": given}}


def time_rows(leafscore, folder, arguments):
    for kind in ("shuffled", "all wrong"):
        seconds = {}
        for count in (arguments.rows // 10, arguments.rows):
            path = folder / "rows.jsonl"
            path.write_text(json.dumps(many_rows(count, kind)) + "\n", encoding="utf-8")
            runs = [run(leafscore, path) for _ in range(arguments.rounds)]
            details = runs[0][0][0]["details"]
            least = count * 5 - count // 15 if kind == "shuffled" else 4 * (count - 1)
            assert details["matched"] >= least, details
            seconds[count] = statistics.median(taken for _, taken in runs)
            print(
                f"{count:,} rows a side, {kind}: {seconds[count]:.2f} s, "
                f"{details['matched']:.0f} values matched, pairing {details['pairing']}"
            )
        small, large = seconds.values()
        print(f"ten times the rows: {large / small:.1f} times the time")
    print(f"peak of the memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("leafscore")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--rows", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        time_documents(arguments.leafscore, pathlib.Path(folder), arguments)
        if arguments.rows:
            time_rows(arguments.leafscore, pathlib.Path(folder), arguments)


if __name__ == "__main__":
    sys.exit(main())
