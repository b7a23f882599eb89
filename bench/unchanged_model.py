"""How often is an unchanged model called changed? Families of records that one model answers twice, by the command.

    python3 bench/unchanged_model.py build/release/cli/leafscore [--families 200] [--seed 1]

A family is 20 topics of 30 records. A model refuses 7% of them, anew each time it is asked, and else mistypes 30% of
the texts of its answers. Both askings are scored with json_similarity and compared topic by topic with --fail-on
regressed. It prints in how many families the gate failed, and in how many any figure was called improved or regressed.
"""

import argparse
import json
import math
import random
import subprocess
import tempfile
from pathlib import Path

TOPICS = 20
RECORDS = 30
REFUSALS = 0.07
TYPOS = 0.3
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima".split()

Answer = dict[str, str | int]


def make_gold(rng: random.Random) -> Answer:
    return {
        "name": " ".join(rng.choices(WORDS, k=3)),
        "city": rng.choice(WORDS),
        "total": rng.randint(10, 9999),
        "note": " ".join(rng.choices(WORDS, k=8)),
    }


def mistype(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice("xyz") + text[at + 1 :]


def ask(gold: Answer, rng: random.Random) -> Answer:
    if rng.random() < REFUSALS:
        return {}
    return {
        key: mistype(value, rng) if isinstance(value, str) and rng.random() < TYPOS else value
        for key, value in gold.items()
    }


def score(command: str, records: Path, scores: Path) -> None:
    subprocess.run(
        [command, "score", records, "--scorer", "json_similarity", "--group-by", "topic", "-o", scores, "-q"],
        check=True,
    )


def compare_family(command: str, folder: Path, rng: random.Random) -> tuple[bool, bool]:
    """Returns whether the gate failed, and whether anything was called changed."""
    asked = [(topic, record, make_gold(rng)) for topic in range(TOPICS) for record in range(RECORDS)]
    for asking in ("before", "now"):
        records = folder / f"{asking}.jsonl"
        with records.open("w") as out:
            for topic, record, gold in asked:
                line = {"id": f"{topic}-{record}", "topic": f"t{topic}", "expected": gold, "actual": ask(gold, rng)}
                out.write(json.dumps(line) + "\n")
        score(command, records, folder / f"{asking}.scores.jsonl")
    compared = subprocess.run(
        [command, "compare", folder / "before.scores.jsonl", folder / "now.scores.jsonl", "--by", "topic"]
        + ["--fail-on", "regressed", "--format", "json"],
        capture_output=True,
        text=True,
    )
    if compared.returncode not in (0, 1):
        raise SystemExit(compared.stderr)
    scorer = json.loads(compared.stdout)["files"][0]["scorers"][0]
    verdicts = [row["verdict"] for row in [scorer["all"], *scorer["groups"]]]
    return compared.returncode == 1, any(verdict in ("regressed", "improved") for verdict in verdicts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="leafscore")
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failed = changed = 0
    with tempfile.TemporaryDirectory() as folder:
        for family in range(arguments.families):
            rng = random.Random(f"{arguments.seed} {family}")
            gate_failed, any_changed = compare_family(arguments.command, Path(folder), rng)
            failed += gate_failed
            changed += any_changed
    # The gate may fail in 5% of families, give or take two standard errors.
    most = arguments.families * 0.05 + 2 * math.sqrt(arguments.families * 0.05 * 0.95)
    print(
        f"seed {arguments.seed}: the gate failed in {failed} of {arguments.families} families "
        f"(at most {math.floor(most)} where it is right in 95%), something was called changed in {changed}"
    )


if __name__ == "__main__":
    main()
