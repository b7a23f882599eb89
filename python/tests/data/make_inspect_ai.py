#!/usr/bin/env python3
"""Makes the fixtures in inspect_ai/ again: logs that inspect_ai itself writes, with its model mockllm.

Usage: make_inspect_ai.py FOLDER, with inspect_ai installed (0.3.285 made the files here; it needs no network).
capitals.json has two epochs, several targets and a sample that ends in an error; capitals.eval is the same log.
"""

import os
import sys
import tempfile
from pathlib import Path

from inspect_ai import Task, eval as run_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import Generate, TaskState, solver

SAMPLES = [
    Sample(id="norway", input="The capital of Norway?", target="Oslo", metadata={"area": "europe"}),
    Sample(id="bolivia", input="The capital of Bolivia?", target=["Sucre", "La Paz"]),
    Sample(id="broken", input="The capital of nothing?", target="none"),
    Sample(id=4, input="An invoice as JSON", target='{"total": 12.5}'),
]
ANSWERS = {"norway": "Oslo", "bolivia": "La Paz", "broken": "?", 4: '{"total": 12.50}'}


@solver
def answer_or_fail():
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.sample_id == "broken":
            raise ValueError("the solver broke")
        state.output = ModelOutput.from_content("mockllm/model", ANSWERS[state.sample_id])
        return state

    return solve


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    task = Task(
        name="capitals", dataset=MemoryDataset(SAMPLES), solver=answer_or_fail(), scorer=match(), epochs=2
    )
    with tempfile.TemporaryDirectory() as logs:
        [log] = run_eval(
            task,
            model=get_model("mockllm/model"),
            log_dir=logs,
            display="none",
            fail_on_error=False,
            max_samples=1,
        )
        log.eval.task_file = None
        log.eval.revision = None
        for sample in log.samples:
            sample.events, sample.timelines = [], None
            if sample.error:
                sample.error.traceback = sample.error.traceback_ansi = "ValueError: the solver broke"
        write_eval_log(log, "capitals.json", "json")
        write_eval_log(log, "capitals.eval", "eval")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
