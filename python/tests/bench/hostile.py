"""Scorers that misbehave, each in its own way."""

import asyncio
import json
import os
import sys
import time

calls = 0


def good(expected, actual):
    return float(expected == actual)


def wrong(expected, actual):
    return 0.25


def crashes(expected, actual):
    os.abort()


def crashes_later(expected, actual):
    global calls
    calls += 1
    if calls > 12:
        os.abort()
    return good(expected, actual)


def leaves(expected, actual):
    os._exit(0)


def exits(expected, actual):
    sys.exit(3)


def hangs(expected, actual):
    time.sleep(600)


def prints(expected, actual):
    print("hello")
    return good(expected, actual)


def nan(expected, actual):
    return float("nan")


def none(expected, actual):
    return None


def text(expected, actual):
    return "1.0"


def raises(expected, actual):
    if expected["a"] == 3:
        raise ValueError("of 3 \x1b[31m nothing is known \ud800")
    return good(expected, actual)


def changes(expected, actual):
    score = good(expected, actual)
    actual["a"] = expected["a"]
    return score


async def waits(expected, actual):
    await asyncio.sleep(0)
    return good(expected, actual)


def member(expected, actual):
    return {"score": good(expected, actual) == 1}


def forks(expected, actual):
    os.fork()
    return good(expected, actual)


def forges(expected, actual):
    """Writes to every file there is what the harness could take for a reply."""
    for file in range(3, 64):
        try:
            os.write(file, json.dumps({"done": True, "answers": [1.0]}).encode() + b"\n")
        except OSError:
            pass
    return 1.0


def closes(expected, actual):
    os.closerange(3, 64)
    return 1.0


def leaves_children(expected, actual):
    """Starts a process in a session of its own, which would outlive this one, and tells its number."""
    told, tell = os.pipe()
    if os.fork() == 0:
        os.setsid()
        with open("children", "a") as file:
            file.write(f"{os.getpid()}\n")
        os.write(tell, b"!")
        time.sleep(600)
        os._exit(0)
    os.read(told, 1)
    os.close(told)
    os.close(tell)
    return good(expected, actual)


a_number = 3
