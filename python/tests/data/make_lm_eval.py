#!/usr/bin/env python3
"""Makes the fixtures in lm_eval/ again: sample files that lm_eval itself writes, of tasks and a model defined here.

Usage: make_lm_eval.py FOLDER, with lm_eval installed (0.4.13 made the files here; it needs no torch and no network).
The model answers from a table; what the package writes beside the samples, and what changes from run to run, is
removed.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

os.environ["HF_DATASETS_OFFLINE"] = "1"

import datasets
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

ANSWERS = {
    "invoice": '{"total": 12.5, "currency": "EUR"}',
    "capital": "I think it is Oslo.\n#### Oslo",
    "broken": '{"total": 12.5, "curr',
}
DOCS = [
    {"q": "invoice", "target": '{"total": 12.5, "currency": "USD"}', "choices": ["a", "b", "c"], "gold": 1},
    {"q": "capital", "target": "Oslo", "choices": ["Oslo", "Bergen"], "gold": 0},
    {"q": "broken", "target": '{"total": 7}', "choices": ["ja", "nei"], "gold": 1},
]
COMMON = """
dataset_path: json
dataset_kwargs: {data_files: {test: %s}}
test_split: test
doc_to_text: "{{q}}"
"""
TASKS = {
    "extract": """
output_type: generate_until
doc_to_target: "{{target}}"
repeats: 2
filter_list:
  - name: strict-match
    filter: [{function: regex, regex_pattern: "#### (\\\\w+)"}, {function: take_first}]
  - name: everything
    filter: [{function: take_first_k, k: 2}]
metric_list: [{metric: exact_match}]
""",
    "pick": """
output_type: multiple_choice
doc_to_choice: "{{choices}}"
doc_to_target: gold
metric_list: [{metric: acc}]
""",
    "perplexity": """
output_type: loglikelihood_rolling
doc_to_target: "{{target}}"
doc_to_text: ""
metric_list: [{metric: word_perplexity}]
""",
    "last_word": """
output_type: loglikelihood
doc_to_target: "{{target}}"
metric_list: [{metric: perplexity}]
""",
}


class TableModel(LM):
    """Answers from ANSWERS; the likelihood of a text is its length, so that choices differ."""

    def generate_until(self, requests, disable_tqdm=False):
        return [ANSWERS[request.arguments[0]] for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        return [(-1.0 / (1 + len(request.arguments[1])), False) for request in requests]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        return [-float(len(request.arguments[0])) for request in requests]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        docs = Path(work, "docs.jsonl")
        docs.write_text("".join(json.dumps(doc) + "\n" for doc in DOCS))
        datasets.config.HF_DATASETS_CACHE = Path(work, "cache")
        for name, task in TASKS.items():
            common = COMMON % json.dumps(str(docs))
            Path(work, f"{name}.yaml").write_text(f"task: {name}\n{common}{task}")
        tracker = EvaluationTracker(output_path=str(Path(work, "out")))
        tracker.general_config_tracker.model_name_sanitized = "table-model"
        tracker.general_config_tracker.model_name = "table/model"
        results = simple_evaluate(
            TableModel(),
            tasks=list(TASKS),
            task_manager=TaskManager(include_path=work, include_defaults=False),
        )
        samples = results.pop("samples")
        tracker.save_results_aggregated(results, samples)
        for name in TASKS:
            tracker.save_results_samples(name, samples[name])
        written = Path(work, "out", "table-model")
        for path in sorted(written.iterdir()):
            name = re.sub(r"_\d{4}-[^_]*\.", "_2026-01-02T03-04-05.000006.", path.name)
            text = path.read_text().replace(work, "/data")
            if path.suffix == ".json":
                kept = {"model_name": json.loads(text)["model_name"]}
                text = json.dumps(kept) + "\n"
            Path(folder, name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
