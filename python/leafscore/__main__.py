"""python -m leafscore: the command, as the wheel brings it."""

from __future__ import annotations

import os
import sys
import sysconfig


def main() -> None:
    command = os.path.join(sysconfig.get_path("scripts"), "leafscore")
    os.execv(command, [command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
