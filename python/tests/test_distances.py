from __future__ import annotations

import random
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

import leafscore as ls  # noqa: E402


def slow_distance(a: str, b: str) -> int:
    """Wagner and Fischer's table."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return row[-1]


def texts(seed: int, count: int) -> list[str | None]:
    rng = random.Random(seed)
    return [None if rng.random() < 0.05 else "".join(rng.choices("abé漢", k=rng.randrange(12))) for _ in range(count)]


LEFT, RIGHT = texts(1, 500), texts(2, 500)
DISTANCES = [None if a is None or b is None else slow_distance(a, b) for a, b in zip(LEFT, RIGHT)]


@pytest.mark.parametrize("threads", [1, 2, None])
def test_levenshtein(threads: int | None) -> None:
    assert ls.levenshtein(LEFT, RIGHT, threads=threads).to_list() == DISTANCES
    cut = [None if distance is None else min(distance, 4) for distance in DISTANCES]
    assert ls.levenshtein(LEFT, RIGHT, cutoff=3, threads=threads).to_list() == cut


def test_chunks_and_types() -> None:
    left = pa.chunked_array([LEFT[:7], [], LEFT[7:300], LEFT[300:]])
    right = pa.chunked_array([RIGHT[:100], RIGHT[100:]])
    assert ls.levenshtein(left, right).to_list() == DISTANCES
    assert ls.levenshtein(left.combine_chunks().slice(50), RIGHT[50:]).to_list() == DISTANCES[50:]
    assert ls.levenshtein(left.dictionary_encode(), right.cast(pa.string_view())).to_list() == DISTANCES
    assert ls.levenshtein(pa.chunked_array([], pa.string()), []).to_list() == []


def test_results_are_arrow_data() -> None:
    column = ls.levenshtein(["a", None], ["b", "c"])
    assert column.to_arrow().equals(pa.array([1, None], pa.uint32()))
    assert len(column) == 2
    assert ls.jaro_winkler(["a", None], ["a", ""]).to_list() == [1.0, None]
    pytest.importorskip("numpy")
    assert ls.levenshtein(["a"], ["b"]).to_numpy().tolist() == [1]


def test_jaro_winkler() -> None:
    pairs = [("DWAYNE", "DUANE", 0.84), ("DIXON", "DICKSONX", 0.8133333333333332), ("", "", 1.0), ("a", "", 0.0)]
    similarities: list[Any] = ls.jaro_winkler([pair[0] for pair in pairs], [pair[1] for pair in pairs]).to_list()
    assert similarities == pytest.approx([pair[2] for pair in pairs])


def test_errors() -> None:
    with pytest.raises(ls.Error, match="2 texts and the other 1"):
        ls.levenshtein(["a", "b"], ["a"])
    with pytest.raises(ls.Error, match="not UTF-8"):
        ls.levenshtein(["\ud800"], ["a"])
    with pytest.raises(ls.Error, match="left"):
        ls.levenshtein(pa.array([1]), ["a"])
    with pytest.raises(TypeError, match="str, bytes and None"):
        ls.levenshtein([1], ["a"])  # type: ignore[list-item]
