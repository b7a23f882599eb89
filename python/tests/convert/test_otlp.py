"""Lines of scores as events, read back with OpenTelemetry's own messages where these are installed."""

import importlib.util
import json
import os
import unittest

from conversion_testing import ConversionTest, ConvertError, convert, run_command

HAS_PROTO = (
    importlib.util.find_spec("opentelemetry") is not None
    and importlib.util.find_spec("opentelemetry.proto") is not None
)
LINES = [
    {"id": "a", "scorer": "near", "outcome": "scored", "score": 0.5, "passed": False, "groups": {"model": "m", "run": 3}},
    {"id": 7, "scorer": "whole", "outcome": "scored", "score": 1},
    {"id": "b", "scorer": "near", "outcome": "unanswered", "reason": "no_answer", "message": "there is no answer"},
    {"id": None, "scorer": "near", "outcome": "error", "reason": "missing_expected"},
    {
        "id": "c",
        "scorer": "near",
        "outcome": "scored",
        "score": 0,
        "passed": True,
        "groups": {"trace_id": "0af7651916cd43dd8448eb211c80319c", "span_id": "b7ad6b7169203331", "response_id": "r-1"},
    },
]
MODIFIED = 1_700_000_000_123_456_789


class OtlpTest(ConversionTest):
    def scores(self, lines: list, name: str = "scores.jsonl"):
        path = self.file(name, "".join(json.dumps(line) + "\n" for line in lines))
        os.utime(path, ns=(MODIFIED, MODIFIED))
        return path

    def requests(self, *inputs, **options) -> list[dict]:
        output = self.folder / "events.jsonl"
        convert(inputs, output, target_format="otlp", counts=self.counts, **options)
        return [json.loads(line) for line in output.read_text().splitlines()]

    def events(self, *inputs) -> list[dict]:
        return [
            {**record, "attributes": {each["key"]: each["value"] for each in record["attributes"]}}
            for request in self.requests(*inputs)
            for record in request["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
        ]

    def test_each_line_is_an_event(self) -> None:
        near, whole, unanswered, error, traced = self.events(self.scores(LINES))
        self.assertEqual(
            near,
            {
                "timeUnixNano": str(MODIFIED),
                "eventName": "gen_ai.evaluation.result",
                "attributes": {
                    "gen_ai.evaluation.name": {"stringValue": "near"},
                    "gen_ai.evaluation.score.value": {"doubleValue": 0.5},
                    "gen_ai.evaluation.score.label": {"stringValue": "fail"},
                    "leafscore.id": {"stringValue": "a"},
                    "leafscore.outcome": {"stringValue": "scored"},
                    "leafscore.groups.model": {"stringValue": "m"},
                    "leafscore.groups.run": {"stringValue": "3"},
                },
            },
        )
        self.assertEqual(whole["attributes"]["leafscore.id"], {"stringValue": "7"})
        self.assertNotIn("gen_ai.evaluation.score.label", whole["attributes"])
        self.assertEqual((traced["traceId"], traced["spanId"]), ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"))
        self.assertEqual(traced["attributes"]["gen_ai.response.id"], {"stringValue": "r-1"})
        self.assertEqual(self.counts["lines"], 5)

    def test_what_has_no_score_has_no_value(self) -> None:
        _, _, unanswered, error, _ = self.events(self.scores(LINES))
        for event in (unanswered, error):
            self.assertNotIn("gen_ai.evaluation.score.value", event["attributes"])
        self.assertEqual(unanswered["attributes"]["gen_ai.evaluation.score.label"], {"stringValue": "unanswered"})
        self.assertEqual(unanswered["attributes"]["gen_ai.evaluation.explanation"], {"stringValue": "there is no answer"})
        self.assertNotIn("error.type", unanswered["attributes"])
        self.assertEqual(error["attributes"]["error.type"], {"stringValue": "missing_expected"})
        self.assertNotIn("leafscore.id", error["attributes"])

    def test_what_is_no_trace_id_stays_a_group(self) -> None:
        groups = {"trace_id": "0AF7", "span_id": 5}
        [event] = self.events(self.scores([{**LINES[1], "groups": groups}]))
        self.assertEqual(event["attributes"]["leafscore.groups.trace_id"], {"stringValue": "0AF7"})
        self.assertEqual(event["attributes"]["leafscore.groups.span_id"], {"stringValue": "5"})
        self.assertNotIn("traceId", event)

    def test_requests_hold_512_events(self) -> None:
        for number, sizes in ((511, [511]), (512, [512]), (513, [512, 1])):
            made = self.requests(self.scores([{**LINES[0], "id": n} for n in range(number)]))
            records = [request["resourceLogs"][0]["scopeLogs"][0]["logRecords"] for request in made]
            self.assertEqual([len(each) for each in records], sizes)

    def test_other_lines_are_told_and_a_manifest_is_passed_over(self) -> None:
        path = self.scores([LINES[0], {"id": "x", "expected": 1}, {"manifest": {}}])
        self.assertEqual(len(self.events(path)), 1)
        self.assertEqual(self.counts["unreadable"], 1)
        self.assertIn("scores.jsonl:2: it is no line of scores", self.told.getvalue())

    def test_inputs_without_scores_make_no_output(self) -> None:
        with self.assertRaisesRegex(ConvertError, "no line of scores"):
            self.events(self.file("records.jsonl", '{"id": "a", "expected": 1, "actual": 1}\n'))
        self.assertFalse((self.folder / "events.jsonl").exists())
        with self.assertRaisesRegex(ConvertError, "convert --to scores first"):
            self.requests(self.scores(LINES), source_format="lm-eval")

    def test_the_command_reads_a_pipe(self) -> None:
        line = json.dumps(LINES[0]) + "\n"
        ended = run_command("-", "--to", "otlp", stdin=None, input=line.encode())
        self.assertEqual(ended.returncode, 0, ended.stderr)
        request = json.loads(ended.stdout)
        [record] = request["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
        self.assertEqual(record["timeUnixNano"], "0")
        self.assertIn(b"1 scores of 1 samples", ended.stderr)

    @unittest.skipUnless(HAS_PROTO, "the package opentelemetry-proto is not installed")
    def test_opentelemetry_reads_them(self) -> None:
        from google.protobuf import json_format
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

        request = self.requests(self.scores(LINES))[0]
        for line in [request]:
            # OTLP's JSON has ids in hexadecimal, where JSON of protobuf has base64.
            for record in line["resourceLogs"][0]["scopeLogs"][0]["logRecords"]:
                record.pop("traceId", None), record.pop("spanId", None)
        read = json_format.ParseDict(request, ExportLogsServiceRequest())
        [scope] = read.resource_logs[0].scope_logs
        self.assertEqual([record.event_name for record in scope.log_records], ["gen_ai.evaluation.result"] * 5)
        self.assertEqual(scope.log_records[0].time_unix_nano, MODIFIED)
        values = {each.key: each.value for each in scope.log_records[0].attributes}
        self.assertEqual(values["gen_ai.evaluation.score.value"].double_value, 0.5)


if __name__ == "__main__":
    unittest.main()
