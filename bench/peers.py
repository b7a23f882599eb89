"""Scorers of packages that need a schema, for `leafscore bench --against peers:NAME` on generated invoices.

Run from this folder (or with it on PYTHONPATH), with stickler-eval and omni-extract-bench installed. Both packages are called as
their documentation does. A function takes the expected and the actual value and returns a similarity from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Function = Callable[[Any, Any], float]
TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}


def _object(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members}


_ADDRESS = _object(street=TEXT, city=TEXT, country=TEXT)
_ITEM = _object(sku=TEXT, description=TEXT, qty=WHOLE, unit_price=NUMBER, total=NUMBER)
# What `leafscore generate --profile invoices` expects.
INVOICE = {
    "title": "Invoice",
    **_object(
        invoice_number=TEXT,
        invoice_date=TEXT,
        currency=TEXT,
        supplier=_object(name=TEXT, address=_ADDRESS, tax_id=TEXT, contact=_object(person=TEXT, email=TEXT)),
        customer=_object(name=TEXT, address=_ADDRESS, tax_id=TEXT),
        line_items={"type": "array", "items": _ITEM},
        net_total=NUMBER,
        tax=NUMBER,
        gross_total=NUMBER,
        paid={"type": "boolean"},
        payment_terms=TEXT,
        notes=TEXT,
    ),
}


def _stickler() -> Function:
    from stickler import StructuredModel

    model = StructuredModel.from_json_schema(INVOICE)
    return lambda expected, actual: model(**expected).compare_with(model(**actual))["overall_score"]


def _omni() -> Function:
    from omni_extract_bench import score

    return lambda expected, actual: score(actual, expected, INVOICE)["accuracy"]


def __getattr__(name: str) -> Function:
    """Makes the function of a package when it is asked for, so that its import is not timed and the other one not needed."""
    makers = {"stickler": _stickler, "omni": _omni}
    if name not in makers:
        raise AttributeError(name)
    return makers[name]()
