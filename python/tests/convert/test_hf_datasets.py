"""Hugging Face datasets, read and written by the package `datasets`, and tables in files, read by pyarrow."""

import json
import sys
import unittest
import zipfile
from pathlib import Path
from typing import Any
from unittest import mock

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

    def test_the_package_installed_writes_what_the_fixtures_hold(self) -> None:
        made = self.make_again("hf_datasets")
        for name, options in (
            ("saved", {"split": "test"}),
            ("questions.parquet", {"expected_field": "answer"}),
        ):
            self.assertEqual(self.records(made / name, **options), self.records(FIXTURES / name, **options))


@needs("pyarrow")
class TablesTest(ConversionTest):
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

    def test_damaged_files_are_refused(self) -> None:
        whole = (FIXTURES / "questions.parquet").read_bytes()
        for end in (8, len(whole) // 2, len(whole) - 1):
            with self.assertRaisesRegex(ConvertError, "cut.parquet cannot be read: "):
                self.records(self.file("cut.parquet", whole[:end]), expected_field="answer")

    def tables(self, columns: dict[str, list[Any]]) -> list[Path]:
        """The same table in each kind of file."""
        import pyarrow
        from pyarrow import feather, parquet

        table = pyarrow.table(columns)
        paths = [self.folder / name for name in ("t.parquet", "t.arrow", "t.arrows", "t.feather")]
        parquet.write_table(table, paths[0], row_group_size=1500)
        for path, new in ((paths[1], pyarrow.ipc.new_file), (paths[2], pyarrow.ipc.new_stream)):
            with new(str(path), table.schema) as writer:
                writer.write_table(table, max_chunksize=2000)
        feather.write_feather(table, str(paths[3]), compression="zstd")
        return paths

    def test_each_kind_of_file_gives_the_same_records(self) -> None:
        ids = [f"q{number}" for number in range(3000)]  # more than are in memory at a time
        answers = [None, *ids[1:]]
        columns = {"id": ids, "expected": ids[::-1], "actual": answers, "model": ["m"] * 3000, "n": [*range(3000)]}
        wanted = [
            {"id": name, "n": number, "model": "m", "expected": expected}
            | ({"actual": actual} if actual is not None else {})
            for number, (name, expected, actual) in enumerate(zip(ids, ids[::-1], answers))
        ]
        for path in self.tables(columns):
            with self.subTest(path=path.name):
                self.assertEqual(self.records(path), wanted)

    def test_values_keep_their_kind(self) -> None:
        value = {"total": 12.5, "items": ["a", None], "paid": True}
        record = {"id": 7, "expected": value, "actual": json.dumps(value), "task": "t", "more": {"a": 1}}
        for path in self.tables({name: [member] for name, member in record.items()}):
            with self.subTest(path=path.name):
                self.assertEqual(self.records(path), [record])

    def test_answers_may_come_without_gold(self) -> None:
        for path in self.tables({"id": ["a"], "actual": ["x"]}):
            self.assertEqual(self.records(path), [{"id": "a", "actual": "x"}])

    def test_a_column_that_is_there_twice_is_refused(self) -> None:
        import pyarrow
        from pyarrow import parquet

        table = pyarrow.Table.from_arrays([pyarrow.array(["a"])] * 3, ["id", "expected", "id"])
        parquet.write_table(table, self.folder / "t.parquet")
        with self.assertRaisesRegex(ConvertError, "has the column id twice: rename one"):
            self.records(self.folder / "t.parquet")


class WithoutPackagesTest(ConversionTest):
    def test_a_spreadsheet_is_to_be_saved_as_a_table(self) -> None:
        with zipfile.ZipFile(self.folder / "t.xlsx", "w") as book:
            book.writestr("[Content_Types].xml", "<Types/>")
        self.file("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
        for name in ("t.xlsx", "t.xls"):
            with self.assertRaisesRegex(ConvertError, f"{name} is a spreadsheet: save its sheet as CSV"):
                self.records(self.folder / name)

    def test_a_missing_package_is_named(self) -> None:
        path = self.file("t.parquet", b"PAR1....")
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            with self.assertRaisesRegex(ConvertError, "needs the package pyarrow, .* pip install pyarrow"):
                self.records(path)


if __name__ == "__main__":
    unittest.main()
