#!/usr/bin/env python3
"""Makes the fixtures in hf_datasets/ again, with datasets (5.2.0 made the files here): a folder of save_to_disk with
two splits, and Parquet with other names of columns.

Usage: make_hf_datasets.py FOLDER.
"""

import datetime
import sys
from pathlib import Path

from datasets import Dataset, DatasetDict

ROWS = [
    {"id": "a", "expected": '{"total": 12.5}', "actual": '{"total": 12.50}'},
    {"id": "b", "expected": "Oslo", "actual": None},
]
QUESTIONS = [
    {"question": "one", "answer": {"total": 1, "day": datetime.date(2026, 1, 2)}, "reply": '{"total": 1}'},
    {"question": "two", "answer": {"total": 2, "day": None}, "reply": "none"},
]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    DatasetDict({"train": Dataset.from_list(ROWS[:1]), "test": Dataset.from_list(ROWS)}).save_to_disk(
        folder / "saved"
    )
    Dataset.from_list(QUESTIONS).to_parquet(folder / "questions.parquet")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
