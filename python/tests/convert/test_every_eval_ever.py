"""Every Eval Ever: its samples as records and scores, and lines of scores as its results."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import unittest
from hashlib import sha256
from pathlib import Path

from conversion_testing import ROOT, ConversionTest, ConvertError, Options, convert, needs, run_command

COMPILED = importlib.util.find_spec("leafscore._core") is not None
PROGRAM = os.environ.get("LEAFSCORE_COMMAND") or shutil.which("leafscore")
PAGE = ROOT.parent / "docs" / "integrations.md"
WRITTEN = 1_700_000_000.25
UUID = "4bb1e5b0-6a44-4d0e-8f63-0d9f6fd8a5b1"
# As their converter of inspect_ai writes them: a line for each metric of a sample.
SAMPLE = {
    "schema_version": "0.3.0",
    "evaluation_id": "capitals/acme/m-1/1700000000",
    "model_id": "acme/m-1",
    "evaluation_name": "capitals",
    "evaluation_result_id": "match:accuracy",
    "sample_id": "1",
    "interaction_type": "single_turn",
    "input": {"raw": "Capital of Norway?", "reference": ["Oslo", "Christiania"]},
    "output": {"raw": ["It is Oslo."]},
    "answer_attribution": [
        {
            "turn_idx": 0,
            "source": "output.raw",
            "extracted_value": "Oslo",
            "extraction_method": "regex",
            "is_terminal": True,
        }
    ],
    "evaluation": {"score": 1.0, "is_correct": True},
}
CHAT = {
    **SAMPLE,
    "sample_id": "2",
    "interaction_type": "multi_turn",
    "input": {"raw": "Capital of Italy?", "reference": []},
    "output": None,
    "answer_attribution": [],
    "messages": [
        {"turn_idx": 0, "role": "assistant", "content": "Milan"},
        {"turn_idx": 1, "role": "user", "content": "Really?"},
        {"turn_idx": 2, "role": "assistant", "content": "Rome"},
        {"turn_idx": 3, "role": "user", "content": None},
    ],
    "evaluation": {"score": 0.0, "is_correct": False},
}
FAILED = {**SAMPLE, "sample_id": "3", "error": "timeout", "evaluation": {"score": 0.0, "is_correct": False}}
AGGREGATE = {
    "schema_version": "0.3.0",
    "evaluation_id": SAMPLE["evaluation_id"],
    "eval_library": {"name": "inspect_ai", "version": "0.3.285"},
    "evaluation_results": [
        {"evaluation_result_id": "match:accuracy", "metric_config": {"lower_is_better": False}},
        {"evaluation_result_id": "cost", "metric_config": {"lower_is_better": True}},
    ],
}
RECORDS = [
    {"id": "a", "question": "Total?", "expected": {"total": 7}, "actual": '{"total": 7}', "model": "acme/m-1"},
    {"id": 2, "expected": "Oslo", "model": "acme/m-1"},
    {"id": "a", "expected": {"total": 7}, "actual": {"total": 8}, "model": "plain"},
]
SCORES = [
    {"id": "a", "scorer": "near", "groups": {"model": "acme/m-1"}, "outcome": "scored", "score": 1, "passed": True},
    {
        "id": 2,
        "scorer": "near",
        "groups": {"model": "acme/m-1"},
        "outcome": "unanswered",
        "reason": "no_answer",
        "message": "there is no answer",
    },
    {"id": "a", "scorer": "near", "groups": {"model": "plain"}, "outcome": "scored", "score": 0.25, "passed": False},
]


class ReadingTest(ConversionTest):
    def samples(self, *lines: dict) -> Path:
        return self.file(f"{UUID}_samples.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def test_samples_are_records(self) -> None:
        self.assertEqual(
            self.records(self.samples(SAMPLE, CHAT, FAILED)),
            [
                {
                    "id": "capitals/1",
                    "other_expected": ["Christiania"],
                    "model": "acme/m-1",
                    "task": "capitals",
                    "expected": "Oslo",
                    "actual": "Oslo",
                },
                {"id": "capitals/2", "model": "acme/m-1", "task": "capitals", "actual": "Rome"},
                {
                    "id": "capitals/3",
                    "other_expected": ["Christiania"],
                    "model": "acme/m-1",
                    "task": "capitals",
                    "expected": "Oslo",
                    "error": "timeout",
                },
            ],
        )
        self.assertEqual(self.counts["no_target"], 1)
        self.assertEqual(self.counts["errors"], 1)

    def test_without_an_extracted_answer_it_is_the_first_output(self) -> None:
        [record] = self.records(self.samples({**SAMPLE, "answer_attribution": []}))
        self.assertEqual(record["actual"], "It is Oslo.")
        not_final = {**SAMPLE["answer_attribution"][0], "is_terminal": False}
        [record] = self.records(self.samples({**SAMPLE, "answer_attribution": [not_final]}))
        self.assertEqual(record["actual"], "It is Oslo.")

    def test_metrics_of_one_answer_are_one_record_and_answers_are_several(self) -> None:
        other = {**SAMPLE, "evaluation_result_id": "cost"}
        ids = [record["id"] for record in self.records(self.samples(SAMPLE, CHAT, other, SAMPLE, other))]
        self.assertEqual(ids, ["capitals/1", "capitals/2", "capitals/1#2"])

    def test_odd_lines(self) -> None:
        path = self.samples({**SAMPLE, "input": None, "answer_attribution": None, "output": None, "messages": None})
        path.write_text(path.read_text() + '{"evaluation_id"\n')
        whole, broken = self.records(path, source_format="every-eval-ever")
        self.assertEqual(whole, {"id": "capitals/1", "model": "acme/m-1", "task": "capitals"})
        self.assertEqual(broken["id"], f"{UUID}_samples:2")
        self.assertEqual(self.counts["unreadable"], 1)

    def test_values_of_other_kinds(self) -> None:
        for value in (5, "x", [1], {"a": 1}, True, None):
            odd = {name: value for name in SAMPLE if name not in ("evaluation_id", "sample_id")}
            [record] = self.records(self.samples({**odd, "evaluation_id": 1, "sample_id": 2, "messages": value}))
            self.assertTrue(str(record["id"]).endswith("/2"))

    def test_a_folder_has_its_samples_read(self) -> None:
        path = self.samples(SAMPLE)
        place = self.folder / "data" / "capitals" / "acme" / "m-1"
        place.mkdir(parents=True)
        path.rename(place / path.name)
        self.assertEqual([record["id"] for record in self.records(self.folder / "data")], ["capitals/1"])

    def test_results_without_samples(self) -> None:
        path = self.file(f"{UUID}.json", json.dumps(AGGREGATE, indent=2))
        with self.assertRaisesRegex(ConvertError, "name the file UUID_samples.jsonl beside it"):
            self.records(path)

    @unittest.skipUnless(COMPILED, "the package's compiled module is not there")
    def test_scores_and_where_they_are_from(self) -> None:
        self.file(f"{UUID}.json", json.dumps(AGGREGATE))
        output = self.folder / "scores.jsonl"
        convert([self.samples(SAMPLE, CHAT, FAILED)], output, target_format="scores", counts=self.counts)
        lines = [json.loads(line) for line in output.read_text().splitlines()]
        groups = {"model": "acme/m-1", "task": "capitals"}
        self.assertEqual(
            lines[0],
            {
                "id": "capitals/1",
                "scorer": "match:accuracy",
                "groups": groups,
                "outcome": "scored",
                "score": 1.0,
                "passed": True,
            },
        )
        self.assertEqual([line["score"] for line in lines[:2]], [1.0, 0.0])
        manifest = json.loads((self.folder / "scores.jsonl.manifest.json").read_text())
        self.assertEqual(manifest["converted_from"]["tool"], "inspect_ai")
        self.assertEqual(manifest["converted_from"]["version"], "0.3.285")
        self.assertEqual(manifest["converted_from"]["format"], "every-eval-ever")

    @unittest.skipUnless(COMPILED, "the package's compiled module is not there")
    def test_a_metric_that_shall_be_low_is_refused(self) -> None:
        self.file(f"{UUID}.json", json.dumps(AGGREGATE))
        path = self.samples({**SAMPLE, "evaluation_result_id": "cost"})
        with self.assertRaisesRegex(ConvertError, "less is better under cost"):
            convert([path], self.folder / "scores.jsonl", target_format="scores", counts=self.counts)


class WritingTest(ConversionTest):
    def lines(self, name: str, lines: list) -> Path:
        path = self.file(name, "".join(json.dumps(line) + "\n" for line in lines))
        os.utime(path, (WRITTEN, WRITTEN))
        return path

    def results(self, *inputs: Path, name: str = "data", about: dict | None = None, **options) -> dict[str, dict]:
        """The files of results, by their folder."""
        if about is not None:
            options["about"] = str(self.file("about.json", json.dumps(about)))
        output = self.folder / name
        convert(inputs, output, target_format="every-eval-ever", options=Options(**options), counts=self.counts)
        return {str(path.parent.relative_to(output)): json.loads(path.read_text()) for path in output.rglob("*.json")}

    def test_each_model_has_a_file(self) -> None:
        found = self.results(self.lines("quiz.jsonl", SCORES))
        self.assertEqual(sorted(found), ["quiz/acme/m-1", "quiz/unknown/plain"])
        made = found["quiz/acme/m-1"]
        self.assertEqual(made["evaluation_id"], "quiz/acme/m-1/1700000000.250000")
        self.assertEqual(made["retrieved_timestamp"], "1700000000.250000")
        self.assertEqual(made["eval_library"], {"name": "leafscore", "version": "unknown"})
        self.assertNotIn("detailed_evaluation_results", made)
        self.assertIn("the developer of plain is unknown", self.told.getvalue())
        self.assertEqual(self.counts["records"], 3)

    def test_what_has_no_score_counts_as_0(self) -> None:
        [result] = self.results(self.lines("quiz.jsonl", SCORES))["quiz/acme/m-1"]["evaluation_results"]
        details = result["score_details"]
        self.assertEqual(details["score"], 0.5)
        self.assertEqual(details["details"], {"asked": "2", "scored": "1", "unanswered": "1", "passed": "1"})
        # The scores 1 and 0: their variance is 1/2, that of their mean 1/4.
        self.assertEqual(details["uncertainty"]["num_samples"], 2)
        self.assertAlmostEqual(details["uncertainty"]["standard_deviation"] ** 2, 0.5)
        self.assertEqual(details["uncertainty"]["standard_error"], {"value": 0.5, "method": "analytic"})
        self.assertEqual((result["metric_config"]["min_score"], result["metric_config"]["max_score"]), (0, 1))

    def test_one_score_has_no_spread(self) -> None:
        [result] = self.results(self.lines("quiz.jsonl", SCORES))["quiz/unknown/plain"]["evaluation_results"]
        self.assertEqual(result["score_details"]["score"], 0.25)
        self.assertEqual(result["score_details"]["uncertainty"], {"num_samples": 1})

    def test_each_scorer_has_a_result(self) -> None:
        more = [{**line, "scorer": "whole"} for line in SCORES]
        made = self.results(self.lines("quiz.jsonl", SCORES + more))["quiz/acme/m-1"]
        self.assertEqual([each["evaluation_result_id"] for each in made["evaluation_results"]], ["near", "whole"])

    def test_records_are_samples(self) -> None:
        scores = self.lines("quiz.jsonl", SCORES)
        made = self.results(self.lines("records.jsonl", RECORDS), scores=str(scores))["quiz/acme/m-1"]
        detailed = made["detailed_evaluation_results"]
        path = self.folder / detailed["file_path"]
        self.assertEqual(detailed["checksum"], sha256(path.read_bytes()).hexdigest())
        first, second = map(json.loads, path.read_text().splitlines())
        self.assertEqual(detailed["total_rows"], 2)
        self.assertEqual(first["evaluation_id"], made["evaluation_id"])
        self.assertEqual(first["input"], {"raw": "Total?", "reference": ['{"total": 7}']})
        self.assertEqual(first["output"], {"raw": ['{"total": 7}']})
        self.assertEqual(first["evaluation"], {"score": 1, "is_correct": True})
        self.assertEqual(first["metadata"], {"model": "acme/m-1", "leafscore_id": "a"})
        self.assertEqual(second["sample_id"], "2")
        self.assertEqual(second["output"], {"raw": []})
        self.assertEqual(second["evaluation"], {"score": 0, "is_correct": False})
        self.assertEqual(second["error"], "unanswered: there is no answer")

    def test_records_come_back(self) -> None:
        scores = self.lines("quiz.jsonl", SCORES)
        self.results(self.lines("records.jsonl", RECORDS), scores=str(scores))
        found = self.records(self.folder / "data" / "quiz" / "acme" / "m-1")
        self.assertEqual([record["id"] for record in found], ["a", "2"])
        self.assertEqual(found[0]["expected"], '{"total": 7}')
        self.assertEqual(found[0]["actual"], '{"total": 7}')

    def test_lines_without_records_and_records_without_lines_are_counted(self) -> None:
        records = self.lines("records.jsonl", [RECORDS[0], {"id": "z", "expected": 1, "actual": 1}])
        made = self.results(records, scores=str(self.lines("quiz.jsonl", SCORES)))
        self.assertEqual((self.counts["no_sample"], self.counts["no_score"]), (2, 1))
        self.assertEqual(made["quiz/acme/m-1"]["detailed_evaluation_results"]["total_rows"], 1)
        self.assertEqual(made["quiz/acme/m-1"]["evaluation_results"][0]["score_details"]["score"], 0.5)

    def test_scores_without_a_model_take_that_of_the_records(self) -> None:
        scores = self.lines("quiz.jsonl", [{"id": "a", "scorer": "near", "outcome": "scored", "score": 1}])
        records = self.lines("records.jsonl", RECORDS[:1])
        self.assertEqual(list(self.results(records, scores=str(scores))), ["quiz/acme/m-1"])

    def test_two_scores_of_one_record(self) -> None:
        scores = self.lines("quiz.jsonl", SCORES[:1] * 2)
        with self.assertRaisesRegex(ConvertError, "there are 2 scores of near for a"):
            self.results(self.lines("records.jsonl", RECORDS), scores=str(scores))
        self.assertFalse((self.folder / "data").exists())

    def test_what_scores_do_not_say(self) -> None:
        about = {
            "benchmark": "invoices",
            "models": {"plain": {"id": "acme/plain-2", "additional_details": {"model_availability": "open_weights"}}},
            "source_metadata": {"source_organization_name": "Acme", "evaluator_relationship": "first_party"},
            "generation_config": {"generation_args": {"temperature": 0.2}},
        }
        made = self.results(self.lines("quiz.jsonl", SCORES), about=about)["invoices/acme/plain-2"]
        self.assertEqual(made["model_info"]["name"], "plain")
        self.assertEqual(
            made["model_info"]["additional_details"],
            {"deployment_type": "unknown", "model_availability": "open_weights"},
        )
        self.assertEqual(made["source_metadata"]["source_type"], "evaluation_run")
        self.assertEqual(made["source_metadata"]["source_organization_name"], "Acme")
        [result] = made["evaluation_results"]
        self.assertEqual(result["generation_config"], about["generation_config"])
        self.assertNotIn("unknown", self.told.getvalue().replace("deployment_type", ""))

    def test_a_member_that_is_not_known(self) -> None:
        with self.assertRaisesRegex(ConvertError, "the member benchmarks: did you mean benchmark?"):
            self.results(self.lines("quiz.jsonl", SCORES), about={"benchmarks": "x"})

    def test_members_of_other_kinds(self) -> None:
        for about in ({"models": 3}, {"models": {"m": 3}}, {"model_info": "m"}, {"source_data": []}):
            with self.assertRaisesRegex(ConvertError, "which is no object"):
                self.results(self.lines("quiz.jsonl", SCORES), about=about)

    def test_numbers_as_they_are_written_and_lines_without_them(self) -> None:
        text = '{"id": "a", "scorer": "near", "outcome": "scored", "score": 2.50e-1}\n'
        path = self.file("quiz.jsonl", text + text.replace("2.50e-1", "null"))
        [result] = self.results(path)["quiz/unknown/unknown"]["evaluation_results"]
        self.assertEqual(result["score_details"]["score"], 0.25)
        self.assertEqual(self.counts["unreadable"], 1)
        self.assertIn("quiz.jsonl:2: it has no score", self.told.getvalue())

    @unittest.skipUnless(PAGE.exists(), "the tests are not in leafscore's tree")
    def test_what_the_page_says_of_scores(self) -> None:
        section = PAGE.read_text().split("## Every Eval Ever\n")[1]
        [about] = re.findall(r"^```json\n(.*?)^```$", section.split("\n## ")[0], re.M | re.S)
        line = {**SCORES[0], "groups": {"model": "m1"}}
        made = self.results(self.lines("quiz.jsonl", [line]), about=json.loads(about))
        self.assertEqual(list(made), ["invoices/acme/m-1"])

    def test_names_stay_in_the_folder(self) -> None:
        line = {**SCORES[0], "groups": {"model": "../../etc/pass:wd"}}
        self.assertEqual(list(self.results(self.lines("q?z.jsonl", [line]))), ["q_z/unknown/.._etc_pass_wd"])

    def test_the_same_scores_give_the_same_files(self) -> None:
        path = self.lines("quiz.jsonl", SCORES)
        self.results(path)
        self.results(path, name="again")
        found = []
        for folder in (self.folder / "data", self.folder / "again"):
            found.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.json")})
        self.assertEqual(found[0], found[1])

    def test_options_of_other_targets(self) -> None:
        ended = run_command(self.lines("quiz.jsonl", SCORES), "--about", "x.json")
        self.assertEqual(ended.returncode, 2)
        self.assertIn(b"--about belongs to --to every-eval-ever", ended.stderr)

    @unittest.skipUnless(PROGRAM, "the command leafscore is not there")
    def test_the_mean_and_the_settings_are_those_of_the_command(self) -> None:
        records = self.lines("records.jsonl", RECORDS[:2])
        scores, summary = self.folder / "quiz.jsonl", self.folder / "summary.json"
        arguments = ["-s", "json_similarity", "--parse-texts", "always", "-q", "--group-by", "model"]
        subprocess.run([PROGRAM, "score", records, *arguments, "-o", scores, "--summary", summary], check=True)
        made = self.results(scores)["quiz/acme/m-1"]
        [result] = made["evaluation_results"]
        [scorer] = json.loads(summary.read_text())["scorers"]
        self.assertEqual(result["score_details"]["score"], scorer["over_all"]["mean"])
        self.assertRegex(made["eval_library"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(result["metric_config"]["additional_details"]["type"], "json_similarity")

    @needs("every_eval_ever")
    def test_their_validation_takes_them(self) -> None:
        from every_eval_ever.validator.validation_core import validate_file

        scores = self.lines("quiz.jsonl", SCORES[:2])
        self.results(self.lines("records.jsonl", RECORDS), scores=str(scores))
        names = [str(path.relative_to(self.folder)) for path in (self.folder / "data").rglob("*.json*")]
        self.assertEqual(len(names), 2)
        for name in names:
            report = validate_file(
                self.folder / name,
                repo_path=name,
                available_files=names,
                read_repo_file=lambda each: (self.folder / each).read_text(),
                run_semantic_checks=True,
            )
            self.assertEqual((report.errors, report.warnings), ([], []))


if __name__ == "__main__":
    unittest.main()
