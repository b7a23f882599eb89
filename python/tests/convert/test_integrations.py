"""Scorers inside the frameworks whose files are converted. They need leafscore's core."""

import asyncio
import importlib
import json
import subprocess
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

from conversion_testing import ROOT, ConversionTest, needs

import leafscore

HAS_CORE = hasattr(leafscore, "score_pair")


class IntegrationTest(ConversionTest):
    def setUp(self) -> None:
        super().setUp()
        if not HAS_CORE:
            self.skipTest("leafscore's core is not built")


class PromptfooTest(IntegrationTest):
    def verdict(self, output, **context) -> dict:
        module = importlib.import_module("leafscore.integrations.promptfoo")
        return module.get_assert(output, context)

    def test_the_expected_value_is_found(self) -> None:
        right, wrong = {"total": 12.5}, {"total": 7}
        cases = [
            {"config": {"expected": right}, "vars": {"expected": wrong}},
            {"test": {"metadata": {"expected": right}}, "vars": {"expected": wrong}},
            {"config": {"scorer": "json_similarity"}, "vars": {"expected": '{"total": 12.5}'}, "test": None},
        ]
        for context in cases:
            for output in (right, '{"total": 12.50}'):
                with self.subTest(context=context, output=output):
                    verdict = self.verdict(output, **context)
                    self.assertEqual((verdict["pass"], verdict["score"]), (True, 1.0))
                    self.assertIn("1.0000", verdict["reason"])

    def test_no_expected_value_fails_and_says_so(self) -> None:
        verdict = self.verdict("x", vars={}, config=None)
        self.assertEqual((verdict["pass"], verdict["score"]), (False, 0.0))
        self.assertIn("no expected value", verdict["reason"])

    def test_thresholds_and_scorers_that_pass(self) -> None:
        def passes(output, **config):
            return self.verdict(output, config={"expected": "Oslo", **config})["pass"]

        self.assertTrue(passes("It is Oslo.", scorer="contains"))
        self.assertFalse(passes("It is Rome.", scorer="contains"))
        self.assertTrue(passes("It is Rome.", scorer="contains", threshold=0))
        self.assertFalse(passes("Rome"))
        self.assertFalse(passes(None, threshold=0))

    def test_the_result_is_json_when_promptfoo_runs_the_file(self) -> None:
        """promptfoo loads the file by its path, with its folder first on the path of modules."""
        path = ROOT / "leafscore" / "integrations" / "promptfoo.py"
        program = f"""
import importlib.util, json, sys
sys.path[:0] = [{str(path.parent)!r}, {str(Path(__file__).parent)!r}]
import conversion_testing
spec = importlib.util.spec_from_file_location("promptfoo", {str(path)!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(json.dumps(module.get_assert("x", {{"vars": {{}}}})))
"""
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(json.loads(ended.stdout or "0")["pass"], False, ended.stderr)


class LmEvalTest(IntegrationTest):
    def test_a_document_has_a_metric(self) -> None:
        from leafscore.integrations.lm_eval import process_results, process_results_with

        doc = {"target": {"total": 12.5}, "other": "no"}
        self.assertEqual(process_results(doc, ['{"total": 12.50}']), {"leafscore": 1.0})
        self.assertEqual(process_results(doc, [["{}", "more"]]), {"leafscore": 0.0})
        self.assertEqual(process_results(doc, []), {"leafscore": 0.0})
        other = process_results_with("contains", target="other", metric="found")
        self.assertEqual(other(doc, ["yes or no"]), {"found": 1.0})

    @needs("lm_eval")
    def test_a_task_runs_with_it(self) -> None:
        import os

        os.environ["HF_DATASETS_OFFLINE"] = "1"
        from lm_eval import simple_evaluate
        from lm_eval.api.model import LM
        from lm_eval.tasks import TaskManager

        class Model(LM):
            def generate_until(self, requests, disable_tqdm=False):
                return [request.arguments[0] for request in requests]

            loglikelihood = loglikelihood_rolling = None

        docs = [{"q": '{"a": 1}', "target": '{"a": 1.0}'}, {"q": "none", "target": '{"a": 2}'}]
        data = self.file("docs.jsonl", "".join(json.dumps(doc) + "\n" for doc in docs))
        self.file("utils.py", "from leafscore.integrations.lm_eval import process_results\n")
        self.file(
            "judged.yaml",
            f"""
task: judged
dataset_path: json
dataset_kwargs: {{data_files: {{test: {json.dumps(str(data))}}}}}
test_split: test
doc_to_text: "{{{{q}}}}"
doc_to_target: "{{{{target}}}}"
output_type: generate_until
process_results: !function utils.process_results
metric_list: [{{metric: leafscore, aggregation: mean, higher_is_better: true}}]
""",
        )
        tasks = TaskManager(include_path=str(self.folder), include_defaults=False)
        results = simple_evaluate(Model(), tasks=["judged"], task_manager=tasks, bootstrap_iters=0)
        self.assertEqual(results["results"]["judged"]["leafscore,none"], 0.5)


