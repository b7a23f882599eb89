"""The machine that figures are of."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Sequence
from pathlib import Path

from .contestants import Contestant


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else "unknown"


def cpus() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def describe(contestants: Sequence[Contestant]) -> dict[str, str]:
    """Describes the machine, the system and the packages."""
    info = _text("/proc/cpuinfo")
    flags = _first(r"^flags\s*:(.*)", info).split()
    governors = sorted(
        {_text(str(path)) for path in Path("/sys/devices/system/cpu").glob("cpu*/cpufreq/scaling_governor")}
    )
    system = _first(r'^PRETTY_NAME="?([^"\n]*)', _text("/etc/os-release"))
    described = {
        "cpu": _first(r"^(?:model name|Model)\s*:(.*)", info),
        "cpus": f"{cpus()} of {os.cpu_count()}",
        "instruction sets": " ".join(flag for flag in ("avx2", "avx512bw", "asimd") if flag in flags) or "unknown",
        "governor": " ".join(governors) or "unknown",
        "virtual": "yes" if "hypervisor" in flags else "not seen",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB",
        "kernel": f"{platform.system()} {platform.release()}",
        "system": system,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }
    versions = dict.fromkeys(contestant.version for contestant in contestants)
    return {**described, "packages": ", ".join(versions)}


def busy_share(seconds: float = 0.5) -> float:
    """The share of the processors that works on something in the time to come, as it should on nothing before a run."""
    before = _ticks()
    time.sleep(seconds)
    idle, all_ticks = (after - then for after, then in zip(_ticks(), before))
    return 1 - idle / all_ticks if all_ticks else 0.0


def _ticks() -> tuple[int, int]:
    """Idle and all ticks of all processors so far: proc(5), stat."""
    fields = [int(field) for field in _text("/proc/stat").partition("\n")[0].split()[1:9]]
    return (fields[3] + fields[4], sum(fields)) if len(fields) == 8 else (0, 0)


def megahertz() -> float:
    """The clock of the first core, as far as the system tells it."""
    found = re.search(r"^cpu MHz\s*:\s*([\d.]+)", _text("/proc/cpuinfo"), re.MULTILINE)
    return float(found[1]) if found else 0.0
