"""The reference of the API as a page: the OpenAPI description, read into groups of operations."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator

from accounts.access.adapter import on_our_port
from conversations import markdown

METHODS = ("get", "post", "put", "patch", "delete")
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n)")
_SAMPLES: Mapping[str, Any] = {"string": "…", "integer": 1, "number": 0.5, "boolean": True}


@dataclass(frozen=True)
class Part:
    """A piece of the name of a type; `schema` names the schema that it links to, or is ''."""

    text: str
    schema: str = ""


@dataclass(frozen=True)
class Field:
    """A parameter of an operation, or a field of a body or of an object."""

    name: str
    type: Sequence[Part]
    required: bool
    description: str
    place: str = ""


@dataclass(frozen=True)
class Answer:
    """What an operation answers with a status below 400."""

    status: str
    type: Sequence[Part]
    description: str


@dataclass(frozen=True)
class Operation:
    """A method of a path. `body` is an example of what is sent, '' where nothing is."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    parameters: Sequence[Field]
    fields: Sequence[Field]
    answers: Sequence[Answer]
    errors: Sequence[str]
    body: str
    upload: bool


@dataclass(frozen=True)
class Group:
    """The operations on one kind of thing."""

    anchor: str
    name: str
    operations: Sequence[Operation]


@dataclass(frozen=True)
class Schema:
    """An object, or a choice of values, that operations send or answer."""

    name: str
    description: str
    fields: Sequence[Field]
    type: Sequence[Part]


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API, with its parameters, bodies, answers and an example."""
    groups, schemas = reference()
    site = on_our_port(request.build_absolute_uri("/")).rstrip("/")
    context = {"groups": groups, "schemas": schemas, "site": site}
    return render(request, "api_reference.html", context)


@cache
def reference() -> tuple[Sequence[Group], Sequence[Schema]]:
    """Return the operations by their tag, and the schemas by name; read once in a process."""
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    schemas = described["components"]["schemas"]
    groups: dict[str, list[Operation]] = defaultdict(list)
    for path, operations in described["paths"].items():
        for method in METHODS:
            if operation := operations.get(method):
                tag = operation["tags"][0]
                groups[tag].append(_operation(path, method, operation, schemas))
    ordered = [Group(tag, capfirst(tag.replace("-", " ")), groups[tag]) for tag in sorted(groups)]
    return ordered, [_schema(name, schemas[name]) for name in sorted(schemas)]


def _html(text: str) -> str:
    """Return a description as HTML; its lines are wrapped in the code, and not on the page."""
    return markdown.render(_WRAPPED.sub(" ", text)) if text else ""


def _operation(
    path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    summary, _, rest = operation.get("description", "").partition("\n\n")
    content = operation.get("requestBody", {}).get("content", {})
    body: Mapping[str, Any] = next((kind["schema"] for kind in content.values()), {})
    sent = _resolved(body, schemas)
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=_html(summary),
        description=_html(rest),
        parameters=[_parameter(each) for each in operation.get("parameters", [])],
        fields=list(_fields(sent)),
        answers=list(_answers(operation["responses"])),
        errors=sorted(status for status in operation["responses"] if status >= "400"),
        body=json.dumps(_sample(body, schemas), ensure_ascii=False) if body else "",
        upload="multipart/form-data" in content,
    )


def _parameter(parameter: Mapping[str, Any]) -> Field:
    return Field(
        name=parameter["name"],
        type=_type(parameter["schema"]),
        required=parameter.get("required", False),
        description=_html(parameter.get("description", "")),
        place=parameter["in"],
    )


def _answers(responses: Mapping[str, Any]) -> Iterator[Answer]:
    for status in sorted(responses):
        if status < "400":
            content = responses[status].get("content", {})
            kinds = [kind.get("schema", {}) for kind in content.values()]
            shape = _type(kinds[0]) if kinds else []
            yield Answer(status, shape, _html(responses[status].get("description", "")))


def _schema(name: str, schema: Mapping[str, Any]) -> Schema:
    fields = list(_fields(schema))
    described = _html(schema.get("description", ""))
    return Schema(name, described, fields, [] if fields else _type(schema))


def _fields(schema: Mapping[str, Any]) -> Iterator[Field]:
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        described = _html(field.get("description", ""))
        yield Field(name, _type(field), name in required, described)


def _type(schema: Mapping[str, Any]) -> list[Part]:
    """Return the name of a type in pieces, those that name a schema with its name."""
    if "$ref" in schema:
        name = _name(schema)
        return [Part(name, name)]
    choices = next((schema[key] for key in ("oneOf", "anyOf", "allOf") if key in schema), None)
    if choices is not None:
        return _joined([_type(choice) for choice in choices], " or ")
    if "enum" in schema:
        return [Part(", ".join(json.dumps(value) for value in schema["enum"]))]
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return _joined([_type({**schema, "type": each}) for each in kind], " or ")
    if kind == "array":
        return [Part("array of "), *_type(schema.get("items", {}))]
    return [Part(f"{kind} ({schema['format']})" if "format" in schema and kind != "null" else kind)]


def _joined(types: Sequence[Sequence[Part]], between: str) -> list[Part]:
    parts: list[Part] = []
    for each in types:
        parts += [Part(between), *each] if parts else each
    return parts


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    resolved: Mapping[str, Any] = schemas[_name(schema)] if "$ref" in schema else schema
    return resolved


def _sample(schema: Mapping[str, Any], schemas: Mapping[str, Any], depth: int = 0) -> Any:
    """Return an example of what a schema describes, with the fields that are required."""
    schema = _resolved(schema, schemas)
    choices = next((schema[key] for key in ("oneOf", "anyOf", "allOf") if key in schema), None)
    if choices is not None:
        return _sample(choices[0], schemas, depth)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "array":
        return [_sample(schema.get("items", {}), schemas, depth + 1)]
    if kind == "object":
        properties = schema.get("properties", {})
        shown = schema.get("required") or ([] if depth else list(properties)[:1])
        return {
            name: _sample(properties[name], schemas, depth + 1)
            for name in shown
            if not properties[name].get("readOnly")
        }
    return _SAMPLES.get(kind, "…")