@needs("inspect_ai")
class InspectTest(IntegrationTest):
    def run_task(self, samples: list, answer: str, **options):
        from inspect_ai import Task
        from inspect_ai import eval as run_eval
        from inspect_ai.dataset import MemoryDataset
        from inspect_ai.model import ModelOutput, ModelUsage, get_model
        from leafscore.integrations.inspect_ai import leafscore_scorer

        task = Task(dataset=MemoryDataset(samples), scorer=leafscore_scorer(**options))
        # Without a usage, the model counts tokens with tables from the network.
        output = ModelOutput.from_content("mockllm/model", answer)
        output.usage = ModelUsage()
        outputs = [output.model_copy(deep=True) for _ in samples]
        model = get_model("mockllm/model", custom_outputs=outputs)
        [log] = run_eval(task, model=model, log_dir=str(self.folder), display="none")
        self.assertEqual(log.status, "success", log.error)
        return log

    def test_a_task_is_scored(self) -> None:
        from inspect_ai.dataset import Sample

        samples = [
            Sample(input="q", target='{"total": 12.5}'),
            Sample(input="q", target=['{"total": 7}', '{"total": 12.50}']),
            Sample(input="q", target="Oslo"),
            Sample(input="q", target=""),
        ]
        log = self.run_task(samples, '{"total": 12.5}')
        scores = [sample.scores["leafscore_scorer"] for sample in log.samples]
        self.assertEqual([score.value for score in scores], [1, 1, 0, 0])
        self.assertEqual(log.results.scores[0].metrics["mean"].value, 0.5)

    def test_structure_in_metadata(self) -> None:
        from inspect_ai.dataset import Sample

        samples = [Sample(input="q", target="see metadata", metadata={"gold": {"total": 12.5}})]
        log = self.run_task(samples, '{"total": 12.5}', expected_metadata="gold")
        self.assertEqual(log.samples[0].scores["leafscore_scorer"].value, 1)

    def test_no_target_is_told(self) -> None:
        from inspect_ai.scorer import Target
        from leafscore.integrations.inspect_ai import leafscore_scorer

        state = SimpleNamespace(metadata={}, output=SimpleNamespace(completion="x"))
        score = asyncio.run(leafscore_scorer()(state, Target([])))
        self.assertEqual((score.value, score.metadata["outcome"]), (0, "error"))


class CoreTest(IntegrationTest):
    def test_pairs_are_scored_as_the_command_scores_records(self) -> None:
        from leafscore.integrations.verdicts import judge

        self.assertEqual(judge({"city": "Oslo"}, '{"city": "Olso"}', "json_similarity").score, 0.5)
        self.assertEqual(judge("Oslo", "Olso", "levenshtein").score, 0.5)
        self.assertEqual(judge("Oslo", "It is Oslo", {"type": "contains"}).passed, True)
        self.assertEqual(judge("Oslo", None, "contains").outcome, "unanswered")
        with self.assertRaises(leafscore.Error):
            judge("Oslo", "Oslo", "no such scorer")


if __name__ == "__main__":
    unittest.main()
