"""pyarrow, where a call cannot do without."""

from __future__ import annotations

from typing import Any


def pyarrow(what: str) -> Any:
    """Returns the module pyarrow. Raises ImportError that says what needs it."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(f"{what} needs pyarrow: pip install 'leafscore[arrow]'") from error
    return pyarrow


def is_arrow(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")
