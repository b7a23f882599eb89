"""Ctrl-C ends a call soon; forks and threads do not get in its way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest

pytest.importorskip("pyarrow")

SLOW = """
    import random, signal, threading, time, os
    import pyarrow as pa
    import leafscore as ls
    rng = random.Random(3)
    texts = ["".join(rng.choices("abcdefgh", k=30_000)) for _ in range(2)]
    expected, actual = ([f'"{text}"'] * 2_000 for text in texts)
    # The same memory many times over: minutes of work, of which every machine is in the middle when Ctrl-C comes.
    data = pa.concat_tables([pa.table({"expected": expected, "actual": actual})] * 200)
    def interrupt():
        time.sleep(0.5)
        global sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt).start()
"""


def python(program: str) -> str:
    text = textwrap.dedent(program)
    finished = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


# A task of rows ends before its call, so the time is that of one at most, here of a few pairs.
@pytest.mark.parametrize(
    "call",
    [
        "ls.score(data, 'levenshtein', threads=1)",
        "ls.score(data, 'levenshtein')",
        "ls.levenshtein(data['expected'], data['actual'])",
        "list(ls.score_stream(data, 'levenshtein'))",
    ],
)
def test_ctrl_c_ends_a_call(call: str) -> None:
    printed = python(
        f"""{SLOW}
    try:
        {call}
    except KeyboardInterrupt:
        print(time.monotonic() - sent)
    """
    )
    assert 0 <= float(printed) < 3  # how soon is for bench/python_bench.py; machines of tests are busy


def test_a_handler_that_does_not_raise_lets_the_call_go_on() -> None:
    printed = python(
        f"""{SLOW}
    signal.signal(signal.SIGINT, lambda *_: print("handled"))
    begun, scored = time.monotonic(), 0
    while time.monotonic() - begun < 1:
        scored += len(ls.score(data.slice(0, 500), "levenshtein"))
    print(scored % 500)
    """
    )
    assert printed.split() == ["handled", "0"]


def test_a_plan_scores_again_after_an_interrupt() -> None:
    printed = python(
        f"""{SLOW}
    plan = ls.Plan("levenshtein")
    try:
        plan.score(data)
    except KeyboardInterrupt:
        pass
    print(plan.score((['"a"'], ['"a"'])).to_arrow().to_pylist()[0]["levenshtein"]["score"])
    """
    )
    assert printed == "1.0\n"


def test_other_python_threads_run_meanwhile() -> None:
    printed = python(
        f"""{SLOW}
    ticks = 0
    def tick():
        global ticks
        while True:
            ticks += 1
            time.sleep(0.01)
    threading.Thread(target=tick, daemon=True).start()
    try:
        ls.score(data, "levenshtein")
    except KeyboardInterrupt:
        print(ticks)
    """
    )
    assert int(printed) > 5


def test_forked_processes_score_with_the_plan_of_their_parent() -> None:
    import leafscore as ls

    plan = ls.Plan("json_similarity")
    data: Any = (['{"a": 1}'] * 5000, ['{"a": 2}'] * 5000)
    expected = plan.score(data, threads=2).report()["scorers"]
    child = os.fork()
    if child == 0:
        same = plan.score(data, threads=2).report()["scorers"] == expected
        os._exit(0 if same else 1)
    for _ in range(600):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked process hangs")
