"""Runs leafscore-convert, whether or not the package is installed."""

import sys

import conversion_testing  # noqa: F401
from leafscore.convert.__main__ import main

sys.exit(main())
