#!/usr/bin/env python3
"""Runs the command in situations that newcomers meet, and checks what it says: the exit status, and the words
that lead to the right command. With --show it prints everything that is said.

    situations.py LEAFSCORE [--show]

A situation is (what somebody has or does, the arguments, the exit status, words that must be said, in this
order). Files are made on the fly; a name in the arguments is one of FILES.
"""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

COMMAND = os.path.abspath(sys.argv[1])
GOLD = [{"city": city, "country": country, "zip": str(10000 + 7 * at)} for at, (city, country) in enumerate(
    [("Oslo", "Norway"), ("Rome", "Italy"), ("Lima", "Peru"), ("Cairo", "Egypt"), ("Quito", "Ecuador")])]


def lines(*records):
    return "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)


def pairs(answer, **more):
    return lines(*[{"id": at, "expected": gold, "actual": answer(gold), **more} for at, gold in enumerate(GOLD)])


def fenced(gold):
    return "```json\n" + json.dumps(gold) + "\n```"


def zipped(name, text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


def chat(text, **more):
    return {"choices": [{"message": {"role": "assistant", "content": text}, **more}], "object": "chat.completion"}


SCORE = ["score", "-s", "json_similarity", "-o", "out.jsonl"]
FILES = {
    "pairs.jsonl": pairs(lambda gold: gold),
    "wrong.jsonl": pairs(lambda gold: {"city": "Bern", "country": "Malta", "zip": "99"}),
    "fenced.jsonl": pairs(fenced),
    "prose.jsonl": pairs(lambda gold: "The city is " + gold["city"] + ", as far as I can tell from the letter."),
    "in_prose.jsonl": pairs(lambda gold: "Here it is: " + json.dumps(gold) + " Anything else?"),
    "cut.jsonl": pairs(lambda gold: "Sure, here it is: " + json.dumps(gold)[:20]),
    "wrapped.jsonl": pairs(lambda gold: {"result": gold}),
    "listed.jsonl": pairs(lambda gold: [gold]),
    "keys.jsonl": pairs(lambda gold: {key.title(): value for key, value in gold.items()}),
    "refused.jsonl": pairs(lambda gold: "I'm sorry, but I cannot help with that."),
    "failed.jsonl": pairs(lambda gold: "Error code: 429 - rate limit exceeded"),
    "null.jsonl": pairs(lambda gold: None),
    "shifted.jsonl": pairs(lambda gold: GOLD[(GOLD.index(gold) + 1) % 5]),
    "nested.jsonl": pairs(json.dumps),
    "renamed.jsonl": pairs(lambda gold: gold).replace('"actual"', '"prediction"'),
    "long.jsonl": "".join(pairs(lambda gold: gold, model=model) for model in "ab"),
    "wide.jsonl": lines(*[{"id": at, "expected": gold, "answers": {"a": gold, "b": {}}}
                          for at, gold in enumerate(GOLD)]),
    "no_ids.jsonl": pairs(lambda gold: gold).replace('"id"', '"key"'),
    "broken.jsonl": pairs(lambda gold: gold) + '{"id": 9, "expected": {"a": 1}, "actual": {"a": \n',
    "quotes.jsonl": pairs(lambda gold: gold).replace('"', "'"),
    "array.json": json.dumps([json.loads(line) for line in pairs(lambda gold: gold).splitlines()]),
    "open.json": json.dumps([json.loads(line) for line in pairs(lambda gold: gold).splitlines()])[:-1],
    "object.json": json.dumps({"data": [{"id": 1}]}, indent=2),
    "pairs.csv": 'id,expected,actual\n1,"{""city"": ""Oslo""}","{""city"": ""Oslo""}"\n',
    "semicolons.csv": "id;expected;actual\n1;Oslo;Oslo\n",
    "ragged.csv": 'id,expected,actual\n1,Oslo\n2,Rome,Rome,Roma\n3,"open\n',
    "columns.csv": "id,truth,answer\n1,Oslo,Oslo\n",
    "pairs.tsv": "id\texpected\tactual\n1\tOslo\tOslo\n",
    "pairs.jsonl.gz": gzip.compress(pairs(lambda gold: gold).encode()),
    "cut.jsonl.gz": gzip.compress(pairs(lambda gold: gold).encode())[:40],
    "utf16.jsonl": pairs(lambda gold: gold).encode("utf-16"),
    "empty.jsonl": "",
    "page.html": "<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n",
    "table.xlsx": zipped("xl/workbook.xml", "<workbook/>"),
    "pairs.parquet": b"PAR1" + bytes(20) + b"PAR1",
    "pairs.arrow": b"ARROW1\0\0" + bytes(20),
    "batch.jsonl": lines({"id": "batch_1", "custom_id": "1", "response": {"status_code": 200, "body": chat("{}")},
                          "error": None}),
    "claude.jsonl": lines({"custom_id": "1", "result": {"type": "succeeded", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "{}"}]}}}),
    "chats.jsonl": lines(chat("{}"), chat("{}")),
    "failed_first.jsonl": lines(
        {"id": "batch_1", "custom_id": "1", "response": None, "error": {"message": "expired"}},
        *[{"id": "batch_2", "custom_id": str(n), "response": {"status_code": 200, "body": chat("{}")}, "error": None}
          for n in (2, 3)]),
    "responses.jsonl": lines({"id": "resp_1", "object": "response", "output": [
        {"type": "reasoning", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": "{}"}]}]}),
    "thinking.jsonl": lines({"custom_id": "1", "result": {"type": "succeeded", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "content": [
            {"type": "thinking", "thinking": "?"}, {"type": "text", "text": "{}"}]}}}),
    "calls.jsonl": lines({"id": "batch_1", "custom_id": "1", "error": None, "response": {"status_code": 200, "body": {
        "choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [
            {"type": "function", "function": {"name": "f", "arguments": "{}"}}]}}]}}}),
    "log.eval": zipped("header.json", json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}})),
    "log.json": json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": []}, indent=2),
    "samples_t.jsonl": lines({"doc_id": 0, "doc": {"q": "?"}, "target": "4", "arguments": [], "resps": [["4"]],
                              "filtered_resps": ["4"], "exact_match": 1.0}),
    "results.json": json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": [], "stats": {}}}, indent=2),
    "gold.jsonl": lines(*[{"id": at, "expected": gold} for at, gold in enumerate(GOLD)]),
    "answers.jsonl": lines(*[{"id": at, "actual": gold} for at, gold in enumerate(GOLD)]),
    "other_ids.jsonl": lines(*[{"id": f"q{at}", "actual": gold} for at, gold in enumerate(GOLD)]),
    "twice.jsonl": lines(*[{"id": at % 3, "actual": gold} for at, gold in enumerate(GOLD)]),
    "scorers.yaml": "scorers:\n  - {type: json_similarity}\n",
    "mistyped.yaml": "scorers:\n  - {type: json_similarty}\n",
    "option.yaml": "scorers:\n  - {type: json_similarity, array_match: any}\n",
    "tabs.yaml": "scorers:\n\t- {type: json_similarity}\n",
    "-pairs.jsonl": pairs(lambda gold: gold),
    "accepted.jsonl": lines({"id": 1, "expected": {"name": {"$any": ["Oslo"]}}, "actual": {"name": "Oslo"}}),
    "many.jsonl": "".join(pairs(lambda gold: gold, model="a") for _ in range(2200)),
}
# The scores of pairs.jsonl and wrong.jsonl are made first: scores.jsonl, worse.jsonl.
SITUATIONS = [
    # The right thing
    ("records with answers", [*SCORE, "pairs.jsonl"], 0, "json_similarity"),
    ("a JSON array", [*SCORE, "array.json"], 0, "json_similarity"),
    ("a CSV table", [*SCORE, "pairs.csv"], 0, "json_similarity"),
    ("a table with semicolons", ["score", "-s", "exact_match", "-o", "out.jsonl", "semicolons.csv"], 0, "exact_match"),
    ("a TSV table", ["score", "-s", "exact_match", "-o", "out.jsonl", "pairs.tsv"], 0, "exact_match"),
    ("a compressed file", [*SCORE, "pairs.jsonl.gz"], 0, "json_similarity"),
    ("several models in one file", [*SCORE, "long.jsonl", "--source-field", "model"], 0, "model"),
    ("a column for each model", [*SCORE, "wide.jsonl", "--actual-field", "answers.*"], 0, "model"),
    ("gold apart", [*SCORE, "answers.jsonl", "--gold", "gold.jsonl"], 0, "json_similarity"),
    # No command, or a wrong one
    ("nothing", [], 2, "name a command: score", "leafscore --help"),
    ("a mistyped command", ["scor", "pairs.jsonl"], 2, 'did you mean "score"'),
    ("a file for a command", ["pairs.jsonl"], 2, "score"),
    ("no scorer", ["score", "pairs.jsonl"], 2, "--scorer", "leafscore scorers"),
    ("a file like an option", [*SCORE, "-pairs.jsonl"], 2, "write ./-pairs.jsonl"),
    ("no file", ["score", "-s", "json_similarity"], 2, "inputs"),
    ("a mistyped scorer", ["score", "-s", "json_similarty", "pairs.jsonl"], 2, 'did you mean "json_similarity"'),
    ("a mistyped option", [*SCORE, "pairs.jsonl", "--thread", "2"], 2, "--threads"),
    ("an option of no scorer", ["score", "-s", "json_similarity:arraymatch=ordered", "pairs.jsonl"], 2, "array_match"),
    ("a # in an option", ["score", "-s", "exact_match:target_output_key=a #b", "pairs.jsonl"], 2, "comment", "quotes"),
    ("a mistyped type in YAML", ["score", "-c", "mistyped.yaml", "pairs.jsonl"], 2, "mistyped.yaml", "json_similarity"),
    ("a wrong value in YAML", ["score", "-c", "option.yaml", "pairs.jsonl"], 2, "option.yaml", "any_order"),
    ("tabs in YAML", ["score", "-c", "tabs.yaml", "pairs.jsonl"], 2, "tabs.yaml", "tab"),
    ("records as configuration", ["score", "-c", "pairs.jsonl", "pairs.jsonl"], 2, "pairs.jsonl"),
    ("a configuration as records", [*SCORE, "scorers.yaml"], 2, "scorers.yaml"),
    # Files that are not there, or not what they seem
    ("a mistyped file", [*SCORE, "pair.jsonl"], 2, "pair.jsonl", "pairs.jsonl"),
    ("a folder", [*SCORE, "."], 2, "directory"),
    ("an empty file", [*SCORE, "empty.jsonl"], 2, "no records"),
    ("a page of HTML", [*SCORE, "page.html"], 2, "a web page", "fetch the records again"),
    ("a sheet of Excel", [*SCORE, "table.xlsx"], 2, "a spreadsheet", "CSV"),
    ("Parquet", [*SCORE, "pairs.parquet"], 2, "Parquet", "leafscore convert"),
    ("Arrow", [*SCORE, "pairs.arrow"], 2, "Arrow", "leafscore convert"),
    ("UTF-16", [*SCORE, "utf16.jsonl"], 2, "UTF-16"),
    ("a cut gzip file", [*SCORE, "cut.jsonl.gz"], 2, "cut.jsonl.gz", "end"),
    ("a JSON object", [*SCORE, "object.json"], 2, "object.json"),
    ("an array without its end", [*SCORE, "open.json"], 2, "open.json", "array"),
    ("Python's quotes", [*SCORE, "quotes.jsonl"], 2, "double quotes", "json.dumps"),
    ("a broken line", [*SCORE, "broken.jsonl", "--strict"], 1, "rejected"),
    ("a ragged table", ["score", "-s", "exact_match", "-o", "out.jsonl", "ragged.csv"], 2, "ragged.csv"),
    # Files of other tools
    ("a batch of OpenAI", [*SCORE, "batch.jsonl"], 2, "OpenAI", "--actual-field"),
    ("a batch of Anthropic", [*SCORE, "claude.jsonl"], 2, "Anthropic", "--actual-field"),
    ("chat completions", [*SCORE, "chats.jsonl"], 2, "chat completion", "--actual-field"),
    ("a batch whose first request failed", [*SCORE, "failed_first.jsonl"], 2, "OpenAI", "choices[0].message.content"),
    ("responses of OpenAI", [*SCORE, "responses.jsonl"], 2, "responses of OpenAI", "'output[1].content[0].text'"),
    ("a batch with thinking", [*SCORE, "thinking.jsonl"], 2, "Anthropic", "'result.message.content[1].text'"),
    ("a batch of tool calls", [*SCORE, "calls.jsonl"], 2, "-s tool_calls --actual-field response.body"),
    ("a log of Inspect", [*SCORE, "log.eval"], 2, "inspect_ai", "leafscore convert"),
    ("the same as JSON", [*SCORE, "log.json"], 2, "inspect_ai", "leafscore convert"),
    ("samples of lm-eval", [*SCORE, "samples_t.jsonl"], 2, "lm_eval", "leafscore convert"),
    ("results of promptfoo", [*SCORE, "results.json"], 2, "promptfoo", "leafscore convert"),
    # Fields
    ("another name for answers", [*SCORE, "renamed.jsonl"], 2, '"actual"', '"prediction"'),
    ("other columns", ["score", "-s", "exact_match", "-o", "out.jsonl", "columns.csv"], 2, '"expected"', '"truth"'),
    ("a mistyped field", [*SCORE, "pairs.jsonl", "--actual-field", "actul"], 2, 'did you mean "actual"'),
    ("a mistyped model", [*SCORE, "long.jsonl", "--source-field", "modle"], 2, 'did you mean "model"'),
    ("the same in a long file", [*SCORE, "many.jsonl", "--source-field", "modle"], 2, "the first 10,", '"model"'),
    ("a mistyped path", ["score", "-s", "json_similarity:target_output_key=citty", "pairs.jsonl"], 2, '"city"'),
    ("a key of no gold", ["score", "-s", "exact_match:any_of_key=$anny", "pairs.jsonl"], 2, '"$anny"', "any_of_key"),
    ("several models, no field", [*SCORE, "long.jsonl"], 0, "--source-field model"),
    # Gold
    ("a field in another case", [*SCORE, "pairs.jsonl", "--id-field", "ID"], 2, 'did you mean "id"'),
    ("a mistyped key of accepted values", ["score", "-s", "json_similarity:any_of_key=$anny", "accepted.jsonl"], 2,
     'did you mean "$any"?', 'has: "name", "$any" ('),
    ("a size with a unit", [*SCORE, "pairs.jsonl", "--batch-bytes", "20K"], 0, "json_similarity"),
    ("a size with a wrong unit", [*SCORE, "pairs.jsonl", "--batch-bytes", "20KB"], 2, "write 20480, 20K or 20KiB"),
    ("a shard", [*SCORE, "pairs.jsonl", "--shard", "1/3"], 0,
     "leafscore merge out.jsonl.shard-*-of-3 -o out.jsonl"),
    ("no gold", [*SCORE, "answers.jsonl"], 2, '"expected"'),
    ("gold of other ids", [*SCORE, "other_ids.jsonl", "--gold", "gold.jsonl"], 2, "id"),
    ("two answers to an id", [*SCORE, "twice.jsonl", "--gold", "gold.jsonl", "--repeats", "error"], 2, "--repeats"),
    # Answers that are wrong in a way
    ("wrong answers", [*SCORE, "wrong.jsonl", "--fail-under", "0.9"], 1, "0.9"),
    ("fences, not read", [*SCORE, "fenced.jsonl", "--parse-texts", "never"], 0, "fenced"),
    ("prose", [*SCORE, "prose.jsonl"], 0, "prose"),
    ("JSON in prose", [*SCORE, "in_prose.jsonl"], 0, "in_prose"),
    ("JSON in prose that ends early", [*SCORE, "cut.jsonl"], 0, "cut_off"),
    ("the same, with prose read", [*SCORE, "cut.jsonl", "--parse-texts", "prose"], 0, "cut_off"),
    ("a wrapper", [*SCORE, "wrapped.jsonl"], 0, "wrapped"),
    ("a list of one", [*SCORE, "listed.jsonl"], 0, "list_of_one"),
    ("keys in another case", [*SCORE, "keys.jsonl"], 0, "key_names"),
    ("refusals", [*SCORE, "refused.jsonl"], 0, "refusal"),
    ("messages of a service", [*SCORE, "failed.jsonl"], 0, "failure"),
    ("no answers", [*SCORE, "null.jsonl"], 0, "no_value"),
    ("answers of the record below", [*SCORE, "shifted.jsonl"], 0, "swapped"),
    ("records for a leaderboard", ["leaderboard", "pairs.jsonl"], 2, "leafscore score"),
    ("records to compare", ["compare", "pairs.jsonl", "wrong.jsonl"], 2, "leafscore score"),
    ("scores to score", [*SCORE, "scores.jsonl"], 2, "scores"),
    ("scores to compare", ["compare", "scores.jsonl", "worse.jsonl"], 0, "at least 6 are needed"),
]


