"""The harness's side of a contestant's process: requests, replies within a time limit, and its end.

A player is stopped (SIGSTOP) while it is not its turn, so that threads and children it may have left running take no time
from the others. Its output is read, counted and thrown away, except the end.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from .processes import descendants, kill_marked, status_bytes

LAST_WORDS = 4000  # bytes of output that are kept
LONGEST_REPLY = 64 << 20
POLL_SECONDS = 0.1
MARK = "LEAFSCORE_BENCH_PLAYER"
PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from leafscore.bench.worker import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]))"
)


class Failed(Exception):
    """The contestant is out: the sentence says why."""


class Player:
    """One process of a contestant."""

    def __init__(self, setup: dict[str, Any], seconds: float):
        """Starts it, and waits until it has loaded the contestant. ERRORS: Failed."""
        self.printed = 0  # bytes
        self.children_peak = 0  # bytes: the most that its descendants held together, as far as observed
        self._seen = 0.0  # when its descendants were last observed
        self._last_words = b""
        self._replies = b""
        self._secret = secrets.token_hex(8)  # replies contain it; what others write into the pipe does not
        self._mark = f"{MARK}={secrets.token_hex(8)}"
        requests_out, requests = os.pipe()
        replies, replies_in = os.pipe()
        self._requests, self._reply_pipe = requests, replies
        name, _, value = self._mark.partition("=")
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(sys.path), str(requests_out), str(replies_in)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(requests_out, replies_in),
            start_new_session=True,
            env={**os.environ, name: value},
        )
        os.close(requests_out)
        os.close(replies_in)
        assert self._process.stdout is not None
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._output, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(replies, selectors.EVENT_READ)
        self._selector.register(self._output, selectors.EVENT_READ)
        try:
            self.ask({**setup, "secret": self._secret}, seconds)
        except BaseException:
            self.end()
            raise

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Sends a request and returns the last reply to it. ERRORS: Failed."""
        return list(self.stream(request, seconds))[-1]

    def stream(
        self, request: dict[str, Any], seconds: float, while_waiting: Callable[[], object] = lambda: None
    ) -> Iterator[dict[str, Any]]:
        """Sends a request and yields the replies to it; each may take `seconds`. ERRORS: Failed."""
        self._signal(signal.SIGCONT)
        try:
            os.write(self._requests, (json.dumps(request) + "\n").encode())
        except OSError:
            raise Failed(self._how_it_ended()) from None
        reply: dict[str, Any] = {}
        while not reply.get("done"):
            reply = self._reply(time.monotonic() + seconds, seconds, while_waiting)
            if "failed" in reply:
                raise Failed(str(reply["failed"]))
            yield reply
        self._signal(signal.SIGSTOP)

    def see_children(self) -> None:
        """Looks at the memory of the descendants, unless it has just done so."""
        if time.monotonic() - self._seen < POLL_SECONDS:
            return
        self._seen = time.monotonic()
        peak = sum(status_bytes(child, "VmHWM") for child in descendants(self._process.pid))
        self.children_peak = max(self.children_peak, peak)

    def _reply(self, deadline: float, seconds: float, while_waiting: Callable[[], object]) -> dict[str, Any]:
        while b"\n" not in self._replies:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failed(f"gave no answer for {seconds:g} s, and was stopped")
            ready = {key.fd for key, _ in self._selector.select(min(left, POLL_SECONDS))}
            while_waiting()
            if self._output in ready:
                self._read_output()
            if self._reply_pipe in ready:
                read = os.read(self._reply_pipe, 1 << 20)
                self._replies += read
                if not read or len(self._replies) > LONGEST_REPLY:
                    raise Failed(self._how_it_ended() if not read else "wrote into the harness's pipe")
            elif self._process.poll() is not None:
                raise Failed(self._how_it_ended())
        line, _, self._replies = self._replies.partition(b"\n")
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict) or reply.pop("secret", None) != self._secret:
            raise Failed("wrote into the harness's pipe")
        return reply

    def _read_output(self) -> None:
        try:
            read = os.read(self._output, 1 << 16)
        except BlockingIOError:
            return
        if not read and self._output in self._selector.get_map():
            self._selector.unregister(self._output)
        self.printed += len(read)
        self._last_words = (self._last_words + read)[-LAST_WORDS:]

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed the harness's pipe"
        self._read_output()
        how = f"by signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"with status {status}"
        words = self._last_words.decode("utf-8", "replace").strip().splitlines()
        return f"ended {how}" + (f"; its last words: {words[-1][:200]}" if words else "")

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except OSError:
            pass  # it has ended

    def end(self) -> None:
        """Ends the process, and all that it has started."""
        self._signal(signal.SIGKILL)
        self._process.wait()
        kill_marked(self._mark)
        self._selector.close()
        self._process.stdout.close()  # type: ignore[union-attr]
        os.close(self._requests)
        os.close(self._reply_pipe)
