"""Damaged and strange inputs: a conversion ends with records that count up, or with a sentence, and never otherwise."""

import io
import json
import random
import unittest

from conversion_testing import DATA, ConversionTest, ConvertError, Counts, Options, convert

SEEDS = {
    "lm-eval": sorted((DATA / "lm_eval").glob("samples_*")),
    "openai-evals": [DATA / "openai_evals" / "match.jsonl"],
    "promptfoo": [DATA / "promptfoo" / "results.json"],
}
STRANGE = [
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "\ud800",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    [["-1.0", "False"]],
    float("nan"),
]
STRANGE += [10**400, {"expected": 3}, {"0": 1}, ["x", "True"]]
BYTES = [b"[", b"{", b'"', b"\\", b"\n", b"\0", b"1e999", b"NaN", b"\\ud800", b"\xff", b"[" * 3000]


def with_strange_value(value, chance: random.Random):
    """The value with one of its parts, or itself, replaced or removed."""
    if isinstance(value, (dict, list)) and value and chance.random() < 0.85:
        value = value.copy()
        place = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if chance.random() < 0.1:
            del value[place]
        else:
            value[place] = with_strange_value(value[place], chance)
        return value
    return chance.choice(STRANGE)


def with_strange_bytes(raw: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 2, 20])):
        place, length = chance.randrange(len(raw) + 1), chance.choice([0, 1, 100])
        raw = raw[:place] + chance.choice([b"", *BYTES]) + raw[place + length :]
    return raw


class HostileTest(ConversionTest):
    def damaged(self, raw: bytes, chance: random.Random) -> bytes:
        if chance.random() < 0.5:
            return with_strange_bytes(raw, chance)
        if raw.startswith(b"{\n"):
            return json.dumps(with_strange_value(json.loads(raw), chance)).encode()
        lines = [json.loads(line) for line in raw.splitlines()]
        place = chance.randrange(len(lines))
        lines[place] = with_strange_value(lines[place], chance)
        return "\n".join(map(json.dumps, lines)).encode()

    def test_any_damage_ends_in_records_or_a_sentence(self) -> None:
        chance = random.Random(14)
        outcomes = {True: 0, False: 0}
        for round_number in range(400):
            source_format = chance.choice(list(SEEDS))
            seed = chance.choice(SEEDS[source_format])
            path = self.file(seed.name, self.damaged(seed.read_bytes(), chance))
            target_format = chance.choice(["records", "lm-eval", "openai-evals", "promptfoo"])
            options = Options(all_responses=chance.random() < 0.3, keep=("doc.q", "[0]", "."))
            counts, output = Counts(io.StringIO()), self.folder / "out"
            with self.subTest(round=round_number, seed=seed.name, to=target_format):
                try:
                    convert([path], output, source_format=chance.choice([source_format, None]),
                            target_format=target_format, options=options, counts=counts)  # fmt: skip
                except ConvertError:
                    outcomes[False] += 1
                    continue
                outcomes[True] += 1
                self.check(output.read_bytes().decode(), target_format, counts)
        self.assertGreater(min(outcomes.values()), 20)

    def check(self, text: str, target_format: str, counts: Counts) -> None:
        if target_format == "promptfoo":
            self.assertEqual(len(json.loads(text)), counts["records"])
        lines = (
            []
            if target_format == "promptfoo"
            else [json.loads(line, parse_constant=self.fail) for line in text.splitlines()]
        )
        if target_format == "records":
            ids = {(json.dumps(line.get("model")), str(line["id"])) for line in lines}
            self.assertEqual((len(lines), len(ids)), (counts["records"], counts["records"]))


if __name__ == "__main__":
    unittest.main()
