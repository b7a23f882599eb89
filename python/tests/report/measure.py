"""Measures a report: measure.py FOLDER COUNT..., with leafscore and leafscore-report on the PATH.

For each count of records it generates invoices, scores them with json_similarity (with leaves up to 100,000 records), makes the
report, and opens it in Chromium five times. It prints a row of a table: time and memory of the largest process, size of the
page, and time until the page is loaded.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from browsing import open_browser, wait_for, why_not

LOADED = "performance.getEntriesByType('navigation')[0]"


def score(folder: Path, count: int) -> Path:
    scores = folder / f"{count}.jsonl"
    if not scores.exists():
        details = "leaves" if count <= 100_000 else "none"
        generate = f"leafscore generate --pairs {count} -o -"
        options = f"-q -s json_similarity --group-by model --details {details}"
        subprocess.run(f"{generate} | leafscore score - {options} -o {scores}", shell=True, check=True)
    return scores


def load(page: Path) -> float:
    """The median of milliseconds until the page is loaded."""
    times = []
    for _ in range(5):
        browser = open_browser()
        try:
            browser.get(page.resolve().as_uri())
            wait_for(browser, f"{LOADED}.loadEventEnd > 0")
            times.append(browser.execute_script(f"return {LOADED}.loadEventEnd"))
        finally:
            browser.quit()
    return median(times)


def main() -> None:
    if reason := why_not():
        sys.exit(f"no browser: {reason}")
    folder = Path(sys.argv[1])
    print("| records | scores | report | processor time | peak memory | page | loaded after |\n|---:|---:|---:|---:|---:|---:|---:|")
    for count in map(int, sys.argv[2:]):
        scores, page = score(folder, count), folder / f"{count}.html"
        start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["leafscore-report", str(scores), "--by", "model", "-o", str(page)], check=True)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        sizes = f"{scores.stat().st_size / 1e6:,.1f} MB | {wall:.1f} s | {spent:.1f} s | {after.ru_maxrss / 1024:,.0f} MB"
        print(f"| {count:,} | {sizes} | {page.stat().st_size / 1e6:.2f} MB | {load(page):,.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
