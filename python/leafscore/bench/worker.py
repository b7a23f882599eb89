"""The process of one contestant: it reads requests, a line of JSON each, and answers them with lines of JSON.

What the contestant prints goes elsewhere, as replies have a pipe of their own. Times are taken by clocks that were bound
before the contestant was loaded.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from time import perf_counter_ns, process_time_ns
from typing import Any, Union

from .adapters import ADAPTERS
from .growth import Pair, grown, mean_size
from .processes import live_children_ns, reset_peak, status_bytes
from .scoring import Answer, Engine, Function

PR_SET_PDEATHSIG = 1
CHUNK_NS = 100_000_000  # approximate time of the records between two checks of the time
Message = dict[str, Any]
Scorer = Union[Engine, Function]


def cpu_ns() -> int:
    """The processor time of this process and its children."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time_ns() + int((ended.ru_utime + ended.ru_stime) * 1e9) + live_children_ns(os.getpid())


class Worker:
    """Answers requests. `real` and `cpu` are clocks of nanoseconds."""

    def __init__(
        self,
        scorer: Scorer,
        pairs: Sequence[Pair],
        real: Callable[[], int] = perf_counter_ns,
        cpu: Callable[[], int] = cpu_ns,
    ):
        self._scorer = scorer
        self._pairs = pairs
        self._real = real
        self._cpu = cpu
        self._answers: list[Answer] = []
        self._changes_inputs = False

    def handle(self, request: Message) -> Iterator[Message]:
        """Yields the replies to a request; the last one has `done`."""
        tasks: dict[str, Callable[..., Iterator[Message]]] = {
            "answer": self._answer,
            "time": self._time,
            "latency": self._latency,
        }
        yield from tasks[request.pop("do")](**request)

    def _answer(self, seconds: float) -> Iterator[Message]:
        """Scores records from the first on until the time is over, and yields what came of them and how long it took."""
        scorer, size, taken, last = self._scorer, 1, 0, 0
        reset_peak()
        before = status_bytes(os.getpid(), "VmRSS")
        while len(self._answers) < len(self._pairs) and (not self._answers or taken < seconds * 1e9):
            first = len(self._answers)
            pairs = self._pairs[first : first + size]
            inputs = scorer.inputs(pairs)
            begin = self._real()
            results = scorer.run(inputs, 1)
            time = self._real() - begin
            taken += time if first else 0  # time for loading in the first call is no reason to compare fewer records
            answers = scorer.answers(results)
            if len(answers) != len(pairs):
                raise RuntimeError(f"{len(answers)} answers to {len(pairs)} records")
            self._answers += answers
            changed = scorer.changed(inputs, pairs)
            self._changes_inputs |= changed
            yield {"answers": answers, "ns": time, "changed": changed}
            if time < max(CHUNK_NS, 1.5 * last):  # shorter calls are dominated by fixed costs, whatever the size
                size = min(size * 2, scorer.chunk)
            last = time
        yield {"done": True, "memory": [before, status_bytes(os.getpid(), "VmHWM")]}

    def _time(
        self, records: int, threads: int, seconds: float, fill: int = 0, grow: tuple[str, int] | None = None
    ) -> Iterator[Message]:
        """Scores the first records again and again, as they are or made larger, until the time is over.

        Each call gets them as often as they go into `fill`.
        """
        scorer = self._scorer
        pairs = self._pairs[:records]
        if grow:
            pairs = grown(pairs, *grow)
        pairs = [*pairs] * max(1, fill // records)
        inputs = scorer.inputs(pairs)
        gc.collect()
        passes = real = cpu = 0
        burst = 1
        while real < seconds * 1e9:
            cpu_begin, begin = self._cpu(), self._real()
            for _ in range(burst):
                results = scorer.run(inputs, threads)
            end, cpu_end = self._real(), self._cpu()
            passes, real, cpu = passes + burst, real + end - begin, cpu + cpu_end - cpu_begin
            if self._changes_inputs:  # each pass gets unchanged ones
                inputs = scorer.inputs(pairs)
            else:
                burst = max(1, min(2 * burst, int((seconds * 1e9 - real) * passes / max(real, 1))))
        answers = scorer.answers(results)
        reply: Message = {"done": True, "passes": passes, "real": real, "cpu": cpu, "records": len(pairs)}
        if grow:
            reply["errors"] = sum(isinstance(answer, str) for answer in answers)
            reply["bytes"] = mean_size(pairs)
        else:
            reply["unlike"] = self._unlike(answers, records)
        yield reply

    def _latency(self, records: int) -> Iterator[Message]:
        """Scores records one by one, and yields the time of each."""
        scorer, real = self._scorer, self._real
        inputs = [scorer.inputs_one(pair) for pair in self._pairs[:records]]
        gc.collect()
        times, results = [], []
        for one in inputs:
            begin = real()
            result = scorer.run_one(one)
            times.append(real() - begin)
            results.append(result)
        answers = [scorer.answer_one(result) for result in results]
        yield {"done": True, "ns": times, "unlike": self._unlike(answers, records)}

    def _unlike(self, answers: Sequence[Answer], records: int) -> int:
        """How many answers to the first records, once or over again, are not those of the first time; an error is like
        any other error."""
        if len(answers) % records:
            return len(answers)
        return sum(
            answer != first and not (isinstance(answer, str) and isinstance(first, str))
            for answer, first in zip(answers, cycle(self._answers[:records]))
        )


def load(setup: Message) -> Scorer:
    """Makes what is timed of what `contestants` says."""
    if setup["kind"] == "engine":
        return Engine(setup["config"], setup["path"])
    if setup["kind"] == "adapter":
        return Function(ADAPTERS[setup["name"]]())
    sys.path.insert(0, os.getcwd())
    function: Any = importlib.import_module(setup["module"])
    for name in setup["function"].split("."):
        function = getattr(function, name)
    if not callable(function):
        raise TypeError(f"{setup['function']} of {setup['module']} is no function, but {type(function).__name__}")
    return Function(function)


def main(requests: int, replies: int) -> None:
    """Serves one contestant over two pipes, until there are no more requests."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # whatever ends the harness ends this process, too
    me, secret = os.getpid(), ""

    def reply(message: Message) -> None:
        if os.getpid() != me:  # a child that the contestant forked, and that returned here
            message = {"failed": "it forks, and the child comes back as if it were the process that was asked"}
        os.write(replies, (json.dumps({**message, "secret": secret}) + "\n").encode())
        if os.getpid() != me:
            os._exit(1)

    with open(requests, encoding="utf-8", closefd=False) as lines:
        try:
            setup = json.loads(lines.readline())
            secret = setup["secret"]
            with open(setup["records"], encoding="utf-8") as file:
                pairs = [tuple(json.loads(line)) for line in file]
            worker = Worker(load(setup), pairs)
            reply({"done": True})
            for line in lines:
                for message in worker.handle(json.loads(line)):
                    reply(message)
        except BaseException as error:
            reply({"failed": f"{type(error).__name__}: {error}"})
            raise
