#!/usr/bin/env python3
"""Makes the fixture openai_evals/match.jsonl again: the log that the recorder of the package evals writes.

Usage: make_openai_evals.py FOLDER, with evals installed (3.0.1.post1 made the file here). Its eval `Match` runs over
three samples with a completion function that needs no network; a fourth sample ends in an error.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OPENAI_API_KEY", "none")

import evals
import evals.record
from evals.elsuite.basic.match import Match

SAMPLES = [
    {"input": "The capital of Norway?", "ideal": "Oslo"},
    {"input": "The capital of Bolivia?", "ideal": ["Sucre", "La Paz"]},
    {"input": "An invoice as JSON", "ideal": '{"total": 12.5}'},
]
ANSWERS = {"Norway": "Oslo, of course", "Bolivia": "La Paz", "invoice": '{"total": 12.50'}


class Completion:
    def __init__(self, text):
        self.text = text

    def get_completions(self):
        return [self.text]


def complete(prompt, **kwargs):
    """What a completion function of the package does: answers, and records what it has sampled."""
    answer = next(text for key, text in ANSWERS.items() if key in str(prompt))
    evals.record.record_sampling(prompt=str(prompt), sampled=[answer], model="table")
    return Completion(answer)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["EVALS_SEQUENTIAL"] = "1"
    spec = evals.base.RunSpec(
        completion_fns=["table"],
        eval_name="match.dev.v0",
        base_eval="match",
        split="dev",
        run_config={"completion_fns": ["table"], "command": "", "initial_settings": {}},
        created_by="",
    )
    with tempfile.TemporaryDirectory() as work:
        data = Path(work, "samples.jsonl")
        data.write_text("".join(json.dumps(sample) + "\n" for sample in SAMPLES))
        log = Path(work, "log.jsonl")
        recorder = evals.record.LocalRecorder(str(log), spec)
        run = Match([complete], samples_jsonl=str(data), eval_registry_path=Path(work), name="match.dev.v0")
        report = run.run(recorder)
        with recorder.as_default_recorder("match.dev.3"):
            recorder.record_error("the sample failed", ValueError("no connection"))
        recorder.flush_events()
        recorder.record_final_report(report)
        text = log.read_text()
    text = text.replace(spec.run_id, "260102030405TABLEAAA").replace(spec.created_at, "2026-01-02 03:04:05")
    text = re.sub(r'"created_at": ?"[^"]*"', '"created_at": "2026-01-02 03:04:05+00:00"', text)
    Path(folder, "match.jsonl").write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
