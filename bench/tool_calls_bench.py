#!/usr/bin/env python3
"""Times the scorer tool_calls, file in and scores out, against evaluators of tool calls from PyPI.

Usage: bench/tool_calls_bench.py LEAFSCORE [--records N] [--rounds N] [--sample N]

A record has four expected calls of five arguments and the messages of a run that made most of them. The scores of both
are compared over a sample first, by the revision that follows that evaluator; then runs alternate, and the median of
the rounds is reported. Ours runs on one thread and reads a file; the others are called with values that Python has
read. An evaluator that is not installed is left out and named.
"""

import argparse
import asyncio
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

TOOLS = ["search_documents", "get_weather", "book_room", "send_message", "list_files", "query_table"]
WORDS = ["oslo", "invoice", "quarter", "cooling tower", "summary", "north wing", "2026-11-27", "draft"]
KEYS = ["query", "limit", "filter", "sort", "page"]


def make_call(chance):
    arguments = {}
    for key in KEYS:
        kind = chance.randrange(3)
        arguments[key] = chance.choice(WORDS) if kind == 0 else chance.randrange(100) if kind == 1 else True
    return {"name": chance.choice(TOOLS), "arguments": arguments}


def make_record(chance, number):
    expected = [make_call(chance) for _ in range(4)]
    made = [json.loads(json.dumps(call)) for call in expected]
    change = chance.randrange(5)
    if change == 1:
        made[chance.randrange(4)]["arguments"]["page"] = "another"
    elif change == 2:
        del made[chance.randrange(4)]
    elif change == 3:
        made.append(make_call(chance))
    elif change == 4:
        made[0], made[3] = made[3], made[0]
    return {"id": number, "expected": messages_of(expected), "actual": messages_of(made)}


def messages_of(calls):
    """Gives a message of an assistant for each call, in the form of chat completions."""
    return [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": call["name"], "arguments": json.dumps(call["arguments"])}}],
        }
        for call in calls
    ]


def agentevals():
    from agentevals.trajectory.match import create_trajectory_match_evaluator

    evaluate = create_trajectory_match_evaluator(trajectory_match_mode="superset")

    def score(record):
        return float(evaluate(outputs=record["actual"], reference_outputs=record["expected"])["score"])

    return score, {"revision": "agentevals-2025-07", "mode": "superset"}


def ragas():
    from ragas.dataset_schema import MultiTurnSample
    from ragas.messages import AIMessage, ToolCall
    from ragas.metrics import ToolCallAccuracy

    metric = ToolCallAccuracy()

    def calls_of(messages):
        functions = [call["function"] for message in messages for call in message["tool_calls"]]
        return [ToolCall(name=each["name"], args=json.loads(each["arguments"])) for each in functions]

    def score(record):
        sample = MultiTurnSample(
            user_input=[AIMessage(content="", tool_calls=calls_of(record["actual"]))],
            reference_tool_calls=calls_of(record["expected"]),
        )
        return float(asyncio.run(metric.multi_turn_ascore(sample)))

    return score, {"revision": "ragas-2026-01", "mode": "exact"}


PEERS = {"agentevals": agentevals, "ragas": ragas}


def timed(action):
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("leafscore")
    parser.add_argument("--records", type=int, default=200000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=1000, help="records that the other evaluators take")
    arguments = parser.parse_args()

    chance = random.Random(20261127)
    records = [make_record(chance, number) for number in range(1, arguments.records + 1)]
    sample = records[: arguments.sample]
    with tempfile.TemporaryDirectory() as folder_name:
        folder = pathlib.Path(folder_name)
        whole, part = folder / "all.jsonl", folder / "sample.jsonl"
        for path, rows in ((whole, records), (part, sample)):
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        print(f"{arguments.records} records of {whole.stat().st_size / arguments.records:.0f} bytes")

        def ours(options, path):
            config = folder / "config.json"
            config.write_text(json.dumps({"evaluators": [{"type": "tool_calls", **options}]}))
            command = [arguments.leafscore, "score", path, "-q", "--details", "none", "--threads", "1", "-c", config]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            return output.splitlines()

        jobs = [("any_order", {}), ("in_order", {"mode": "in_order"}), ("each argument", {"argument_credit": "each"})]
        times = {name: [] for name, _ in jobs}
        for _ in range(arguments.rounds):
            for name, options in jobs:
                times[name].append(timed(lambda options=options: ours(options, whole))[0])
        for name, _ in jobs:
            print(f"tool_calls, {name}: {arguments.records / statistics.median(times[name]):,.0f} records/s")

        for name, make in PEERS.items():
            try:
                score, options = make()
            except ImportError as error:
                print(f"{name}: left out, {error}")
                continue
            wanted = [score(record) for record in sample]
            got = [json.loads(line)["score"] for line in ours(options, part)]
            different = [i for i, (a, b) in enumerate(zip(wanted, got, strict=True)) if abs(a - b) > 1e-9]
            if different:
                sys.exit(f"{name}: record {different[0] + 1} scores {wanted[different[0]]} there and "
                         f"{got[different[0]]} here")
            fast, slow = [], []
            for _ in range(arguments.rounds):
                fast.append(timed(lambda options=options: ours(options, whole))[0])
                slow.append(timed(lambda score=score: [score(record) for record in sample])[0])
            rate, peer = arguments.records / statistics.median(fast), len(sample) / statistics.median(slow)
            print(f"{name}: {peer:,.0f} records/s; as its revision here: {rate:,.0f} records/s, {rate / peer:,.0f} times")


main()
