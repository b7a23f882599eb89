"""The error that ends a conversion before it has a result."""

from __future__ import annotations


class ConvertError(Exception):
    """The conversion cannot run: the sentence says what is wrong and what to do. Exit status 2."""


def need_package(name: str, purpose: str) -> ConvertError:
    """The error for a package that only this format needs, with the command that brings it."""
    return ConvertError(f"{purpose} needs the package {name}, which is not installed: pip install {name}")
