"""OpenAI's evals: the log that the package's recorder wrote, read; and logs like it, written."""

import json
import unittest

from conversion_testing import DATA, ConversionTest, convert, needs

FIXTURE = DATA / "openai_evals" / "match.jsonl"


class ReadTest(ConversionTest):
    def test_samples_have_the_answer_that_was_sampled(self) -> None:
        records = {record["id"]: record for record in self.records(FIXTURE)}
        common = {"model": "table", "task": "match.dev.v0"}
        self.assertEqual(
            records["match.dev.0"],
            {"id": "match.dev.0", **common, "expected": "Oslo", "actual": "Oslo, of course"},
        )
        self.assertEqual(records["match.dev.1"]["other_expected"], ["La Paz"])
        self.assertEqual(
            records["match.dev.3"], {"id": "match.dev.3", **common, "error": "ValueError: no connection"}
        )
        self.assertEqual((self.counts["several_targets"], self.counts["errors"]), (1, 1))

    def events(self, *events: tuple, **options) -> list:
        lines = [
            {"run_id": "r", "event_id": number, "sample_id": sample, "type": kind, "data": data}
            for number, (sample, kind, data) in enumerate(events)
        ]
        return self.records(self.file("log.jsonl", "\n".join(map(json.dumps, lines))), **options)

    def test_events_of_samples_may_mix_and_lack(self) -> None:
        records = self.events(
            ("b", "sampling", {"sampled": "one"}),
            ("a", "raw_sample", {"input": "q", "ideal": "gold"}),
            ("b", "sampling", {"sampled": ["two", None]}),
            ("a", "match", {"expected": None, "picked": "gold"}),
            ("b", "metrics", {"accuracy": 1}),
            ("c", None, {}),
            all_responses=True,
        )
        self.assertEqual(
            records,
            [
                {"id": "b", "actual": "one"},
                {"id": "b#2", "actual": "two"},
                {"id": "a", "expected": "gold", "actual": "gold"},
                {"id": "c"},
            ],
        )
        self.assertEqual(self.counts["other_events"], 2)

    def test_a_broken_event_is_named_and_the_sample_stays(self) -> None:
        text = FIXTURE.read_text()
        records = self.records(self.file("log.jsonl", text[: text.rindex('{"final_report"') - 40]))
        self.assertEqual(len(records), 3)
        self.assertEqual(self.counts["unreadable"], 1)
        self.assertIn("log.jsonl:8: it is not JSON", self.told.getvalue())


class WriteTest(ConversionTest):
    def test_records_come_back(self) -> None:
        lines = [
            {"id": "a", "model": "m", "task": "leafscore", "expected": {"x": 1}, "actual": [0.5]},
            {"id": 7, "model": "m", "task": "leafscore", "expected": "t", "error": "failed"},
            {"id": "c", "model": "m", "task": "leafscore", "expected": "t"},
        ]
        path = self.file("in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        convert([path], self.folder / "log.jsonl", target_format="openai-evals", counts=self.counts)
        back = self.records(self.folder / "log.jsonl")
        self.assertEqual(
            [line | {"error": "Error: failed"} if "error" in line else line for line in lines], back
        )


@needs("evals")
class PackageTest(ConversionTest):
    def test_the_package_installed_writes_what_the_fixture_holds(self) -> None:
        self.assertEqual(self.records(self.make_again("openai_evals") / "match.jsonl"), self.records(FIXTURE))


if __name__ == "__main__":
    unittest.main()
