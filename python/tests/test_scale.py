"""Ray and Spark: the results of one machine, to the bit, also when workers are killed.

LEAFSCORE_SCALE_PAIRS says how many pairs; `make test-scale` takes 1,000,000. LEAFSCORE_SCALE_SCORERS names other
scorers, LEAFSCORE_SCALE_PROFILE another kind of documents, and LEAFSCORE_SCALE_DATA a folder that keeps the pairs for
further runs.
"""

from __future__ import annotations

import datetime
import decimal
import itertools
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.compute as pc  # noqa: E402
from pyarrow import dataset, parquet  # noqa: E402

import leafscore as ls  # noqa: E402
from leafscore._cluster import PartScorer, PartSummary  # noqa: E402
from leafscore._paths import members, open_path  # noqa: E402

PAIRS = int(os.environ.get("LEAFSCORE_SCALE_PAIRS", "4000"))
PROFILE = os.environ.get("LEAFSCORE_SCALE_PROFILE", "invoices")
PARTS = 20
SCORERS = os.environ.get("LEAFSCORE_SCALE_SCORERS", "json_similarity,exact_match").split(",")
KEEP = ["id", "model"]
COLUMNS = {"id": None, "model": None, "expected": "json", "actual": "json"}


def slow(rows: Any, seed: int) -> Any:
    """Returns rows with texts that take long, so that a part of few rows can be interrupted, too."""
    rng = random.Random(seed)
    for name in ("expected", "actual"):
        texts = ['"' + "".join(rng.choices("abcdefgh", k=30_000)) + '"' for _ in range(rows.num_rows)]
        rows = rows.set_column(rows.schema.get_field_index(name), name, pa.array(texts))
    return rows


