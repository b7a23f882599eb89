"""Findings of lint and check as SARIF 2.1.0."""

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from conversion_testing import ROOT, ConversionTest, ConvertError, Options, convert, run_command
from leafscore.convert.sarif import LINT_RULES

PROGRAM = os.environ.get("LEAFSCORE_COMMAND") or shutil.which("leafscore")
SCHEMAS = ROOT.parent / "docs" / "schemas"
GOLD = [
    {"id": "a", "expected": {"n": 1}},
    {"id": "b", "expected": {"n": "TODO"}},
    {"expected": {"n": 3}},
]
FINDING = {
    "severity": "warning",
    "kind": "placeholder_gold",
    "accepted": False,
    "ids": {"count": 2, "first": ["b", "record 3"]},
    "numbers": {"records": 2},
    "message": "2 records have a placeholder.",
    "advice": "Add the value.",
}
CHECKED = """eval.yaml is a file of AgentV
eval.yaml:3: runs: test "a": field_accuracy
eval.yaml:9: cannot run here: assert "deploys": it needs a workspace: write a code_judge
C: /my evals/eval.yaml:12: differs: assert "b": dates are read otherwise
eval.yaml: ignored: description: it has no effect
"""


# What the schema of SARIF asks of the members that are written here.
def check_shape(test: unittest.TestCase, log: dict) -> None:
    test.assertEqual(log["version"], "2.1.0")
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    test.assertEqual(run["tool"]["driver"]["name"], "leafscore")
    test.assertEqual(len({rule["id"] for rule in rules}), len(rules))
    for result in run["results"]:
        test.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        test.assertIn(result["level"], ("note", "warning", "error"))
        test.assertTrue(result["message"]["text"])
        test.assertEqual(len(result["locations"]), 1)
        for place in result["locations"] + result.get("relatedLocations", []):
            test.assertGreaterEqual(place["physicalLocation"]["region"]["startLine"], 1)
            test.assertRegex(place["physicalLocation"]["artifactLocation"]["uri"], r"^[^\s\\]+$")


