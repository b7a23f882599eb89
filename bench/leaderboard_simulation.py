"""Whether the intervals of ranks hold together: boards of models whose true ranks are known, ranked by the command.

    python3 bench/leaderboard_simulation.py build/release/cli/leafscore [--boards 400] [--seed 1]

A model passes record i with the chance q + u_i: q is its own, and u_i, from -0.25 to 0.25, is how easy the record is, so
that answers of two models to one record go together. Of each kind of board it prints how often all intervals hold,
each one alone, and how many ranks wide they are, with standard errors.
"""

import argparse
import csv
import io
import math
import random
import subprocess
import tempfile
from pathlib import Path

Rates = list[float]


def steps(models: int, gap: float) -> Rates:
    return [0.74 - gap * model for model in range(models)]


BOARDS: dict[str, Rates] = {
    "10 models, gaps 0.005": steps(10, 0.005),
    "10 models, gaps 0.02": steps(10, 0.02),
    "10 models, 9 within 0.002": [0.74] + [0.69 - 0.00025 * model for model in range(9)],
    "4 models, gaps 0.01": steps(4, 0.01),
}


def write_board(path: Path, rates: Rates, lacking: Rates, ids: int, rng: random.Random) -> None:
    """Writes the scores of one board; a model has no line for a share of the ids, at random."""
    with path.open("w") as out:
        for record in range(ids):
            easy = rng.uniform(-0.25, 0.25)
            for model, rate in enumerate(rates):
                passed = rng.random() < rate + easy
                if rng.random() < lacking[model]:
                    continue
                out.write(
                    f'{{"id": {record}, "model": "m{model}", "scorer": "s", "outcome": "scored", '
                    f'"score": {int(passed)}, "passed": {str(passed).lower()}}}\n'
                )


def rank(command: str, path: Path) -> dict[int, tuple[int, int]]:
    """Returns the interval of each ranked model."""
    output = subprocess.run(
        [command, "leaderboard", path, "--unverified", "--by", "model", "--format", "csv"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    rows = csv.DictReader(io.StringIO(output))
    return {int(r["model"][1:]): (int(r["rank_low"]), int(r["rank_high"])) for r in rows if r["rank_low"]}


def simulate(command: str, rates: Rates, most_lacking: float, ids: int, boards: int, rng: random.Random) -> str:
    """Returns a row: all intervals hold, each alone, how wide, how many models are ranked.

    Where models lack ids, ranks are those of the shares of all ids that they would pass, and behind them those of the ids
    that they have.
    """
    together = {"of all ids": 0, "of own ids": 0}
    alone = intervals = width = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "board.jsonl")
        for _ in range(boards):
            lacking = [rng.uniform(0, most_lacking) for _ in rates]
            write_board(path, rates, lacking, ids, rng)
            found = rank(command, path)
            for name, true in (
                ("of all ids", {m: rates[m] * (1 - lacking[m]) for m in found}),
                ("of own ids", {m: rates[m] for m in found}),
            ):
                holds = [
                    low <= 1 + sum(other > true[model] for other in true.values()) <= high
                    for model, (low, high) in found.items()
                ]
                together[name] += all(holds)
                if name == "of all ids":
                    alone += sum(holds)
            intervals += len(found)
            width += sum(high - low + 1 for low, high in found.values())

    def share(count: int) -> str:
        p = count / boards
        return f"{p:.3f} ({math.sqrt(p * (1 - p) / boards):.3f})"

    text = f"all hold {share(together['of all ids'])}, each {alone / intervals:.3f}, {width / intervals:.1f} wide"
    if most_lacking > 0:
        text += f", {intervals / boards:.1f} ranked; by own ids all hold {share(together['of own ids'])}"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="leafscore")
    parser.add_argument("--boards", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name, rates in BOARDS.items():
        for ids in (100, 300):
            rng = random.Random(f"{arguments.seed} {name} {ids}")
            print(f"{name}, {ids} ids: {simulate(arguments.command, rates, 0, ids, arguments.boards, rng)}", flush=True)
    for gap in (0.005, 0.02):
        for most in (0.05, 0.1):
            rng = random.Random(f"{arguments.seed} {gap} {most}")
            row = simulate(arguments.command, steps(10, gap), most, 300, arguments.boards, rng)
            print(f"10 models, gaps {gap}, 300 ids, up to {most:.0%} lacking: {row}", flush=True)


if __name__ == "__main__":
    main()
