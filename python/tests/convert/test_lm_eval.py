"""lm_eval: samples that the package wrote, read; and lines like its own, written."""

import json
import unittest

from conversion_testing import DATA, ConversionTest, convert, needs

FIXTURES = DATA / "lm_eval"
INVOICE = '{"total": 12.5, "currency": "USD"}'


class ReadTest(ConversionTest):
    def by_id(self, *inputs, **options) -> dict:
        return {record.pop("id"): record for record in self.records(*inputs, **options)}

    def test_each_document_and_filter_is_a_record(self) -> None:
        records = self.by_id(FIXTURES)
        self.assertEqual(len(records), 15)
        self.assertEqual(
            records["extract/1/strict-match"],
            {
                "filter": "strict-match",
                "model": "table/model",
                "task": "extract",
                "expected": "Oslo",
                "actual": "Oslo",
            },
        )
        self.assertEqual(records["extract/2/everything"]["actual"], '{"total": 12.5, "curr')
        self.assertEqual(self.counts["other_responses"], 3)

    def test_choices_are_answered_by_the_likeliest_and_ties_by_the_first(self) -> None:
        # The model of the fixture finds longer choices likelier.
        records = self.by_id(FIXTURES / "samples_pick_2026-01-02T03-04-05.000006.jsonl")
        pairs = {key: (record["expected"], record["actual"]) for key, record in records.items()}
        self.assertEqual(pairs, {"pick/0": ("1", "0"), "pick/1": ("0", "1"), "pick/2": ("1", "1")})
        self.assertEqual(self.counts["choices"], 3)

    def test_a_target_in_words_has_an_answer_in_words(self) -> None:
        line = {
            "doc_id": 0,
            "target": "Bergen",
            "arguments": {"gen_args_0": {"arg_0": "q", "arg_1": " Oslo"}, "gen_args_1": ["q", " Bergen"]},
            "filtered_resps": [["-1.5", "False"], ["-inf", "False"]],
            "doc": {},
        }
        [record] = self.records(self.file("samples_x.jsonl", json.dumps(line)))
        self.assertEqual((record["expected"], record["actual"]), ("Bergen", "Oslo"))

    def test_likelihoods_alone_are_no_answer(self) -> None:
        for task in ("perplexity", "last_word"):
            records = self.by_id(FIXTURES / f"samples_{task}_2026-01-02T03-04-05.000006.jsonl")
            self.assertNotIn("actual", records[f"{task}/0"])
            self.assertEqual(records[f"{task}/0"]["expected"], INVOICE)
        self.assertEqual((self.counts["only_likelihoods"], self.counts["no_answer"]), (6, 6))

    def test_all_responses(self) -> None:
        records = self.by_id(FIXTURES, all_responses=True)
        self.assertEqual(len(records), 18)
        self.assertEqual(
            records["extract/1/everything"]["actual"], records["extract/1/everything#2"]["actual"]
        )

    def test_the_document_is_within_reach(self) -> None:
        path = FIXTURES / "samples_pick_2026-01-02T03-04-05.000006.jsonl"
        record = self.records(path, expected_field="doc.choices[0]", keep=("doc.q",))[1]
        self.assertEqual((record["expected"], record["doc.q"]), ("Oslo", "capital"))

    def test_a_nan_metric_costs_no_sample(self) -> None:
        line = '{"doc_id": 3, "doc": {}, "target": "a", "filtered_resps": ["b"], "bleu": NaN}'
        self.assertEqual(len(self.records(self.file("samples_t.jsonl", line))), 1)

    def test_wrong_types_are_records_without_an_answer(self) -> None:
        wrong = [None, 7, "text", {}, [], [None], [[]], [[None]]]
        lines = [
            json.dumps({"doc_id": [n], "doc": 1, "filtered_resps": each}) for n, each in enumerate(wrong)
        ]
        lines += ['{"doc_id": 9, "doc": 1, "arguments": 5, "filtered_resps": [["x", "True"]]}']
        lines += [
            '{"doc_id": 9, "doc": 1, "arguments": {"a": [], "b": 1}, "filtered_resps": [["x", "True"]]}'
        ]
        lines += [
            '{"doc_id": 9, "doc": 1, "arguments": [[], []], "filtered_resps": [["1", "True"], ["2", "True"]]}'
        ]
        records = self.records(self.file("samples_t.jsonl", "\n".join(lines)))
        self.assertEqual(len(records), 11)
        self.assertEqual([record.get("actual") for record in records], [None] * 8 + ["x", "x", None])
        self.assertEqual(self.counts["no_target"], 11)


class WriteTest(ConversionTest):
    def test_records_come_back(self) -> None:
        lines = [
            {"id": "a", "model": "m", "expected": {"x": 1}, "actual": "text"},
            {"id": 7, "expected": "t", "actual": [1]},
            {"id": "c", "expected": "t", "error": "failed"},
            {"id": "d", "actual": "only"},
        ]
        path = self.file("in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        written = self.folder / "samples_task.jsonl.gz"
        convert([path], written, target_format="lm-eval", counts=self.counts)
        self.assertEqual(self.counts["as_json"], 2)
        back = self.records(written)
        for record in back:
            self.assertEqual(record.pop("task"), "task")
        expected = [
            {**lines[0], "expected": '{"x": 1}'},
            {**lines[1], "actual": "[1]"},
            lines[2],
            lines[3],
        ]
        self.assertEqual(back, expected)


@needs("lm_eval")
class PackageTest(ConversionTest):
    def test_the_package_installed_writes_what_the_fixtures_hold(self) -> None:
        self.assertEqual(self.records(self.make_again("lm_eval")), self.records(FIXTURES))

    def test_members_are_those_of_the_package(self) -> None:
        path = self.file("in.jsonl", '{"id": "a", "expected": "t", "actual": "u"}')
        convert([path], self.folder / "samples_t.jsonl", target_format="lm-eval", counts=self.counts)
        written = json.loads((self.folder / "samples_t.jsonl").read_text())
        theirs = json.loads(next(FIXTURES.glob("samples_pick*")).read_text().splitlines()[0])
        self.assertLessEqual(set(theirs) - {"acc"}, set(written))
        self.assertEqual(
            {key: type(written[key]) for key in theirs if key != "acc"},
            {key: type(theirs[key]) for key in theirs if key != "acc"},
        )


if __name__ == "__main__":
    unittest.main()
