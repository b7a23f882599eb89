"""promptfoo: results written by hand after its declared types, as it is no package of PyPI."""

import json
import unittest

from conversion_testing import DATA, ConversionTest, convert

FIXTURE = DATA / "promptfoo" / "results.json"


class ReadTest(ConversionTest):
    EXPECTED = [
        {"id": "test-0", "description": "a capital", "expected": "Oslo", "actual": "Oslo"},
        {"id": "test-1", "expected": {"total": 12.5}, "actual": {"total": 12.5}},
        {"id": "test-2", "actual": "free text"},
        {"id": "test-0", "description": "a capital", "expected": "Oslo", "actual": "Bergen"},
        {"id": "test-1", "expected": {"total": 12.5}, "actual": {"total": 12}},
        {"id": "test-2", "actual": "free text"},
        {"id": "test-0", "description": "a capital", "expected": "Oslo", "actual": "Oslo"},
        {"id": "test-1", "expected": {"total": 12.5}, "error": "API error: 429"},
        {"id": "test-2", "actual": "free text"},
    ]

    def test_a_result_is_a_record_and_each_prompt_of_a_provider_a_model(self) -> None:
        records = self.records(FIXTURE)
        models = [record.pop("model") for record in records]
        self.assertEqual(models, ["openai:a/prompt-0"] * 3 + ["openai:a/prompt-1"] * 3 + ["local:b"] * 3)
        self.assertEqual(records, self.EXPECTED)
        self.assertEqual((self.counts["no_target"], self.counts["errors"]), (3, 1))

    def test_lines_of_results_are_read_too(self) -> None:
        results = json.loads(FIXTURE.read_text())["results"]["results"]
        lines = [json.dumps(result) + "\n" for result in results]
        lines[4] = lines[4][:50] + "\n"
        records = self.records(self.file("results.jsonl", "".join(lines)))
        self.assertEqual(len(records), 9)
        self.assertEqual(records[4]["id"], "results:5")
        self.assertEqual(self.counts["unreadable"], 1)

    def test_templates_have_their_variables_filled_in(self) -> None:
        def result(value: object, **variables: object) -> dict:
            return {"testCase": {"assert": [{"type": "equals", "value": value}]}, "vars": variables}

        results = [
            result("{{a}} in {{ b.c }}", a="Oslo", b={"c": {"x": 1}}),
            result("{{ a | upper }}", a="Oslo"),
            result({"a": "{{a}}"}, a="Oslo"),
        ]
        records = self.records(self.file("r.json", json.dumps({"evalId": "e", "results": results})))
        self.assertEqual(
            [record["expected"] for record in records],
            ['Oslo in {"x": 1}', "{{ a | upper }}", {"a": "{{a}}"}],
        )
        self.assertEqual(self.counts["templates"], 1)

    def test_wrong_types_lose_no_result(self) -> None:
        strange = [
            {},
            5,
            {"testCase": []},
            {"testIdx": "x", "provider": 3, "vars": {"expected": 1}, "response": []},
            {
                "testCase": {"assert": [1, {"type": "equals"}, {"type": "equals", "value": None}]},
                "promptIdx": {},
            },
            {"response": {"output": None, "error": {"code": 1}}, "gradingResult": {"componentResults": [3]}},
        ]
        path = self.file("r.json", json.dumps({"evalId": None, "results": strange}))
        records = self.records(path)
        self.assertEqual(len(records), 6)
        self.assertEqual(records[4]["expected"], None)
        self.assertEqual(records[5]["error"], '{"code": 1}')


class WriteTest(ConversionTest):
    def test_records_become_tests_with_their_answers(self) -> None:
        lines = [
            '{"id": "a", "expected": {"x": "{{ 1 }}"}, "actual": {"x": 1}}',
            '{"id": 7, "expected": 0.10, "actual": [1]}',
            '{"id": "c", "expected": "t", "error": "failed"}',
        ]
        path = self.file("in.jsonl", "\n".join(lines))
        convert([path], self.folder / "tests.json", target_format="promptfoo", counts=self.counts)
        text = (self.folder / "tests.json").read_text()
        tests = json.loads(text)
        self.assertIn('"expected": 0.10', text)
        self.assertEqual([test["providerOutput"] for test in tests], [{"x": 1}, "[1]", ""])
        self.assertEqual(tests[0]["metadata"], {"expected": {"x": "{{ 1 }}"}, "leafscore_id": "a"})
        self.assertTrue(tests[0]["assert"][0]["value"].endswith("integrations/promptfoo.py:get_assert"))
        self.assertEqual(self.counts["empty_answer"], 1)


if __name__ == "__main__":
    unittest.main()
