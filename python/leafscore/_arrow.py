"""Libraries that a call cannot do without, above all pyarrow."""

from __future__ import annotations

import importlib
from typing import Any


def require(what: str, *names: str) -> list[Any]:
    """Returns the modules. Raises ImportError that says what needs them, and how to get them."""
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        raise ImportError(f"{what} needs {' and '.join(names)}: pip install {' '.join(names)}") from error


def pyarrow(what: str) -> Any:
    """Returns the module pyarrow. Raises ImportError as `require` does."""
    return require(what, "pyarrow")[0]


def is_arrow(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")
