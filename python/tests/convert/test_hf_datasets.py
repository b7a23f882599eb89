"""Hugging Face datasets, read and written by the package `datasets`."""

import json
import unittest

from conversion_testing import DATA, ConversionTest, ConvertError, convert, needs

FIXTURES = DATA / "hf_datasets"


@needs("datasets")
class DatasetsTest(ConversionTest):
    def test_a_saved_dataset_is_read_by_split(self) -> None:
        self.assertEqual(
            self.records(FIXTURES / "saved", split="test"),
            [
                {"id": "a", "expected": '{"total": 12.5}', "actual": '{"total": 12.50}'},
                {"id": "b", "expected": "Oslo"},
            ],
        )
        with self.assertRaisesRegex(ConvertError, "has the splits train, test: choose one with --split"):
            self.records(FIXTURES / "saved")

    def test_columns_are_named(self) -> None:
        path = FIXTURES / "questions.parquet"
        with self.assertRaisesRegex(ConvertError, "--expected-field, of question, answer, reply"):
            self.records(path)
        records = self.records(path, expected_field="answer", actual_field="reply")
        self.assertEqual(
            records,
            [
                {
                    "id": "questions:0",
                    "expected": {"total": 1, "day": "2026-01-02"},
                    "actual": '{"total": 1}',
                },
                {"id": "questions:1", "expected": {"total": 2, "day": None}, "actual": "none"},
            ],
        )
        self.assertEqual((self.counts["no_id"], self.counts["not_json"]), (2, 1))

    def test_records_come_back(self) -> None:
        lines = [
            {"id": "a", "model": "m", "expected": {"x": 1}, "actual": "text"},
            {"id": "b", "expected": "t", "error": "failed"},
            {"id": "\ud800", "expected": "", "actual": "\udfff"},
        ]
        path = self.file("in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        for name in ("out.parquet", "out [1]*.parquet", "folder"):
            with self.subTest(name=name):
                convert([path], self.folder / name, target_format="hf", counts=self.counts)
                self.assertEqual(
                    self.records(self.folder / name),
                    [
                        {**lines[0], "expected": '{"x": 1}'},
                        lines[1],
                        {"id": "\ufffd", "expected": "", "actual": "\ufffd"},
                    ],
                )
        left = {"in.jsonl", "out.parquet", "out [1]*.parquet", "folder", "records-out.jsonl"}
        self.assertEqual({path.name for path in self.folder.iterdir()}, left)

    def test_what_is_there_is_not_written_over(self) -> None:
        path = self.file("in.jsonl", '{"id": 1, "expected": 1, "actual": 1}')
        self.file("folder/mine", "precious")
        with self.assertRaisesRegex(ConvertError, "exists"):
            convert([path], self.folder / "folder", target_format="hf", counts=self.counts)

    def test_damaged_files_are_refused(self) -> None:
        whole = (FIXTURES / "questions.parquet").read_bytes()
        for end in (4, len(whole) // 2, len(whole) - 1):
            with self.assertRaisesRegex(ConvertError, "datasets cannot read"):
                self.records(self.file("cut.parquet", whole[:end]), expected_field="answer")

    def test_the_package_installed_writes_what_the_fixtures_hold(self) -> None:
        made = self.make_again("hf_datasets")
        for name, options in (
            ("saved", {"split": "test"}),
            ("questions.parquet", {"expected_field": "answer"}),
        ):
            self.assertEqual(self.records(made / name, **options), self.records(FIXTURES / name, **options))


if __name__ == "__main__":
    unittest.main()
