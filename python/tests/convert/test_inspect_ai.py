"""inspect_ai: logs that the package wrote, read and written through it, with scores put into them."""

import json
import unittest

from conversion_testing import DATA, ConversionTest, ConvertError, convert, needs

FIXTURES = DATA / "inspect_ai"


@needs("inspect_ai")
class ReadTest(ConversionTest):
    def test_a_sample_and_epoch_is_a_record(self) -> None:
        for name in ("capitals.json", "capitals.eval"):
            with self.subTest(name=name):
                records = {record.pop("id"): record for record in self.records(FIXTURES / name)}
                common = {"model": "mockllm/model", "task": "capitals"}
                self.assertEqual(len(records), 8)
                self.assertEqual(
                    records["capitals/norway#2"], {"epoch": 2, **common, "expected": "Oslo", "actual": "Oslo"}
                )
                self.assertEqual(
                    records["capitals/broken"],
                    {"epoch": 1, **common, "expected": "none", "error": "ValueError('the solver broke')"},
                )
                self.assertEqual(records["capitals/4"]["actual"], '{"total": 12.50}')
                self.assertEqual(records["capitals/bolivia"]["other_expected"], ["La Paz"])

    def test_samples_that_were_not_run_are_asked_all_the_same(self) -> None:
        log = json.loads((FIXTURES / "capitals.json").read_text())
        log["status"] = "cancelled"
        log["samples"] = [each for each in log["samples"] if each["id"] != "norway" or each["epoch"] != 2]
        records = self.records(self.file("cut.json", json.dumps(log)))
        self.assertEqual(len(records), 8)
        self.assertEqual(records[-1]["id"], "capitals/norway#2")
        self.assertEqual(records[-1]["error"], "the log has no such sample (its status: cancelled)")

    def test_the_sample_is_within_reach(self) -> None:
        records = self.records(
            FIXTURES / "capitals.eval", keep=("metadata.area",), expected_field="scores.match.value"
        )
        norway = next(record for record in records if record["id"] == "capitals/norway")
        self.assertEqual((norway["metadata.area"], norway["expected"]), ("europe", "C"))

    def test_damaged_logs_are_refused(self) -> None:
        for name in ("capitals.json", "capitals.eval"):
            whole = (FIXTURES / name).read_bytes()
            for end in (40, len(whole) // 2, len(whole) - 3):
                with self.subTest(name=name, end=end), self.assertRaisesRegex(ConvertError, "cannot read"):
                    self.records(self.file(name, whole[:end]), source_format="inspect")
        with self.assertRaisesRegex(ConvertError, "inspect_ai cannot read"):
            self.records(self.file("x.json", '{"version": 2, "status": 7, "eval": []}'))

    def test_the_package_installed_writes_what_the_fixtures_hold(self) -> None:
        made = self.make_again("inspect_ai")
        for name in ("capitals.json", "capitals.eval"):
            self.assertEqual(self.records(made / name), self.records(FIXTURES / name))


@needs("inspect_ai")
class WriteTest(ConversionTest):
    def test_records_come_back(self) -> None:
        lines = [
            {"id": "a", "model": "m", "task": "t", "expected": {"x": 1}, "actual": "text"},
            {"id": "a/b?*", "model": "m", "task": "t", "expected": "t", "error": "failed"},
            {"id": "c", "model": "m", "task": "t", "expected": "\ud800", "actual": "\x00"},
            {"id": "d", "model": "m", "task": "t", "expected": "t"},
        ]
        path = self.file("in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        lines[0]["expected"], lines[2]["expected"] = '{"x": 1}', "\ufffd"
        for name in ("out.json", "out.eval"):
            with self.subTest(name=name):
                convert([path], self.folder / name, target_format="inspect", counts=self.counts)
                self.assertCountEqual(self.records(self.folder / name), lines)

    def test_records_of_two_models_are_two_logs(self) -> None:
        lines = [{"id": "a", "model": model, "expected": 1, "actual": 1} for model in ("m1", "m2")]
        path = self.file("in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        with self.assertRaisesRegex(ConvertError, "one task and one model"):
            convert([path], self.folder / "out.eval", target_format="inspect", counts=self.counts)
        with self.assertRaisesRegex(ConvertError, "ends in .eval or .json"):
            convert([path], self.folder / "out.log", target_format="inspect", counts=self.counts)


@needs("inspect_ai")
class ScoresTest(ConversionTest):
    def line(self, record_id: str, **members) -> str:
        return json.dumps({"id": record_id, "scorer": "levenshtein", "outcome": "scored", **members}) + "\n"

    def test_scores_get_into_the_log(self) -> None:
        from inspect_ai.log import read_eval_log
        from leafscore.convert.score_writer import write_scores

        scores = self.file(
            "scores.jsonl",
            self.line("capitals/norway", score=0.25, details={"distance": 3})
            + self.line("capitals/norway#2", score=1)
            + self.line("capitals/bolivia", outcome="unreadable", reason="invalid_json", message="no value")
            + self.line("capitals/nowhere", score=1),
        )
        write_scores(str(FIXTURES / "capitals.eval"), str(scores), str(self.folder / "out.eval"), self.counts)
        log = read_eval_log(str(self.folder / "out.eval"))
        found = {(each.id, each.epoch): each.scores for each in log.samples}
        self.assertEqual(found["norway", 1]["levenshtein"].value, 0.25)
        self.assertEqual(found["norway", 1]["match"].value, "C")
        self.assertEqual(found["norway", 2]["levenshtein"].value, 1)
        self.assertEqual(found["bolivia", 1]["levenshtein"].value, 0)
        self.assertEqual(found["bolivia", 1]["levenshtein"].explanation, "no value")
        self.assertNotIn("levenshtein", found["bolivia", 2])
        self.assertEqual({each.name for each in log.results.scores}, {"match", "levenshtein"})
        self.assertEqual(self.counts["no_sample"], 1)
        self.assertEqual(self.counts["records"], 8)

    def test_two_scores_of_one_id_are_refused(self) -> None:
        from leafscore.convert.score_writer import write_scores

        scores = self.file("scores.jsonl", self.line("a", score=1) * 2)
        with self.assertRaisesRegex(ConvertError, "two scores of levenshtein for a"):
            write_scores(
                str(FIXTURES / "capitals.eval"), str(scores), str(self.folder / "out.eval"), self.counts
            )


if __name__ == "__main__":
    unittest.main()