def main():
    show = sys.argv[2:] == ["--show"]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            Path(folder, name).write_bytes(content.encode() if isinstance(content, str) else content)
        environment = {**os.environ, "PATH": "/usr/bin:/bin"}

        def say(arguments):
            done = subprocess.run([COMMAND, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", check=False)
            return done.returncode, done.stdout + done.stderr

        for records, scores in [("pairs.jsonl", "scores.jsonl"), ("wrong.jsonl", "worse.jsonl")]:
            status, said = say(["score", "-q", "-s", "json_similarity", records, "-o", scores])
            assert status == 0, said
        for situation, arguments, wanted_status, *words in SITUATIONS:
            for left in Path(folder).glob("out.jsonl*"):
                left.unlink()
            status, said = say(arguments)
            # Another name of a field is another run, which cannot go on with this one.
            goes_on = "the field" in said and "--allow-absent-paths" not in said and "--resume goes on" in said
            has_words = re.search(".*".join(map(re.escape, words)), said, re.DOTALL)
            is_right = status == wanted_status and not goes_on and has_words
            if show or not is_right:
                print(f"{'' if is_right else 'WRONG: '}{situation}: leafscore {' '.join(arguments)}\n"
                      f"  exit status {status}, wanted {wanted_status} and {words}\n  {said}")
            if not is_right:
                failed.append(situation)
    print(f"{len(SITUATIONS) - len(failed)} of {len(SITUATIONS)} situations are told well")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
