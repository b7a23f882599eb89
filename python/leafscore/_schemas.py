"""JSON Schemas of Python's classes."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import json
import typing
import uuid
from typing import Any, Mapping, Union

from ._values import to_json

try:
    from types import UnionType  # type: ignore[attr-defined,unused-ignore]
except ImportError:  # before Python 3.10
    UnionType = None  # type: ignore[assignment,misc,unused-ignore]

_PLAIN: dict[Any, dict[str, Any]] = {
    Any: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    decimal.Decimal: {"type": "number"},
    str: {"type": "string"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    dict: {"type": "object"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.time: {"type": "string", "format": "time"},
    uuid.UUID: {"type": "string", "format": "uuid"},
}
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable)
_MAPS = (dict, collections.abc.Mapping)


def with_schema(scorer: Any) -> Any:
    """Returns a scorer whose `schema` is JSON, where it was a class: a model of pydantic (or a TypeAdapter) or a data
    class. Raises TypeError for a field that no schema can say."""
    if not isinstance(scorer, Mapping) or "schema" not in scorer:
        return scorer
    schema = schema_of(scorer["schema"])
    return scorer if schema is scorer["schema"] else {**scorer, "schema": schema}


def schema_of(value: Any) -> Any:
    """Returns the JSON Schema of a class; any other value as it is.

    >>> @dataclasses.dataclass
    ... class Line:
    ...     sku: str
    ...     count: int = 1
    >>> schema_of(Line)["required"], schema_of(Line)["properties"]["count"]
    (['sku'], {'type': 'integer', 'default': 1})
    """
    if hasattr(value, "model_json_schema"):
        return value.model_json_schema()
    if isinstance(value, type) and dataclasses.is_dataclass(value):
        return _of_data_class(value)
    if hasattr(value, "json_schema") and hasattr(value, "validate_python"):  # pydantic's TypeAdapter
        return value.json_schema()
    if isinstance(value, type):
        raise TypeError(f"{value.__name__} has no schema: give a model of pydantic, a data class, or the schema itself")
    return value


def _of_data_class(kind: Any) -> dict[str, Any]:
    definitions: dict[str, dict[str, Any]] = {}
    _define(kind, definitions)
    schema = definitions[kind.__name__]
    if not _refers_to(schema, kind.__name__, definitions):
        del definitions[kind.__name__]
    return {**schema, "$defs": definitions} if definitions else schema


def _refers_to(schema: dict[str, Any], name: str, definitions: dict[str, dict[str, Any]]) -> bool:
    reference = json.dumps({"$ref": f"#/$defs/{name}"})[1:-1]
    return any(reference in json.dumps(one) for one in [schema, *definitions.values()])


def _define(kind: Any, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    name = kind.__name__
    if name not in definitions:
        schema: dict[str, Any] = {"type": "object", "title": name, "properties": {}, "required": []}
        definitions[name] = schema  # before its fields, which may hold the class
        hints = typing.get_type_hints(kind)
        for field in dataclasses.fields(kind):
            where = f"{name}.{field.name}"
            member = schema["properties"][field.name] = dict(_schema(hints[field.name], where, definitions))
            if field.default is not dataclasses.MISSING:
                member["default"] = json.loads(to_json(field.default))
            elif field.default_factory is dataclasses.MISSING:
                schema["required"].append(field.name)
    return {"$ref": f"#/$defs/{name}"}


def _schema(hint: Any, where: str, definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Returns the schema of a type that a field is annotated with; data classes in it go to `definitions`."""
    if isinstance(hint, collections.abc.Hashable) and hint in _PLAIN:
        return _PLAIN[hint]
    if hasattr(hint, "model_json_schema"):
        raise TypeError(f"{where}: a data class cannot hold the model {hint.__name__} here; make it a model, too")
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _define(hint, definitions)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [json.loads(to_json(member.value)) for member in hint]}
    kind, arguments = typing.get_origin(hint), typing.get_args(hint)

    def inner(one: Any) -> dict[str, Any]:
        return _schema(one, where, definitions)

    if kind is Union or (UnionType is not None and kind is UnionType):
        return {"anyOf": [inner(one) for one in arguments]}
    if kind is typing.Literal:
        return {"enum": list(arguments)}
    if kind in _LISTS:
        return {"type": "array", "items": inner(arguments[0])}
    if kind is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": inner(arguments[0])}
    if kind is tuple:
        count = len(arguments)
        prefix = [inner(one) for one in arguments]
        return {"type": "array", "prefixItems": prefix, "minItems": count, "maxItems": count}
    if kind in _MAPS:
        return {"type": "object", "additionalProperties": inner(arguments[1])}
    raise TypeError(f"{where}: no schema is known for {hint!r}; give the schema itself as a dict")
