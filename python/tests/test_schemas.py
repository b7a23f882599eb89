"""JSON Schemas of classes, as the option `schema`."""

from __future__ import annotations

import dataclasses
import datetime
import enum
from typing import Any, Dict, List, Literal, Optional, Tuple

import pytest

import leafscore as ls
from leafscore._schemas import schema_of


class Currency(enum.Enum):
    EUR = "EUR"
    USD = "USD"


@dataclasses.dataclass
class Line:
    sku: str
    count: int = 1


@dataclasses.dataclass
class Invoice:
    number: str
    due: datetime.date
    currency: Currency
    lines: List[Line]
    kind: Literal["invoice", "credit"] = "invoice"
    note: Optional[str] = None
    size: Optional[Tuple[float, float]] = None
    labels: Dict[str, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Node:
    value: Any
    next: Optional[Node] = None


def test_a_data_class_is_a_schema() -> None:
    assert schema_of(Invoice) == {
        "type": "object",
        "title": "Invoice",
        "properties": {
            "number": {"type": "string"},
            "due": {"type": "string", "format": "date"},
            "currency": {"enum": ["EUR", "USD"]},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
            "kind": {"enum": ["invoice", "credit"], "default": "invoice"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            "size": {
                "anyOf": [
                    {
                        "type": "array",
                        "prefixItems": [{"type": "number"}, {"type": "number"}],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                    {"type": "null"},
                ],
                "default": None,
            },
            "labels": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["number", "due", "currency", "lines"],
        "$defs": {
            "Line": {
                "type": "object",
                "title": "Line",
                "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "default": 1}},
                "required": ["sku"],
            }
        },
    }


def test_answers_are_held_against_a_data_class() -> None:
    right = {"number": "7", "due": "2026-03-01", "currency": "EUR", "lines": [{"sku": "A"}, {"sku": "B", "count": 2}]}
    wrong = {**right, "currency": "CHF", "lines": [{"count": "2"}]}
    rows = [{"expected": None, "actual": answer} for answer in (right, wrong)]
    scores = ls.score(rows, {"type": "json_schema", "schema": Invoice})
    assert [row["json_schema"]["score"] for row in scores[:2]] == [1.0, 0.0]
    faults = scores.report()["scorers"][0]["faults"]
    assert [(fault["field"], fault["rule"]) for fault in faults] == [
        ("currency", "enum"),
        ("lines[*].count", "type"),
        ("lines[*].sku", "required"),
    ]


def test_a_class_that_holds_itself() -> None:
    plan = ls.Plan({"type": "json_schema", "schema": Node})
    assert plan.score_pair(None, {"value": 1, "next": {"value": 2}})["json_schema"].score == 1
    assert plan.score_pair(None, {"value": 1, "next": {"next": None}})["json_schema"].score == 0


def test_records_takes_defaults_of_a_class() -> None:
    plan = ls.Plan({"type": "records", "schema": Line})
    assert plan.score_pair({"sku": "A", "count": 1}, {"sku": "A"})["records"].score == 1


def test_models_of_pydantic() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Person", name=(str, ...), age=(int, ...))
    plan = ls.Plan({"type": "json_schema", "schema": model})
    assert plan.score_pair(None, {"name": "Ada", "age": 36})["json_schema"].score == 1
    assert plan.score_pair(None, {"name": "Ada"})["json_schema"].metrics["required"] == 0.5
    several = ls.Plan({"type": "json_schema", "schema": pydantic.TypeAdapter(List[model])})
    assert several.score_pair(None, [{"name": "Ada", "age": 36}])["json_schema"].score == 1


def test_what_has_no_schema() -> None:
    with pytest.raises(TypeError, match="complex has no schema"):
        ls.Plan({"type": "json_schema", "schema": complex})
    odd = dataclasses.make_dataclass("Odd", [("z", complex)])
    with pytest.raises(TypeError, match="Odd.z: no schema is known"):
        ls.Plan({"type": "json_schema", "schema": odd})


def test_gold_is_held_against_a_class() -> None:
    gold = [{"id": 1, "expected": {"sku": "A"}}, {"id": 2, "expected": {"sku": 5}}]
    found = [f for f in ls.lint(gold, "json_similarity", schema=Line).findings if f["kind"] == "invalid_gold"]
    assert [finding["ids"]["first"] for finding in found] == [["2"]]
