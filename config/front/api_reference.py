"""The API reference as a page, made from the OpenAPI description."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
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


# A piece of a type's name, and the schema it links to; '' for none.
Part = dict[str, str]
Described = Mapping[str, Any]


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API, with parameters, bodies, responses and an example."""
    groups, schemas = reference()
    site = on_our_port(request.build_absolute_uri("/")).rstrip("/")
    context = {"groups": groups, "schemas": schemas, "site": site}
    return render(request, "api_reference.html", context)


@cache
def reference() -> tuple[list[Described], list[Described]]:
    """Return the operations by tag and the schemas by name; cached for the process."""
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    schemas = described["components"]["schemas"]
    groups: dict[str, list[Described]] = defaultdict(list)
    for path, operations in described["paths"].items():
        for method in METHODS:
            if operation := operations.get(method):
                shown = _operation(operation, schemas)
                groups[operation["tags"][0]].append(
                    {"path": path, "method": method.upper(), **shown}
                )
    ordered: list[Described] = [
        {"anchor": tag, "name": capfirst(tag.replace("-", " ")), "operations": operations}
        for tag, operations in sorted(groups.items())
    ]
    return ordered, [_schema(name, schemas[name]) for name in sorted(schemas)]


def _html(text: str) -> str:
    """Return a description as HTML, without its line breaks."""
    return markdown.render(_WRAPPED.sub(" ", text)) if text else ""


def _operation(operation: Described, schemas: Described) -> Described:
    """Return an operation for the page; `body` is an example of a request body."""
    summary, _, rest = operation.get("description", "").partition("\n\n")
    content = operation.get("requestBody", {}).get("content", {})
    body: Described = next((kind["schema"] for kind in content.values()), {})
    responses = sorted(operation["responses"].items())
    return {
        "anchor": operation["operationId"],
        "summary": _html(summary),
        "description": _html(rest),
        "parameters": [
            _field(each["name"], each["schema"], each, required=each.get("required", False))
            for each in operation.get("parameters", [])
        ],
        "fields": _fields(_resolved(body, schemas)),
        "answers": [_answer(status, response) for status, response in responses if status < "400"],
        "errors": [status for status, _ in responses if status >= "400"],
        "body": json.dumps(_sample(body, schemas), ensure_ascii=False) if body else "",
        "upload": "multipart/form-data" in content,
    }


def _answer(status: str, response: Described) -> Described:
    shape = next((kind.get("schema", {}) for kind in response.get("content", {}).values()), None)
    return {
        "status": status,
        "type": [] if shape is None else _type(shape),
        "description": _html(response.get("description", "")),
    }


def _schema(name: str, schema: Described) -> Described:
    return {
        "name": name,
        "description": _html(schema.get("description", "")),
        "fields": _fields(schema),
        "type": _type(schema),
    }


def _fields(schema: Described) -> list[Described]:
    required = schema.get("required", [])
    return [
        _field(name, field, field, required=name in required)
        for name, field in schema.get("properties", {}).items()
    ]


def _field(name: str, schema: Described, described: Described, *, required: bool) -> Described:
    """Return the template context of one parameter or field of the API reference."""
    return {
        "name": name,
        "type": _type(schema),
        "required": required,
        "description": _html(described.get("description", "")),
        "place": described.get("in", ""),
    }


def _type(schema: Described) -> list[Part]:
    """Return the words of a type's name, each with the schema it links to."""
    if "$ref" in schema:
        name = _name(schema)
        return [{"text": name, "schema": name}]
    if choices := _choices(schema):
        return _joined([_type(choice) for choice in choices], " or ")
    if "enum" in schema:
        return [{"text": ", ".join(json.dumps(value) for value in schema["enum"])}]
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return _joined([_type({**schema, "type": each}) for each in kind], " or ")
    if kind == "array":
        return [{"text": "array of "}, *_type(schema.get("items", {}))]
    detailed = "format" in schema and kind != "null"
    return [{"text": f"{kind} ({schema['format']})" if detailed else kind}]


def _choices(schema: Described) -> list[Described]:
    return next((schema[key] for key in ("oneOf", "anyOf", "allOf") if key in schema), [])


def _joined(types: list[list[Part]], between: str) -> list[Part]:
    parts: list[Part] = []
    for each in types:
        parts += [{"text": between}, *each] if parts else each
    return parts


def _name(schema: Described) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _resolved(schema: Described, schemas: Described) -> Described:
    resolved: Described = schemas[_name(schema)] if "$ref" in schema else schema
    return resolved


def _sample(schema: Described, schemas: Described, depth: int = 0) -> Any:
    """Return an example of a schema with its required fields."""
    schema = _resolved(schema, schemas)
    if choices := _choices(schema):
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