class SarifTest(ConversionTest):
    def gold(self, name: str = "gold.jsonl", text: str | None = None) -> Path:
        lines = "".join(json.dumps(record) + "\n" for record in GOLD)
        return self.file(name, lines if text is None else text)

    def run_of(self, source: Path, **options) -> dict:
        output = self.folder / "out.sarif"
        convert([source], output, target_format="sarif", options=Options(**options), counts=self.counts)
        log = json.loads(output.read_text())
        check_shape(self, log)
        return log["runs"][0]

    def of_lint(self, *findings: dict, gold: Path | None = None) -> list[dict]:
        report = self.file("lint.json", json.dumps({"verdict": "doubtful", "findings": findings}))
        return self.run_of(report, gold=str(gold or self.gold()))["results"]

    def lines(self, result: dict) -> list[int]:
        places = result["locations"] + result.get("relatedLocations", [])
        return [place["physicalLocation"]["region"]["startLine"] for place in places]

    def test_a_finding_is_where_its_records_are(self) -> None:
        gold = self.gold()
        [result] = self.of_lint(FINDING, gold=gold)
        self.assertEqual(self.lines(result), [2, 3])
        self.assertEqual(result["locations"][0]["message"], {"text": "id b"})
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], gold.as_uri())
        self.assertEqual((result["ruleId"], result["level"]), ("placeholder_gold", "warning"))
        self.assertEqual(result["message"]["text"], "2 records have a placeholder. Add the value.")
        self.assertNotIn("suppressions", result)

    def test_the_lines_of_a_file_with_empty_lines_and_of_a_table(self) -> None:
        [result] = self.of_lint(FINDING, gold=self.gold(text='\n{"id": "a"}\n\n{"id": "b"}\n{"expected": 1}\n'))
        self.assertEqual(self.lines(result), [4, 5])
        table = self.gold("gold.csv", 'id,expected\na,"two\nlines"\nb,TODO\n')
        [result] = self.of_lint({**FINDING, "ids": {"count": 1, "first": ["b"]}}, gold=table)
        self.assertEqual(self.lines(result), [4])

    def test_what_cannot_be_found_is_at_the_beginning(self) -> None:
        no_ids = {name: value for name, value in FINDING.items() if name != "ids"}
        elsewhere = {**FINDING, "ids": {"count": 1, "first": ["not there"]}}
        self.assertEqual([self.lines(result) for result in self.of_lint(no_ids, elsewhere)], [[1], [1]])
        array = self.gold("gold.json", json.dumps(GOLD))
        self.assertEqual([self.lines(result) for result in self.of_lint(FINDING, gold=array)], [[1, 1]])

    def test_accepted_findings_are_suppressed_and_say_what_they_are_about(self) -> None:
        accepted = {**FINDING, "kind": "easy_answer", "accepted": True, "scorer": "near", "answer": "superset"}
        first, second = self.of_lint(FINDING, accepted)
        self.assertEqual(second["suppressions"], [{"kind": "external", "justification": "named by --accept"}])
        self.assertTrue(second["message"]["text"].endswith(" (near, superset)"))
        self.assertEqual(second["properties"]["numbers"], {"records": 2})

    def test_another_id_field(self) -> None:
        gold = self.gold(text='{"key": {"of": 7}}\n{"key": {"of": "b"}}\n')
        report = self.file("lint.json", json.dumps({"findings": [{**FINDING, "ids": {"count": 1, "first": ["b"]}}]}))
        [result] = self.run_of(report, gold=str(gold), id_field="key.of")["results"]
        self.assertEqual(self.lines(result), [2])

    def test_lint_needs_its_gold(self) -> None:
        with self.assertRaisesRegex(ConvertError, "name the gold that lint read with --gold FILE"):
            self.run_of(self.file("lint.json", json.dumps({"findings": [FINDING]})))
        self.assertFalse((self.folder / "out.sarif").exists())
        ended = run_command(self.gold(), "--gold", "x")
        self.assertIn(b"--gold belongs to --to sarif", ended.stderr)

    def test_what_check_prints(self) -> None:
        run = self.run_of(self.file("check.txt", CHECKED))
        self.assertEqual(
            [(each["ruleId"], each["level"], self.lines(each), each["message"]["text"]) for each in run["results"]],
            [
                ("cannot_run_here", "error", [9], 'assert "deploys": it needs a workspace: write a code_judge'),
                ("differs", "warning", [12], 'assert "b": dates are read otherwise'),
                ("ignored", "note", [1], "description: it has no effect"),
            ],
        )
        uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
        self.assertEqual(uris, ["eval.yaml", "C%3A%20/my%20evals/eval.yaml", "eval.yaml"])

    def test_what_is_neither(self) -> None:
        with self.assertRaisesRegex(ConvertError, "neither JSON of leafscore lint nor what leafscore check prints"):
            self.run_of(self.file("x.json", '{"findings": 3}'))

    def test_the_command_reads_a_pipe(self) -> None:
        ended = run_command("-", "--to", "sarif", stdin=None, input=CHECKED.encode())
        self.assertEqual(ended.returncode, 0, ended.stderr)
        check_shape(self, json.loads(ended.stdout))
        self.assertIn(b"3 findings", ended.stderr)

    @unittest.skipUnless(SCHEMAS.exists(), "the tests are not in leafscore's tree")
    def test_each_kind_of_finding_is_a_rule(self) -> None:
        schema = json.loads((SCHEMAS / "lint.json").read_text())
        kinds = schema["properties"]["findings"]["items"]["properties"]["kind"]["enum"]
        self.assertEqual(sorted(LINT_RULES), sorted(kinds))

    @unittest.skipUnless(PROGRAM, "the command leafscore is not there")
    def test_of_the_command(self) -> None:
        report = self.folder / "lint.json"
        linted = [PROGRAM, "lint", self.gold(), "-s", "json_similarity", "-o", report]
        subprocess.run(linted, check=True, capture_output=True)
        run = self.run_of(report, gold=str(self.gold()))
        by_rule = {result["ruleId"]: result for result in run["results"]}
        self.assertEqual(self.lines(by_rule["placeholder_gold"]), [2])
        self.assertEqual(self.lines(by_rule["missing_id"]), [3])
        config = self.file("scorers.yaml", "evaluators:\n  - type: exact_match\n")
        checked = subprocess.run([PROGRAM, "check", config], check=True, capture_output=True)
        self.assertEqual(self.run_of(self.file("check.txt", checked.stdout))["results"], [])


if __name__ == "__main__":
    unittest.main()
