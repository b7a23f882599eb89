#!/usr/bin/env python3
"""Plants answers that belong to other records in runs of `leafscore score`, and checks which are found.

    answers_of_others.py LEAFSCORE

The values are those of tests/data/make_causes.py. A model "swapped" gives 100 of its 500 answers to other
records, "copied" gives 100 records the answers of 10 others, "clean" is simply wrong, and "labels" is wrong
about objects of few different values. At least 99% of the planted answers must be found whose records earned
less than half, and at most 1% of the other answers blamed; and always the same ones, whatever the threads,
batches, shards and gold.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data"))
import make_causes  # noqa: E402

COMMAND = sys.argv[1]
EACH, PLANTED = 500, 100
rng = random.Random(20261128)


def labels():
    return {"category": rng.choice(["complaint", "question", "praise"]), "language": rng.choice(["english", "french"]),
            "priority": rng.choice(["high", "low", "normal"]), "department": rng.choice(["sales", "support"])}


def wrong_labels(value):
    while True:
        answer = labels()
        if sum(answer[key] == value[key] for key in value) < 2:
            return answer


def records():
    """RETURNS: dicts with id, model, expected and actual, in an order that mixes the models."""
    gold = {}
    answers = {}
    for model in ("swapped", "copied"):
        gold[model] = [make_causes.structure() for _ in range(EACH)]
        answers[model] = list(gold[model])
    for first in range(0, PLANTED, 4):  # in fours, so that no two records swap with each other
        answers["swapped"][first:first + 4] = answers["swapped"][first + 1:first + 4] + [answers["swapped"][first]]
    for at in range(PLANTED):
        answers["copied"][at] = gold["copied"][PLANTED + at % 10]
    gold["clean"], answers["clean"] = zip(*[make_causes.clean_wrong(at) for at in range(EACH)])
    gold["labels"] = [labels() for _ in range(EACH)]
    answers["labels"] = [wrong_labels(value) for value in gold["labels"]]
    made = [{"id": f"{model}-{at}", "model": model, "expected": gold[model][at], "actual": answers[model][at]}
            for model in gold for at in range(EACH)]
    rng.shuffle(made)
    return made


def write(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def run(*arguments):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: {done.stderr}"


def causes(summary):
    """RETURNS: for each model and cause of json_similarity: the records, the mean without them, an example."""
    groups = json.loads(Path(summary).read_text(encoding="utf-8"))["scorers"][0]["groups"]
    return {group["value"]: {cause["cause"]: cause for cause in group.get("causes", [])} for group in groups}


def labels_of(number):
    return {f"f{place}": f"label {number // 5**place % 5}" for place in range(5)}


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        made = records()
        whole = write(folder / "records.jsonl", made)
        gold = write(folder / "gold.jsonl", [{"id": r["id"], "expected": r["expected"]} for r in made])
        base = ["-s", "json_similarity", "--source-field", "model", "-q"]
        told = []
        for name, options in {"one": ["--threads", "1"], "four": ["--threads", "4", "--batch-bytes", "4096"]}.items():
            summary = folder / f"{name}.json"
            run("score", whole, *base, *options, "-o", str(folder / f"{name}.jsonl"), "--summary", str(summary))
            told.append(causes(summary))
        for at in range(3):
            run("score", whole, *base, "--shard", f"{at + 1}/3", "-o", str(folder / "merged.jsonl"))
        run("merge", *map(str, sorted(folder.glob("merged.jsonl.shard-*"))), "-q", "-o", str(folder / "merged.jsonl"),
            "--summary", str(folder / "merged.json"))
        told.append(causes(folder / "merged.json"))
        assert told[0] == told[1] == told[2], "threads, batches or shards change what is found"

        found = {model: {name: told[0][model].get(name, {}).get("records", 0) for name in ("swapped", "duplicate")}
                 for model in told[0]}
        print(found)
        low = {line["id"] for line in map(json.loads, (folder / "one.jsonl").read_text(encoding="utf-8").splitlines())
               if line["score"] < 0.5}
        # The record whose gold a swapped answer is must have earned less than half as well.
        told_apart = sum(f"copied-{at}" in low for at in range(PLANTED))
        told_apart += sum({f"swapped-{at}", f"swapped-{at // 4 * 4 + (at + 1) % 4}"} <= low for at in range(PLANTED))
        right = found["swapped"]["swapped"] + found["copied"]["duplicate"]
        blamed = sum(sum(of_model.values()) for of_model in found.values()) - right
        assert told_apart > 1.8 * PLANTED and right >= 0.99 * told_apart, f"{right} of {told_apart} found"
        assert blamed <= 0.01 * 2 * EACH, f"{blamed} of {2 * EACH} blamed"

        # Objects of few labels, in which one label is wrong, are often another record's by chance.
        labels = [{"id": n, "expected": labels_of(n), "actual": labels_of(n) | {"f0": f"label {(n + 1) % 5}"}}
                  for n in range(1000)]
        summary = folder / "labels.json"
        run("score", write(folder / "labels.jsonl", labels), "-s", "exact_match", "-q", "--summary", str(summary),
            "-o", str(folder / "labels.scores.jsonl"))
        scorer = json.loads(summary.read_text(encoding="utf-8"))["scorers"][0]
        assert [cause["cause"] for cause in scorer["causes"]] == ["near_miss"], scorer["causes"]

        # Answers that two records share, one of them rightly; and answers that are swapped, or only wrong.
        values = [make_causes.structure() for _ in range(400)]
        given = [json.dumps(value, indent=1) for value in values]
        given[:2], given[20], given[21] = given[40:42], given[21], given[20]
        given[30] = json.dumps({"name": "nobody knows this", "total": "not written there", "note": "empty"})
        shared = [{"id": f"q{n}", "expected": value, "actual": answer}
                  for n, (value, answer) in enumerate(zip(values, given))]
        summary = folder / "shared.json"
        run("score", write(folder / "shared.jsonl", shared), "-s", "exact_match:case_sensitive=true", "-s",
            "json_similarity", "-q", "--summary", str(summary), "-o", str(folder / "shared.scores.jsonl"))
        scorer = json.loads(summary.read_text(encoding="utf-8"))["scorers"][1]
        low = {line["id"] for line in map(json.loads, (folder / "shared.scores.jsonl").read_text(
            encoding="utf-8").splitlines()) if line["scorer"] == "json_similarity" and line["score"] < 0.5}
        told = {cause["cause"]: cause for cause in scorer["causes"]}
        assert told["duplicate"]["records"] == len(low & {"q0", "q1"}) > 0, (told, low)
        assert told["swapped"]["records"] == 2 * ({"q20", "q21"} <= low), (told, low)
        assert told.get("other", {"example": "q30"})["example"] not in {"q0", "q1", "q20", "q21"}, told

        # Gold from a file: one model answers there, so that each id is asked once.
        answers = write(folder / "answers.jsonl", [{"id": r["id"], "actual": r["actual"]} for r in made
                                                   if r["model"] == "swapped"])
        summary = folder / "gold.json"
        run("score", answers, "--gold", gold, "-s", "json_similarity", "-q", "--summary", str(summary))
        scorer = json.loads(summary.read_text(encoding="utf-8"))["scorers"][0]
        with_gold = {cause["cause"]: cause["records"] for cause in scorer["causes"]}
        assert with_gold["swapped"] == found["swapped"]["swapped"], with_gold


if __name__ == "__main__":
    main()
