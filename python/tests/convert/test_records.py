"""Records in, records out: nothing of a value changes, and nothing vanishes."""

import gzip
import json
import os
import unittest

from conversion_testing import ConversionTest, ConvertError, convert


class ValuesTest(ConversionTest):
    def same(self, record: str) -> None:
        self.assertEqual(self.text(self.file("in.jsonl", record + "\n")), record + "\n")

    def test_numbers_stay_as_they_were_written(self) -> None:
        numbers = "1e999, 0.10, -0, -0.0, 1E5, 123456789012345678901234567890, 0.1000000000000000055, 1.0"
        self.same(f'{{"id": 1, "expected": [{numbers}], "actual": {{"x": 1e-999}}}}')
        self.same(f'{{"id": "long", "expected": {"9" * 5000}, "actual": 1}}')

    def test_texts_stay_as_they_were(self) -> None:
        self.same('{"id": "é\\u0000\\n", "expected": "\\ud800", "actual": "\\udfff and 😀"}')

    def test_null_is_a_value_and_no_member_is_none(self) -> None:
        self.same('{"id": "a", "expected": null, "actual": null}')
        self.same('{"id": "a", "expected": 1}')
        self.assertEqual(self.counts["no_answer"], 1)

    def test_nan_becomes_a_text_and_is_counted(self) -> None:
        [record] = self.records(self.file("in.jsonl", '{"id": 1, "expected": [NaN, -Infinity], "actual": 1}'))
        self.assertEqual(record["expected"], ["NaN", "-Infinity"])
        self.assertEqual(self.counts["not_finite"], 2)

    def test_deep_values_stay(self) -> None:
        self.same('{"id": 1, "expected": ' + "[" * 400 + "0.10" + "]" * 400 + ', "actual": 1}')

    def test_other_members_stay(self) -> None:
        self.assertEqual(
            self.records(self.file("in.jsonl", '{"group": {"a": 1}, "id": 1, "expected": 1, "actual": 2}')),
            [{"id": 1, "group": {"a": 1}, "expected": 1, "actual": 2}],
        )


class LinesTest(ConversionTest):
    def test_bad_lines_are_named_and_become_records_with_the_error(self) -> None:
        lines = [
            '{"id": "a", "expected": 1, "actual": 1}',
            '{"id": "b", "expec',
            "[1]",
            "",
            '{"id": "c", "id": "d", "expected": 1, "actual": 1}',
            '{"id": "e", "expected": 1, "actual": 1}',
        ]
        path = self.file("in.jsonl", "\n".join(lines).encode() + b"\n\xff\xfe")
        records = self.records(path)
        self.assertEqual([record["id"] for record in records], ["a", "in:2", "in:3", "in:5", "e", "in:7"])
        self.assertEqual(self.counts["unreadable"], 4)
        self.assertIn(f'{path}:5: the key "id" is there twice', self.told.getvalue())
        self.assertIn(f"{path}:7: it is not UTF-8 at byte 0", self.told.getvalue())
        self.assertNotIn("expected", records[1])

    def test_a_line_that_nests_too_deep_is_one_bad_line(self) -> None:
        deep = '{"id": 1, "expected": ' + "[" * 200_000 + "]" * 200_000 + "}"
        records = self.records(self.file("in.jsonl", deep + '\n{"id": 2, "expected": 1, "actual": 1}\n'))
        self.assertEqual([record["id"] for record in records], ["in:1", 2])
        self.assertEqual(records[0]["error"], "it nests too deep")

    def test_an_overlong_line_is_one_bad_line(self) -> None:
        from leafscore.convert import inputs

        self.addCleanup(setattr, inputs, "MAX_LINE_BYTES", inputs.MAX_LINE_BYTES)
        inputs.MAX_LINE_BYTES = 40
        short = '{"id": 1, "expected": 1, "actual": 10}'  # 38 bytes
        for more in (0, 1, 2):
            with self.subTest(more=more):
                line = short.replace(" 1,", " 1" + "0" * more + ",", 1)
                records = self.records(self.file("in.jsonl", f"{line} \n{short}\n{line}{' ' * 200}\n{short}"))
                self.assertEqual(len(records), 4)
                self.assertEqual("error" in records[0], len(line) + 1 > 40)
                self.assertIn("error", records[2])

    def test_gzip_and_a_mark_of_byte_order(self) -> None:
        packed = gzip.compress(b'\xef\xbb\xbf{"id": 1, "expected": 1, "actual": 1}\n')
        self.assertEqual(len(self.records(self.file("in.jsonl.gz", packed))), 1)

    def test_gzip_that_was_cut_leaves_no_output(self) -> None:
        packed = gzip.compress(b'{"id": 1, "expected": 1, "actual": 1}\n' * 1000)
        for end in (5, len(packed) // 2, len(packed) - 3):
            with self.subTest(end=end), self.assertRaisesRegex(ConvertError, "not whole gzip"):
                self.records(self.file("in.jsonl.gz", packed[:end]), source_format="records")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["in.jsonl.gz"])

    def test_an_array_of_records(self) -> None:
        path = self.file("in.json", '\n[{"id": 1, "expected": 1, "actual": 2}, 7]')
        self.assertEqual([record["id"] for record in self.records(path)], [1, "in:2"])
        self.assertEqual(self.counts["unreadable"], 1)


