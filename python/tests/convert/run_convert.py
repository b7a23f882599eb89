"""Runs leafscore-convert, whether or not the package is installed."""

import sys

import conversion_testing  # noqa: F401
from leafscore.convert.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
