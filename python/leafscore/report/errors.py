"""The error that ends a report before it is written."""

from __future__ import annotations


class ReportError(Exception):
    """The report cannot be made: the sentence says what is wrong and what to do. Exit status 2."""
