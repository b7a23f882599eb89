#!/usr/bin/env python3
"""How near `leafscore score` with an llm_judge comes to what a service allows: a service that takes 50 ms for a reply
(bench/delayed_service.cc) and N requests at a time answers 20 N a second at best. And how much of that is left if the
service refuses one request of 100 (429), or if ten of 100 fail in four ways.

usage: judges_bench.py LEAFSCORE DELAYED_SERVICE [--seconds S] [CONCURRENCY...]"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

DELAY = 0.05


def judge(command, service_program, seconds_at_best, concurrency, refused=0, faulty=0):
    """Scores records with a judge. RETURNS: their number, the seconds, the usage, and what the service tells."""
    records = round(concurrency * seconds_at_best / DELAY)
    service = subprocess.Popen([service_program, str(round(DELAY * 1000)), str(refused), str(faulty)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
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
                                folder / "out.jsonl", "--judge-cache", folder / "replies.db", "--min-coverage", "1"])
        _, status, usage = os.wait4(run.pid, 0)
        seconds = time.monotonic() - begun
    requests, bodies, most, service_seconds = service.communicate()[0].split()
    is_clean = refused == faulty == 0
    if status != 0 or int(bodies) != records or (is_clean and (int(requests), int(most)) != (records, concurrency)):
        sys.exit(f"wrong: status {status}, {requests} requests, {bodies} bodies, {most} at once")
    return records, seconds, usage, float(service_seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("service_program")
    parser.add_argument("--seconds", type=float, default=10, help="of each run, at best")
    parser.add_argument("at_once", nargs="*", type=int)
    chosen = parser.parse_intermixed_args()
    at_once = chosen.at_once or [1, 8, 32, 200]
    asked = chosen.command, chosen.service_program, chosen.seconds
    clean = {}
    print("| at a time | records | seconds | of the ideal | CPU a record | of the service | peak memory |\n"
          "|---:|---:|---:|---:|---:|---:|---:|")
    for concurrency in at_once:
        records, seconds, usage, service_seconds = judge(*asked, concurrency)
        clean[concurrency] = seconds
        print(f"| {concurrency} | {records:,} | {seconds:.2f} | {chosen.seconds / seconds:.1%} "
              f"| {(usage.ru_utime + usage.ru_stime) / records * 1e6:.0f} us "
              f"| {service_seconds / records * 1e6:.0f} us | {usage.ru_maxrss / 1024:.0f} MiB |", flush=True)
    print("\n| at a time | 1% of 429 / clean | 10% of mixed faults / clean |\n|---:|---:|---:|")
    for concurrency in (number for number in at_once if number > 1):
        shares = [clean[concurrency] / judge(*asked, concurrency, *faults)[1]
                  for faults in ((1, 0), (0, 10))]
        print(f"| {concurrency} | {shares[0]:.1%} | {shares[1]:.1%} |", flush=True)


if __name__ == "__main__":
    main()
