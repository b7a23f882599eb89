#!/usr/bin/env python3
"""How near `leafscore score` with an llm_judge comes to what a service allows: a service that takes 50 ms for a reply
(bench/delayed_service.cc) and N requests at a time answers 20 N a second at best.

usage: judges_bench.py LEAFSCORE DELAYED_SERVICE [CONCURRENCY...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SECONDS = 10  # at best, each
DELAY = 0.05


def main():
    command, service_program, *chosen = sys.argv[1:]
    print("| at a time | records | seconds | of the ideal | CPU a record | of the service | peak memory |\n"
          "|---:|---:|---:|---:|---:|---:|---:|")
    for concurrency in map(int, chosen or (1, 8, 32, 200)):
        records = round(concurrency * SECONDS / DELAY)
        service = subprocess.Popen([service_program, str(round(DELAY * 1000))], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        port = int(service.stdout.readline())
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            with open(folder / "in.jsonl", "w") as out:
                for i in range(records):
                    out.write(json.dumps({"id": i, "expected": f"answer {i}", "actual": f"reply {i}"}) + "\n")
            (folder / "judge.yaml").write_text(
                "evaluators:\n- {type: llm_judge, model: m, max_concurrency: %d, base_url: 'http://127.0.0.1:%d/v1'}\n"
                % (concurrency, port))
            begun = time.monotonic()
            run = subprocess.Popen([command, "score", folder / "in.jsonl", "-c", folder / "judge.yaml", "-q", "-o",
                                    folder / "out.jsonl", "--judge-cache", folder / "replies.db",
                                    "--min-coverage", "1"])
            _, status, usage = os.wait4(run.pid, 0)
            seconds = time.monotonic() - begun
        requests, bodies, most, service_seconds = service.communicate()[0].split()
        if status != 0 or int(requests) != records or int(bodies) != records or int(most) != concurrency:
            sys.exit(f"wrong: status {status}, {requests} requests, {bodies} bodies, {most} at once")
        ideal = records / concurrency * DELAY
        print(f"| {concurrency} | {records:,} | {seconds:.2f} | {ideal / seconds:.1%} "
              f"| {(usage.ru_utime + usage.ru_stime) / records * 1e6:.0f} us "
              f"| {float(service_seconds) / records * 1e6:.0f} us | {usage.ru_maxrss / 1024:.0f} MiB |", flush=True)


if __name__ == "__main__":
    main()