@pytest.fixture(scope="module")
def data(command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet files with generated pairs."""
    kept = os.environ.get("LEAFSCORE_SCALE_DATA")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("data")
    if any(folder.iterdir()):
        return folder
    generate = [command, "generate", "--pairs", str(PAIRS), "--profile", PROFILE, "--seed", "14"]
    with subprocess.Popen(generate, stdout=subprocess.PIPE, encoding="utf-8") as generator:
        assert generator.stdout is not None
        for part in range(PARTS):
            lines = itertools.islice(generator.stdout, PAIRS // PARTS)
            rows = pa.Table.from_pylist([members(line, COLUMNS) for line in lines])
            rows = pa.concat_tables([slow(rows.slice(0, 2), seed=part), rows.slice(2)])
            parquet.write_table(rows, folder / f"{part:02}.parquet")
    assert generator.returncode == 0
    return folder


@pytest.fixture(scope="module")
def one_machine(data: Path) -> ls.Scores:
    return ls.score(data, SCORERS, keep=KEEP)


def check_same(folder: Path, one_machine: ls.Scores) -> None:
    scores = dataset.dataset(folder, format="parquet").to_table()
    assert scores.num_rows == PAIRS
    assert pc.count_distinct(scores.column("id")).as_py() == PAIRS
    expected = one_machine.to_arrow()
    assert scores.select(expected.schema.names).cast(expected.schema).sort_by("id") == expected.sort_by("id")


# Parts, without a framework.


def parts_of(table: Any, seed: int) -> list[Any]:
    """Returns the rows of a table in parts of odd sizes, some of them empty, in any order."""
    rng = random.Random(seed)
    cuts = sorted(rng.choices(range(table.num_rows + 1), k=30))
    parts = [table.slice(begin, end - begin) for begin, end in zip([0, *cuts], [*cuts, table.num_rows])]
    rng.shuffle(parts)
    return parts


def test_parts_give_the_results_and_the_summary_of_the_whole(pairs: Path) -> None:
    table = open_path(str(pairs), COLUMNS).read_all()
    plan = ls.Plan([*SCORERS, {"type": "levenshtein", "threshold": 0.8}])
    whole = plan.score(table, keep=KEEP)
    scorer = pickle.loads(pickle.dumps(PartScorer(plan, {"keep": KEEP}, 1)))
    scored = [scorer(part) for part in parts_of(table, 1)]
    assert pa.concat_tables(scored).sort_by("id") == whole.to_arrow().sort_by("id")
    for by in (None, "model"):
        summarise = pickle.loads(pickle.dumps(PartSummary(plan, by)))
        summaries = [summarise([part]).column("summary")[0].as_py() for part in scored]
        assert summarise.merged(summaries) == whole.summary(by=by)
        assert summarise.merged(summaries).to_dict() == whole.summary(by=by).to_dict()


CALLS = '[{"name": "f", "arguments": {"n": 1}}]'
EACH_SCORER: list[Any] = [
    "contains",
    "exact_string_match",
    "fmea",
    "json_diff",
    "numeric_match",
    "records",
    "static_json",
    "strict_json",
    "tool_calls",
    {"type": "classification", "classes": ["spam", "ham"]},
    {"type": "field_accuracy", "fields": [{"path": "n", "match": "exact"}]},
]


@pytest.mark.parametrize("scorer", EACH_SCORER, ids=lambda each: each if isinstance(each, str) else each["type"])
def test_parts_of_each_scorer(scorer: Any) -> None:
    expected = ['{"n": 1}', '"spam"', CALLS, "3", '[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]']
    actual = ['{"n": 1}', '"ham"', CALLS, "3.0", '[{"a": 2, "b": "y"}, {"a": 1, "b": "z"}]', '"no"', None, "{"]
    pairs = [*itertools.product(expected, actual)] * 3
    ids = [f"{number:03}" for number in range(len(pairs))]
    table = pa.table({"id": ids, "expected": [pair[0] for pair in pairs], "actual": [pair[1] for pair in pairs]})
    plan = ls.Plan(scorer)
    whole = plan.score(table, keep="id")
    score = pickle.loads(pickle.dumps(PartScorer(plan, {"keep": "id"}, 1)))
    scored = [score(part) for part in parts_of(table, 2)]
    assert pa.concat_tables(scored).sort_by("id") == whole.to_arrow().sort_by("id")
    [name] = plan.scorer_names
    assert {row[name]["outcome"] for row in whole} > {"scored"}
    summarise = PartSummary(plan, None)
    summaries = [summarise([part]).column("summary")[0].as_py() for part in scored]
    assert summarise.merged(summaries).to_dict() == whole.summary().to_dict()


def test_schema_of_parts_is_known_before_there_are_rows() -> None:
    table = pa.table({"id": ["x"], "expected": ['{"a": 1}'], "actual": ['{"a": 2}']})
    scorer = PartScorer(ls.Plan(SCORERS), {"keep": "id", "details": "leaves"}, 1)
    assert scorer.schema() == scorer(table).schema
    runs = table.append_column("run", pa.array(['["f"]']))
    scorer = PartScorer(ls.Plan("tool_calls"), {"calls": "run"}, 1)
    assert scorer.schema() == scorer(runs).schema and "run" in scorer.columns


def test_threads_of_a_part_are_its_cpus() -> None:
    plan = ls.Plan("exact_match")
    threads = [PartScorer(plan, {}, cpus).options["threads"] for cpus in (0.5, 1, 4)]
    assert threads == [1, 1, 4]
    assert PartScorer(plan, {"threads": 2}, 4).options["threads"] == 2


@pytest.mark.parametrize("option", ["gold", "id", "group_by", "max_groups", "progress"])
def test_options_about_all_rows_are_refused(option: str) -> None:
    with pytest.raises(TypeError, match=f"{option} is no option of scoring in parts"):
        PartScorer(ls.Plan("exact_match"), {option: "x"}, 1)


def test_wrong_options_are_told_before_there_are_workers() -> None:
    with pytest.raises(TypeError, match="unknown option 'thread'"):
        PartScorer(ls.Plan("exact_match"), {"thread": 1}, 1)
    with pytest.raises(ValueError, match="details is one of"):
        PartScorer(ls.Plan("exact_match"), {"details": "all"}, 1)


# Workers that are killed.


class Killer(threading.Thread):
    """Kills a worker once a quarter of the parts is done."""

    def __init__(self, done: Callable[[], int], workers: Callable[[], list[int]]) -> None:
        super().__init__(daemon=True)
        self._done = done
        self._workers = workers
        self._job_ended = threading.Event()
        self.killed: int | None = None
        self.done_then = 0

    def run(self) -> None:
        while not self._job_ended.is_set():
            self.done_then = self._done()
            if self.done_then >= PARTS // 4 and (workers := self._workers()):
                self.killed = workers[0]
                os.kill(self.killed, signal.SIGKILL)
                return
            time.sleep(0.01)

    def __enter__(self) -> Killer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._job_ended.set()
        self.join()
        print(f"killed process {self.killed} after {self.done_then} of {PARTS} parts")
        assert self.killed is not None and self.done_then < PARTS


def descendants(of_command: str) -> list[int]:
    """Returns the processes below this one whose command line has a text, deepest first."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                commands[int(entry.name)] = command.decode(errors="replace")
            except OSError:  # it ended
                continue

    def depth(process: int) -> int:
        steps = 0
        while process in parents and process != os.getpid():
            process, steps = parents[process], steps + 1
        return steps if process == os.getpid() else 0

    found = [process for process in commands if of_command in commands[process] and depth(process) > 0]
    return sorted(found, key=depth, reverse=True)


@pytest.fixture(scope="module")
def ray_data() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Two CPUs for two workers, and two for what reads and writes.
    ray.init(num_cpus=4, include_dashboard=False, object_store_memory=1 << 30, log_to_driver=False)
    yield ray.data
    ray.shutdown()


def test_ray(ray_data: Any, data: Path, one_machine: ls.Scores, tmp_path: Path) -> None:
    import leafscore.ray

    # A block for each file: Ray's own reader joins small ones.
    parts = ray_data.range(PARTS, override_num_blocks=PARTS).map_batches(
        lambda part: parquet.read_table(data / f"{part['id'][0]:02}.parquet"), batch_size=1
    )
    scores = leafscore.ray.score(parts, SCORERS, workers=2, keep=KEEP)
    done = lambda: len(list(tmp_path.glob("*.parquet")))  # noqa: E731
    with Killer(done, lambda: descendants("ray::MapWorker(")):
        scores.write_parquet(str(tmp_path))
    check_same(tmp_path, one_machine)
    for by in (None, "model"):
        assert leafscore.ray.summary(ray_data.read_parquet(str(tmp_path)), SCORERS, by) == one_machine.summary(by=by)


def test_ray_without_rows(ray_data: Any) -> None:
    import leafscore.ray

    empty = pa.table({"id": ["x"], "expected": ['"a"'], "actual": ['"a"']}).slice(0, 0)
    scores = leafscore.ray.score(ray_data.from_arrow(empty), SCORERS, workers=1, keep="id")
    assert scores.count() == 0
    assert leafscore.ray.summary(scores, SCORERS) == ls.score(empty, SCORERS).summary()


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java", path=os.environ.get("JAVA_HOME", "") + "/bin:" + os.environ["PATH"]) is None:
        pytest.skip("Spark needs java")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.executor.memory": "1g",
        "spark.sql.files.minPartitionNum": str(PARTS),
        "spark.sql.files.maxPartitionBytes": "4g",  # a part for each file, also of large ones
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "localhost",
    }
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.mark.parametrize("worker", ["pyspark.daemon", "CoarseGrainedExecutorBackend"])
def test_spark(spark: Any, data: Path, one_machine: ls.Scores, tmp_path: Path, worker: str) -> None:
    import leafscore.spark

    scores = leafscore.spark.score(spark.read.parquet(str(data)), SCORERS, keep=KEEP)
    tracker = spark.sparkContext.statusTracker()
    folder = tmp_path / "scores"

    def done() -> int:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        return sum(stage.numCompletedTasks for stage in stages if stage is not None and stage.numTasks == PARTS)

    with Killer(done, lambda: descendants(worker)):
        scores.write.parquet(str(folder))
    check_same(folder, one_machine)
    written = spark.read.parquet(str(folder))
    for by in (None, "model"):
        assert leafscore.spark.summary(written, SCORERS, by) == one_machine.summary(by=by)


