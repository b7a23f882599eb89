"""Scores of other tools as leafscore's own: what the lines and the manifest hold, and what the command makes of them."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import unittest

from conversion_testing import DATA, ConversionTest, ConvertError, convert, needs, run_command

COMPILED = importlib.util.find_spec("leafscore._core") is not None
PROGRAM = os.environ.get("LEAFSCORE_COMMAND") or shutil.which("leafscore")
LM_EVAL = DATA / "lm_eval"


@unittest.skipUnless(COMPILED, "the package's compiled module is not there")
class ScoresTest(ConversionTest):
    def scores(self, *inputs, name: str = "scores.jsonl", source_format=None, **options) -> list[dict]:
        """The lines of scores that inputs become."""
        from leafscore.convert import Options

        output = self.folder / name
        convert(
            inputs,
            output,
            source_format=source_format,
            target_format="scores",
            options=Options(**options),
            counts=self.counts,
        )
        return [json.loads(line) for line in output.read_text().splitlines()]

    def manifest(self, name: str = "scores.jsonl") -> dict:
        return json.loads((self.folder / f"{name}.manifest.json").read_text())

    def lines(self, name: str, *records: dict):
        return self.file(name, "".join(json.dumps(record) + "\n" for record in records))

    def compare(self, *arguments: object) -> subprocess.CompletedProcess:
        if PROGRAM is None:
            self.skipTest("the command leafscore is not there")
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60)


class TableTest(ScoresTest):
    def test_rows_of_csv_are_scores(self) -> None:
        path = self.file("a.csv", "case,grade,ok\n1,4,true\n2,1,false\n3,,\n")
        lines = self.scores(path, id_field="case", score=("grade",), passed="ok", score_range=("1:5",))
        self.assertEqual(
            lines,
            [
                {"id": "1", "scorer": "grade", "outcome": "scored", "score": 0.75, "passed": True},
                {"id": "2", "scorer": "grade", "outcome": "scored", "score": 0.0, "passed": False},
                {
                    "id": "3",
                    "scorer": "grade",
                    "outcome": "error",
                    "reason": "no_score",
                    "message": "the tool has no score for it",
                },
            ],
        )
        manifest = self.manifest()
        self.assertEqual(
            manifest["converted_from"],
            {"tool": "", "version": "", "format": "records", "ids": "the member case"},
        )
        self.assertEqual(
            manifest["scorers"],
            [
                {
                    "name": "grade",
                    "type": "converted",
                    "options": {"metric": "grade", "range": [1.0, 5.0], "tasks": {}},
                }
            ],
        )
        self.assertEqual(manifest["records"], {"asked": 3, "read": 3})
        self.assertEqual(manifest["asked_ids"]["count"], 3)
        self.assertEqual((manifest["inputs"][0]["name"], manifest["inputs"][0]["bytes"]), (str(path), 37))

    def test_tables_of_every_separator_are_read(self) -> None:
        for name, text in (
            ("a.tsv", "id\tscore\nx\t0.5\n"),
            ("a.csv", "\ufeffid;score\n\nx;0.5\n"),
            ("b.csv", 'note,id,score\n"two\nlines, a ""quote""",x,0.5\n'),
        ):
            with self.subTest(name=name):
                [line] = self.scores(self.file(name, text), name=f"{name}.jsonl")
                self.assertEqual((line["id"], line["score"]), ("x", 0.5))

    def test_rows_that_are_no_rows_are_told(self) -> None:
        path = self.file("a.csv", "id,score\nx,1\ny,0,7\n")
        lines = self.scores(path)
        self.assertEqual(lines[1]["outcome"], "unreadable")
        self.assertEqual((lines[1]["id"], lines[1]["id_from"]), (2, "record"))
        self.assertIn("a.csv:3: it has 3 cells, and the first row names 2 columns", self.told.getvalue())
        for text, sentence in (
            ("id,id,score\n", "has the column id twice"),
            ('id,score\n"a"b,1\n', "cannot be read as a table"),
            (b"id,score\n\xff,1\n", "is not UTF-8"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(ConvertError, sentence):
                self.scores(self.file("bad.csv", text))

    def test_verdicts_are_scores_where_there_are_no_others(self) -> None:
        path = self.lines("a.jsonl", {"id": 1, "passed": True}, {"id": 2, "passed": "fail"})
        self.assertEqual(
            [(line["score"], line["passed"]) for line in self.scores(path)], [(1.0, True), (0.0, False)]
        )

    def test_the_scorer_of_a_line_names_its_metric(self) -> None:
        path = self.lines(
            "a.jsonl",
            {"id": 1, "scorer": "em", "score": 1},
            {"id": 1, "scorer": "f1", "score": 0.5},
            {"id": 2, "scorer": "f1", "score": 0.25, "error": "slow"},
        )
        self.assertEqual(
            [(line["id"], line["scorer"], line["score"]) for line in self.scores(path)],
            [(1, "em", 1.0), (1, "f1", 0.5), (2, "f1", 0.25)],
        )
        self.assertEqual([line["score"] for line in self.scores(path, metric=("f1",))], [0.5, 0.25])
        self.assertEqual(self.counts["further_answers"], 0)

    def test_scores_out_of_range_are_refused(self) -> None:
        path = self.lines(
            "a.jsonl", {"id": "a", "score": 1}, {"id": "b", "score": 4.5}, {"id": "c", "score": 0.5}
        )
        with self.assertRaisesRegex(
            ConvertError,
            "^score has scores that are not from 0 to 1: 4.5 of b is the first of 1, and all go from 0.5 to 4.5; "
            "--score-range score=WORST:BEST",
        ):
            self.scores(path)
        self.assertFalse((self.folder / "scores.jsonl").exists())
        self.assertFalse((self.folder / "scores.jsonl.manifest.json").exists())
        less = self.scores(path, score_range=("score=5:0",))
        self.assertEqual([line["score"] for line in less], [0.8, 0.1, 0.9])
        infinite = self.file("b.jsonl", '{"id": 1, "score": 1e999}\n')
        with self.assertRaisesRegex(ConvertError, "inf of 1 is the first"):
            self.scores(infinite)
        for text, sentence in (("1", "is not LOW:HIGH"), ("2:2", "no room"), ("nope=0:1", "no metric nope")):
            with self.subTest(text=text), self.assertRaisesRegex(ConvertError, sentence):
                self.scores(path, score_range=(text,))

    def test_what_is_no_number_is_an_error_that_counts(self) -> None:
        path = self.file(
            "a.jsonl",
            '{"id": 1, "score": NaN}\n{"id": 2, "score": "high"}\n{"id": 3, "score": null}\n{"id": 4, "score": "0.5"}\n',
        )
        lines = self.scores(path)
        self.assertEqual(
            [line.get("message") for line in lines],
            [
                "the tool's score is NaN",
                'the tool\'s value is no number: "high"',
                "the tool has no score for it",
                None,
            ],
        )
        self.assertEqual({line["outcome"] for line in lines[:3]}, {"error"})
        self.assertEqual(lines[3]["score"], 0.5)
        self.assertEqual(self.counts["no_score"], 3)

    def test_samples_without_an_id_are_joined_by_their_number(self) -> None:
        lines = self.scores(self.lines("a.jsonl", {"score": 1}, {"id": "x", "score": 0}))
        self.assertEqual((lines[0]["id"], lines[0]["id_from"]), (1, "record"))
        self.assertNotIn("id_from", lines[1])
        asked = self.manifest()["asked_ids"]
        self.assertEqual((asked["count"], asked["without_id"]), (1, 1))
        self.assertEqual(self.counts["unnamed"], 1)

    def test_answers_to_one_id_are_lines_and_it_is_asked_once(self) -> None:
        self.scores(self.lines("a.jsonl", {"id": "x", "score": 1}, {"id": "x", "score": 0}))
        self.assertEqual(self.manifest()["asked_ids"]["count"], 1)
        self.assertEqual(self.counts["further_answers"], 1)

    def test_paths_that_lead_nowhere_are_refused(self) -> None:
        path = self.lines("a.jsonl", {"id": "x", "judge": {"grade": 1}})
        self.assertEqual(self.scores(path, score=("q=judge.grade",))[0]["scorer"], "q")
        for options, sentence in (
            ({"score": ("grade",)}, "no sample has grade; the first one has: id, judge"),
            ({"passed": "ok"}, "no sample has ok"),
            ({}, "there are no scores in the inputs: name where they are with --score or --passed"),
            ({"score": ("judge.grade",), "metric": ("judge.grad",)}, "did you mean judge.grade"),
            ({"score": ("a", "b"), "passed": "c"}, "belongs to one --score"),
        ):
            with self.subTest(options=options), self.assertRaisesRegex(ConvertError, sentence):
                self.scores(path, **options)

    def test_outputs_that_hold_no_manifest_are_refused(self) -> None:
        path = self.lines("a.jsonl", {"id": "x", "score": 1})
        with self.assertRaisesRegex(ConvertError, "scores are JSON Lines"):
            self.scores(path, name="scores.csv")
        ended = run_command("-", "--to", "scores", "--from", "records", stdin=open(path))
        self.assertEqual(ended.returncode, 2)
        self.assertIn(b"scores are not read from a pipe", ended.stderr)

    def test_standard_output_ends_with_the_manifest(self) -> None:
        ended = run_command(self.lines("a.jsonl", {"id": "x", "score": 1}), "--to", "scores")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        line, trailer = ended.stdout.splitlines()
        self.assertEqual(json.loads(line)["id"], "x")
        self.assertEqual(json.loads(trailer)["manifest"]["output"]["lines"], 1)
        self.assertIn(b"1 scores of 1 samples", ended.stderr)

    def test_options_of_scores_need_scores(self) -> None:
        ended = run_command(self.lines("a.jsonl", {"id": "x", "score": 1}), "--score", "score")
        self.assertEqual((ended.returncode, ended.stdout), (2, b""))
        self.assertIn(b"--score is about scores: add --to scores", ended.stderr)

    def test_records_are_read_from_a_table(self) -> None:
        path = self.file("a.csv", "id,expected,actual\n1,Oslo,Oslo\n2,Rome,\n")
        self.assertEqual(
            self.records(path),
            [{"id": "1", "expected": "Oslo", "actual": "Oslo"}, {"id": "2", "expected": "Rome"}],
        )


class ToolsTest(ScoresTest):
    @needs("inspect_ai")
    def test_scorers_of_inspect(self) -> None:
        for name in ("capitals.json", "capitals.eval"):
            with self.subTest(name=name):
                lines = self.scores(DATA / "inspect_ai" / name)
                groups = {"model": "mockllm/model", "task": "capitals", "epoch": 1}
                found = [line for line in lines if line["id"] == "capitals/norway"]
                self.assertEqual(
                    found,
                    [
                        {
                            "id": "capitals/norway",
                            "scorer": "match",
                            "groups": groups | {"epoch": epoch},
                            "outcome": "scored",
                            "score": 1.0,
                            "passed": True,
                        }
                        for epoch in (1, 2)
                    ],
                )
                broken = next(line for line in lines if line["id"] == "capitals/broken")
                self.assertEqual((broken["outcome"], broken["reason"]), ("error", "no_score"))
                self.assertEqual(broken["message"], "ValueError('the solver broke')")
                self.assertEqual(len(lines), 8)
                manifest = self.manifest()
                self.assertEqual(manifest["converted_from"]["tool"], "inspect_ai")
                self.assertEqual(manifest["converted_from"]["version"], "0.3.285")
                self.assertEqual(
                    manifest["scorers"][0]["options"]["tasks"],
                    {"capitals": {"version": 0, "scorers": {"match": {}}}},
                )
                asked = manifest["asked_ids"]
                self.assertEqual((asked["count"], asked["with_expected"]), (4, 4))

    @needs("inspect_ai")
    def test_values_of_inspect(self) -> None:
        log = json.loads((DATA / "inspect_ai" / "capitals.json").read_text())
        log["eval"]["config"]["epochs"] = 1
        log["samples"] = [each for each in log["samples"] if each["epoch"] == 1]
        values = {"norway": "P", "bolivia": "N", 4: {"exact": True, "note": "long"}}
        for sample in log["samples"]:
            if sample["id"] in values:
                sample["scores"] = {"match": {"value": values[sample["id"]], "history": []}}
        lines = self.scores(self.file("log.json", json.dumps(log)))
        found = {(line["id"], line["scorer"]): (line.get("score"), line.get("passed")) for line in lines}
        self.assertEqual(found["capitals/norway", "match"], (0.5, False))
        self.assertEqual(found["capitals/bolivia", "match"], (0.0, False))
        self.assertEqual(found["capitals/4", "match.exact"], (1.0, True))
        self.assertEqual(found["capitals/norway", "match.exact"], (None, None))
        self.assertNotIn(("capitals/4", "match.note"), found)
        self.assertIn(
            'left out: match.note, as its values are no numbers (the first is "long")', self.told.getvalue()
        )

    @needs("inspect_ai")
    def test_samples_of_inspect_that_were_not_run_are_unanswered(self) -> None:
        log = json.loads((DATA / "inspect_ai" / "capitals.json").read_text())
        log["status"], log["samples"] = "cancelled", []
        lines = self.scores(self.file("cut.json", json.dumps(log)))
        self.assertEqual(len(lines), 8)
        self.assertEqual(
            {(line["scorer"], line["outcome"], line["reason"]) for line in lines},
            {("match", "unanswered", "no_answer")},
        )
        self.assertEqual(self.counts["not_run"], 8)

    def test_metrics_of_lm_eval(self) -> None:
        lines = self.scores(LM_EVAL / "samples_extract_2026-01-02T03-04-05.000006.jsonl")
        found = {(line["id"], line["scorer"]): line["score"] for line in lines}
        self.assertEqual(found["extract/1", "exact_match,strict-match"], 1.0)
        self.assertEqual(found["extract/0", "exact_match,strict-match"], 0.0)
        self.assertEqual(
            {scorer for _, scorer in found}, {"exact_match,strict-match", "exact_match,everything"}
        )
        self.assertEqual({line["groups"]["model"] for line in lines}, {"table/model"})
        self.assertEqual(self.manifest()["asked_ids"]["count"], 3)

    def test_metrics_of_lm_eval_that_shall_be_low_must_be_turned_round(self) -> None:
        name = "2026-01-02T03-04-05.000006"
        self.lines(
            f"samples_t_{name}.jsonl",
            *({"doc_id": n, "doc": {}, "target": "x", "ter": n / 4} for n in range(3)),
        )
        results = {"model_name": "m", "lm_eval_version": "0.4.13", "higher_is_better": {"t": {"ter": False}}}
        self.file(f"results_{name}.json", json.dumps(results | {"versions": {"t": 2.0}}))
        path = self.folder / f"samples_t_{name}.jsonl"
        with self.assertRaisesRegex(ConvertError, "less is better under ter: --score-range ter=WORST:BEST"):
            self.scores(path)
        self.assertEqual(
            [line["score"] for line in self.scores(path, score_range=("1:0",))], [1.0, 0.75, 0.5]
        )
        manifest = self.manifest()
        self.assertEqual(manifest["converted_from"]["version"], "0.4.13")
        self.assertEqual(
            manifest["scorers"][0]["options"],
            {"metric": "ter", "range": [1.0, 0.0], "tasks": {"t": {"version": 2.0}}},
        )

    def test_lists_of_lm_eval_are_left_out(self) -> None:
        with self.assertRaisesRegex(ConvertError, "there are no scores"):
            self.scores(LM_EVAL / "samples_perplexity_2026-01-02T03-04-05.000006.jsonl")
        self.assertIn("left out: word_perplexity", self.told.getvalue())

    def result(
        self, test: int, score: float = 1, *, model: str = "m", question: str | None = None, **members
    ) -> dict:
        case = {"vars": {"q": question or f"question {test}"}, "assert": [{"type": "equals", "value": "x"}]}
        members = {"success": score == 1, "score": score, "failureReason": 0, "namedScores": {}} | members
        return {"promptIdx": 0, "testIdx": test, "provider": {"id": model}, "testCase": case} | members

    def results(self, name: str, *results: dict):
        document = {
            "evalId": "e",
            "results": {"results": results},
            "metadata": {"promptfooVersion": "0.123.1"},
        }
        return self.file(name, json.dumps(document))

    def test_results_of_promptfoo(self) -> None:
        path = self.results(
            "results.json",
            self.result(0, 0.5, namedScores={"tone": 0.25}),
            self.result(1, namedScores={"tone": 1}),
            self.result(2, 0, failureReason=2, error="API error: 500"),
        )
        lines = self.scores(path)
        found = {
            (line["id"], line["scorer"]): (line["outcome"], line.get("score"), line.get("passed"))
            for line in lines
        }
        self.assertEqual(
            found,
            {
                ("test-0", "score"): ("scored", 0.5, False),
                ("test-0", "tone"): ("scored", 0.25, None),
                ("test-1", "score"): ("scored", 1.0, True),
                ("test-1", "tone"): ("scored", 1.0, None),
                ("test-2", "score"): ("error", None, None),
                ("test-2", "tone"): ("error", None, None),
            },
        )
        self.assertEqual(lines[-1]["message"], "API error: 500")
        self.assertEqual(self.manifest()["converted_from"]["version"], "0.123.1")

    def test_repeats_of_promptfoo_are_answers_to_one_id(self) -> None:
        """promptfoo numbers each repeat as a test of its own, so the second test has another number than without."""
        once = [self.result(0, question="a"), self.result(1, question="b")]
        twice = [self.result(n, question=q) for n, q in enumerate("aabb")]
        ids = [[line["id"] for line in self.scores(self.results("r.json", *each))] for each in (once, twice)]
        self.assertEqual(ids, [["test-0", "test-1"], ["test-0", "test-0", "test-1", "test-1"]])

    def test_fixture_of_promptfoo(self) -> None:
        lines = self.scores(DATA / "promptfoo" / "results.json")
        self.assertTrue(lines)
        self.assertEqual({line["outcome"] for line in lines if "score" in line}, {"scored"})

    def test_matches_of_openai(self) -> None:
        lines = self.scores(DATA / "openai_evals" / "match.jsonl")
        self.assertEqual({line["scorer"] for line in lines}, {"match"})
        self.assertTrue(
            all(line["passed"] == (line["score"] == 1) for line in lines if line["outcome"] == "scored")
        )


class CommandTest(ScoresTest):
    """What compare and leaderboard make of them."""

    def two(self, **options) -> tuple[object, object]:
        for name, step in (("a", 0), ("b", 1)):
            rows = [{"id": f"q{n}", "score": (n + step) % 4 / 4, "expected": n} for n in range(40)]
            self.scores(self.lines(f"{name}.in.jsonl", *rows), name=f"{name}.jsonl", **options)
        return self.folder / "a.jsonl", self.folder / "b.jsonl"

    def test_they_are_compared_and_ranked(self) -> None:
        a, b = self.two()
        compared = self.compare("compare", a, b, "--format", "json")
        self.assertEqual(compared.returncode, 0, compared.stderr)
        figures = json.loads(compared.stdout)
        self.assertTrue(figures["verified"])
        self.assertEqual(
            figures["warnings"],
            [f"another tool computed the scores of {a}, {b}; leafscore only converted them"],
        )
        ranked = self.compare("leaderboard", a, b, "--format", "json")
        self.assertEqual(ranked.returncode, 0, ranked.stderr)
        self.assertEqual([row["verified"] for row in json.loads(ranked.stdout)], [True, True])
        self.assertIn("leafscore only converted them", ranked.stderr)

    def test_what_was_edited_is_refused(self) -> None:
        a, b = self.two()
        b.write_text(b.read_text().replace('"score": 0.25', '"score": 0.75', 1))
        refused = self.compare("compare", a, b)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("was edited", refused.stderr)

    def test_other_ranges_expected_values_and_ids_are_refused(self) -> None:
        a, _ = self.two()
        for rows, options, what in (
            (
                [{"id": f"q{n}", "score": 0, "expected": n} for n in range(40)],
                {"score_range": ("0:2",)},
                "range",
            ),
            (
                [{"id": f"q{n}", "score": 0, "expected": -n} for n in range(40)],
                {},
                "the values expected for the same ids",
            ),
            (
                [{"id": f"p{n}", "score": 0, "expected": n} for n in range(40)],
                {},
                "the ids that were asked differ",
            ),
        ):
            with self.subTest(what=what):
                self.scores(self.lines("c.in.jsonl", *rows), name="c.jsonl", **options)
                refused = self.compare("compare", a, self.folder / "c.jsonl")
                self.assertEqual(refused.returncode, 2)
                self.assertIn(what, refused.stderr)
                self.assertIn("convert both alike", refused.stderr)

    def test_packed_scores_are_whole(self) -> None:
        path = self.lines("in.jsonl", {"id": "x", "score": 1})
        for name in ("a.jsonl.gz", "b.jsonl.gz"):
            ended = run_command(path, "--to", "scores", "-o", self.folder / name)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        compared = self.compare("compare", self.folder / "a.jsonl.gz", self.folder / "b.jsonl.gz")
        self.assertEqual(compared.returncode, 0, compared.stderr)

    @needs("jinja2")
    @needs("vl_convert")
    def test_the_report_says_who_computed_them(self) -> None:
        a, b = self.two()
        if PROGRAM is None:
            self.skipTest("the command leafscore is not there")
        page = self.folder / "report.html"
        path = os.pathsep.join([os.path.dirname(PROGRAM), os.environ.get("PATH", "")])
        ended = subprocess.run(
            [sys.executable, "-m", "leafscore.report", b, "--compare", a, "-o", page],
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("leafscore only converted them", page.read_text())

    @needs("inspect_ai")
    def test_the_line_that_a_refusal_tells_works(self) -> None:
        log = self.file("log.eval", (DATA / "inspect_ai" / "capitals.eval").read_bytes())
        refused = self.compare("compare", log, log)
        self.assertIn(
            f"{log} looks like a log of inspect_ai; this makes scores from it that can be compared: ",
            refused.stderr,
        )
        arguments = refused.stderr.strip().split("leafscore convert ")[1].split()
        self.assertEqual(run_command(*arguments).returncode, 0)
        scores = self.folder / "log.scores.jsonl"
        compared = self.compare("compare", scores, scores, "--repeats", "all")
        self.assertEqual(compared.returncode, 0, compared.stderr)


if __name__ == "__main__":
    unittest.main()