class IdsTest(ConversionTest):
    RECORD = '{"id": %s, "expected": 1, "actual": 1}\n'

    def ids(self, *ids: str, **options) -> list:
        lines = "".join(self.RECORD % each for each in ids)
        return [record["id"] for record in self.records(self.file("in.jsonl", lines), **options)]

    def test_repeated_ids_are_told_apart(self) -> None:
        self.assertEqual(self.ids('"a"', '"a"', '"a#2"', '"a"'), ["a", "a#2", "a#2#2", "a#3"])
        self.assertEqual(self.counts["repeated_ids"], 3)

    def test_ids_are_compared_as_texts(self) -> None:
        self.assertEqual(self.ids("7", '"7"', "7.0", "[1]", "[1]"), [7, "7#2", 7.0, [1], "[1]#2"])

    def test_same_ids_are_left_on_request(self) -> None:
        self.assertEqual(self.ids('"a"', '"a"', same_ids=True), ["a", "a"])

    def test_models_share_ids(self) -> None:
        line = '{"id": "a", "model": "%s", "expected": 1, "actual": 1}\n'
        records = self.records(self.file("in.jsonl", line % "m1" + line % "m2" + line % "m1"))
        self.assertEqual([record["id"] for record in records], ["a", "a", "a#2"])

    def test_no_id(self) -> None:
        [record] = self.records(self.file("runs.v1.jsonl", '{"expected": 1, "actual": 1}\n'))
        self.assertEqual(record["id"], "runs.v1:1")
        self.assertEqual(self.counts["no_id"], 1)

    def test_paths_say_where_values_are(self) -> None:
        line = {"k": {"q": [{"n": 5}]}, "gold": 1, "a.b": 2, "expected": 0, "actual": 0}
        [record] = self.records(
            self.file("in.jsonl", json.dumps(line)),
            id_field="k.q[0].n",
            expected_field="gold",
            actual_field="a.b",
            keep=("k.q", "none"),
        )
        self.assertEqual((record["id"], record["expected"], record["actual"]), (5, 1, 2))
        self.assertEqual(record["k.q"], [{"n": 5}])
        self.assertEqual(self.counts["not_kept"], 1)


class InputsTest(ConversionTest):
    def test_the_input_is_never_written_over(self) -> None:
        path = self.file("in.jsonl", '{"id": 1, "expected": 1, "actual": 1}\n')
        for link in ("hard", "soft"):
            name = self.folder / link
            os.link(path, name) if link == "hard" else name.symlink_to(path)
            for one, other in ((path, path), (path, name), (name, path)):
                with self.assertRaisesRegex(ConvertError, "is, or lies in, the input"):
                    convert([one], other, counts=self.counts)
        self.assertTrue(path.read_text())

    def test_an_input_is_not_read_twice(self) -> None:
        path = self.file("in.jsonl", '{"id": 1, "expected": 1, "actual": 1}\n')
        with self.assertRaisesRegex(ConvertError, "read twice"):
            self.records(path, self.folder / "." / "in.jsonl")

    def test_what_formats_cannot_be_told_is_said(self) -> None:
        cases = {
            "neither.jsonl": ('{"a": 1}', "looks like no format of --list: give --from"),
            "both.jsonl": ('{"id": 1, "expected": 1, "doc_id": 1, "doc": 1}', "could be records or lm-eval"),
            "text.txt": ("id,expected\n", "looks like no format"),
            "empty.jsonl": ("", "looks like no format"),
        }
        for name, (content, sentence) in cases.items():
            with self.subTest(name=name), self.assertRaisesRegex(ConvertError, sentence):
                self.records(self.file(name, content))
        with self.assertRaisesRegex(ConvertError, "several formats, lm-eval and records"):
            self.records(
                self.file("a.jsonl", '{"id": 1, "expected": 1}'),
                self.file("b.jsonl", '{"doc_id": 1, "doc": 1}'),
            )

    def test_an_input_without_samples_leaves_no_output(self) -> None:
        with self.assertRaisesRegex(ConvertError, "there is no sample"):
            self.records(self.file("in.jsonl", "\n\n"), source_format="records")
        self.assertFalse((self.folder / "records-out.jsonl").exists())

    def test_keys_are_found_in_a_head_that_ends_anywhere(self) -> None:
        from leafscore.convert.inputs import top_level_keys

        text = '{"a": {"not": 1, "x": "}"}, "b\\"": [{"no": "\\\\"}], "c": "\\", \\"d\\": ", "e": 1} {"f": 1}'
        self.assertEqual(top_level_keys(text.encode()), {"a", 'b"', "c", "e"})
        for end in range(len(text)):
            self.assertLessEqual(top_level_keys(text[:end].encode()), {"a", 'b"', "c", "e"})


if __name__ == "__main__":
    unittest.main()