def test_spark_keeps_columns_of_any_type_and_has_rows_of_leaves(spark: Any) -> None:
    import leafscore.spark

    rows = [
        (datetime.datetime(2024, 5, 21, 8, 30), decimal.Decimal("1.50"), [1.0, 2.0], '{"a": 1, "b": [2]}', '{"a": 1}'),
        (None, None, None, '{"a": 2}', "{"),
        (None, None, None, '{"a": 3}', None),
    ]
    columns = "at timestamp, price decimal(10,2), list array<double>, gold string, answer string"
    df = spark.createDataFrame(rows, columns)
    options: Any = dict(expected="gold", actual="answer", details="leaves")
    scores = leafscore.spark.score(df, SCORERS, keep=["at", "price", "list"], **options)
    assert scores.schema.fields[:3] == df.schema.fields[:3]
    collected = [row.asDict(recursive=True) for row in scores.collect()]
    assert [tuple(row.values())[:3] for row in collected] == [row[:3] for row in rows]
    texts = pa.table({"gold": [row[3] for row in rows], "answer": [row[4] for row in rows]})
    for name in SCORERS:
        expected = ls.score(texts, SCORERS, **options).to_arrow().column(name).to_pylist()
        assert [row[name] for row in collected] == expected
    nothing = leafscore.spark.score(df.limit(0), SCORERS, **options)
    assert leafscore.spark.summary(nothing, SCORERS) == ls.score(texts.slice(0, 0), SCORERS, **options).summary()


def test_spark_tells_wrong_options_at_once(spark: Any) -> None:
    import leafscore.spark

    df = spark.createDataFrame([("1", "2")], "expected string, actual string")
    with pytest.raises(ls.Error, match="unknown"):
        leafscore.spark.score(df, "exact_mach")
    with pytest.raises(TypeError, match="group_by is no option of scoring in parts"):
        leafscore.spark.score(df, "exact_match", group_by="model")
