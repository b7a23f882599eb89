#!/usr/bin/env python3
"""Times the scorer `json_schema` beside the packages jsonschema-rs and jsonschema, where they are installed.

Usage: bench/schema_bench.py LEAFSCORE [--documents N] [--rounds N] [--sample N]

Invoices of about 3 KB with 1 to 20 lines, held against a schema with types, required keys, ranges, enums, patterns,
lengths and nullable fields; one in five has an error. The verdicts are compared first, and the fields with errors are
those of jsonschema. Each program reads lines of JSON and runs on one core: leafscore as the command, with its lines of
output, the packages with json.loads and, in a figure of its own, without it. Runs alternate, the median of the rounds
is reported; jsonschema takes the first documents only.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

WORDS = "amber basin cedar delta ember flint grove heron indigo jasper kestrel lagoon meadow nickel onyx".split()
NULLABLE = {"anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}]}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": ["invoice", "vendor", "currency", "total", "lines"],
    "properties": {
        "invoice": {"type": "string", "pattern": "^INV-[0-9]{5}$"},
        "vendor": {"type": "string", "minLength": 1, "maxLength": 80},
        "street": NULLABLE,
        "city": NULLABLE,
        "note": NULLABLE,
        "currency": {"enum": ["EUR", "USD", "GBP", "CHF"]},
        "total": {"type": "number", "minimum": 0},
        "paid": {"type": "boolean"},
        "lines": {"type": "array", "minItems": 1, "maxItems": 100, "items": {"$ref": "#/$defs/line"}},
    },
    "$defs": {
        "line": {
            "type": "object",
            "additionalProperties": False,
            "required": ["number", "sku", "quantity", "price"],
            "properties": {
                "number": {"type": "string", "pattern": "^L[0-9]+$"},
                "sku": {"type": "string", "minLength": 3},
                "description": {"type": "string", "maxLength": 200},
                "unit": {"enum": ["piece", "box", "metre"]},
                "quantity": {"type": "integer", "minimum": 1, "maximum": 1000},
                "price": {"type": "number", "exclusiveMinimum": 0},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
        }
    },
}


def words(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count))


def damage(source, invoice):
    line = source.choice(invoice["lines"])
    source.choice(
        [
            lambda: line.update(quantity=str(line["quantity"])),
            lambda: line.update(price=-line["price"]),
            lambda: line.update(unit="litre"),
            lambda: line.update(number="L-1"),
            lambda: line.pop("sku"),
            lambda: line.update(colour="red"),
            lambda: invoice.update(currency="DKK"),
            lambda: invoice.update(street=5),
            lambda: invoice.pop("total"),
            lambda: invoice.update(note=words(source, 80)),
        ]
    )()


def invoice(number):
    source = random.Random(number)
    lines = [
        {
            "number": f"L{i}",
            "sku": "sku " + words(source, 2),
            "description": words(source, 8),
            "unit": source.choice(["piece", "box", "metre"]),
            "quantity": source.randint(1, 40),
            "price": source.randint(1, 100_000) / 100,
            "tags": [source.choice(WORDS) for _ in range(source.randint(0, 3))],
        }
        for i in range(source.randint(1, 20))
    ]
    made = {
        "invoice": f"INV-{number % 100_000:05d}",
        "vendor": words(source, 3),
        "street": words(source, 4),
        "city": source.choice([None, words(source, 1)]),
        "note": words(source, 25),
        "currency": source.choice(["EUR", "USD", "GBP"]),
        "total": round(sum(line["quantity"] * line["price"] for line in lines), 2),
        "paid": source.random() < 0.5,
        "lines": lines,
    }
    if number % 5 == 0:
        damage(source, made)
    return made


def run(leafscore, path, schema, *options):
    """The lines of output, and the processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [leafscore, "score", path, "-q", "--threads", "1", "-s", f"json_schema:schema={schema}", *options]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output.splitlines(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def top_fields(validator, document):
    """The members at the root of a document in which jsonschema finds an error; those that are missing, too."""
    found = set()
    for error in validator.iter_errors(document):
        path = list(error.absolute_path)
        if not path and error.validator == "required":
            path = [next(key for key in error.validator_value if f"'{key}'" in error.message)]
        found.add(path[0])
    return found


def check(leafscore, path, schema, documents, sample, peers):
    lines, _ = run(leafscore, path, schema)
    scores = [json.loads(line) for line in lines]
    for name, (is_valid, _) in peers.items():
        few = documents[:sample] if name == "jsonschema" else documents
        wrong = [i for i, document in enumerate(few) if is_valid(document) != (scores[i]["score"] == 1)]
        assert not wrong, (name, wrong[:5])
        print(f"{name}: the same verdict on {len(few):,} documents")
    if "jsonschema" in peers:
        validator = peers["jsonschema"][1]
        for document, score in zip(documents[:sample], scores):
            ours = {error["path"].split("[")[0] for error in score["details"]["errors"]}
            assert ours == top_fields(validator, document), (score, ours)
        print("jsonschema: errors in the same fields")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leafscore")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=2_000)
    arguments = parser.parse_args()
    texts = [json.dumps(invoice(number)) for number in range(arguments.documents)]
    documents = [json.loads(text) for text in texts]
    invalid = sum(number % 5 == 0 for number in range(arguments.documents))
    size = sum(map(len, texts)) / len(texts)
    print(f"{len(texts):,} documents of {size:,.0f} bytes, {invalid:,} of them with an error")
    peers = {}
    try:
        import jsonschema_rs

        rust = jsonschema_rs.Draft202012Validator(SCHEMA)
        peers["jsonschema-rs"] = (rust.is_valid, rust)
    except ImportError:
        print("jsonschema-rs: left out, it is not installed")
    try:
        import jsonschema

        python = jsonschema.Draft202012Validator(SCHEMA)
        peers["jsonschema"] = (python.is_valid, python)
    except ImportError:
        print("jsonschema: left out, it is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path, schema = pathlib.Path(folder) / "answers.jsonl", pathlib.Path(folder) / "schema.json"
        path.write_text("".join(f'{{"id": {i}, "actual": {text}}}\n' for i, text in enumerate(texts)), encoding="utf-8")
        schema.write_text(json.dumps(SCHEMA), encoding="utf-8")
        check(arguments.leafscore, path, schema, documents, arguments.sample, peers)
        nothing = pathlib.Path(folder) / "one.jsonl"
        nothing.write_text(f'{{"id": 0, "actual": {texts[0]}}}\n', encoding="utf-8")
        rates = collections.defaultdict(list)
        for _ in range(arguments.rounds):
            start = run(arguments.leafscore, nothing, schema)[1]  # that of the process
            rates["leafscore"].append(len(texts) / (run(arguments.leafscore, path, schema)[1] - start))
            for name, (is_valid, _) in peers.items():
                count = arguments.sample if name == "jsonschema" else len(texts)
                begin = time.process_time()
                for text in texts[:count]:
                    is_valid(json.loads(text))
                rates[name + " with json.loads"].append(count / (time.process_time() - begin))
                begin = time.process_time()
                for document in documents[:count]:
                    is_valid(document)
                rates[name + " of objects in memory"].append(count / (time.process_time() - begin))
    ours = statistics.median(rates["leafscore"])
    for name, of_name in rates.items():
        rate = statistics.median(of_name)
        print(f"{name}: {rate:,.0f} documents/s of one core, leafscore is {ours / rate:,.2f} times as fast")


if __name__ == "__main__":
    sys.exit(main())
