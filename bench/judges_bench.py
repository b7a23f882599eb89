#!/usr/bin/env python3
"""How near `leafscore score` with an llm_judge comes to what a service allows: a service that takes 50 ms for a reply
(tests/http/fake_service.py) and N requests at a time answers 20 N a second at best.

usage: judges_bench.py LEAFSCORE [CONCURRENCY...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

SERVICE = pathlib.Path(__file__).parent.parent / "tests/http/fake_service.py"
SECONDS = 5  # at best, each


def main():
    command, *chosen = sys.argv[1:]
    service = subprocess.Popen([sys.executable, SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    base = f"http://127.0.0.1:{service.stdout.readline().strip()}"
    print("| at a time | records | seconds | of the ideal | CPU a record | peak memory |\n|---|---|---|---|---|---|")
    for concurrency in map(int, chosen or (1, 8, 32, 200)):
        records = concurrency * 20 * SECONDS
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            with open(folder / "in.jsonl", "w") as out:
                for i in range(records):
                    out.write(json.dumps({"id": i, "expected": f"answer {i}", "actual": f"SCORE={i % 101}"}) + "\n")
            (folder / "judge.yaml").write_text(
                "evaluators:\n- {type: llm_judge, model: m, max_concurrency: %d, base_url: '%s/50ms/v1'}\n"
                % (concurrency, base))
            urllib.request.urlopen(urllib.request.Request(base + "/reset", method="POST", data=b"")).read()
            begun = time.monotonic()
            run = subprocess.Popen([command, "score", folder / "in.jsonl", "-c", folder / "judge.yaml", "-q", "-o",
                                    folder / "out.jsonl", "--judge-cache", folder / "replies.db"])
            _, status, usage = os.wait4(run.pid, 0)
            seconds = time.monotonic() - begun
            asked = json.load(urllib.request.urlopen(urllib.request.Request(base + "/stats", method="POST", data=b"")))
            if status != 0 or asked["requests"] != records or asked["most_of_a_body"] != 1:
                sys.exit(f"wrong: status {status}, {asked}")
            ideal = records / concurrency * 0.05
            print(f"| {concurrency} | {records:,} | {seconds:.2f} | {ideal / seconds:.1%} "
                  f"| {(usage.ru_utime + usage.ru_stime) / records * 1e6:.0f} us "
                  f"| {usage.ru_maxrss / 1024:.0f} MiB |", flush=True)
    service.stdin.close()
    service.wait()


if __name__ == "__main__":
    main()
