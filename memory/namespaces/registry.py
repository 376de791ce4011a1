"""The registry of built-in namespaces, read from `namespaces.toml`. No Django, no database.

An entry is a JSON document checked by a pydantic model of named field types. Shares are 0..1,
rounded to tenths, and times are rounded to minutes in UTC, as in the compact form.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, create_model

# The maximum size of an entry as JSON, in bytes.
MOST_BYTES = 16_384
# How long a hot entry is stored after its namespace was last written.
SESSION = timedelta(hours=2)
# Groups: namespaces that show the memory of the site itself, and those of users.
_PRODUCT_GROUP, OWN_GROUP = "user", "my"
_LONGEST_LIST = 12
_REGISTRY: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("namespaces.toml").read_text(encoding="utf-8")
)


class Tier(StrEnum):
    """Where an entry is stored: hot (cache only), warm (a row), cold (a compressed row)."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class UnknownNamespace(LookupError):
    """There is no namespace with this name."""


class Style(StrEnum):
    """How the compact form writes a field: code as is, word escaped, phrase last."""

    CODE = "code"
    WORD = "word"
    PHRASE = "phrase"


class FieldType(NamedTuple):
    """The type of a field; `heading` is its name in the compact form if not the field's own."""

    annotation: Any
    style: Style = Style.WORD
    heading: str = ""
    words: Mapping[str, str] = {}
    many: bool = False


class Entry(BaseModel):
    """Base model of all entries; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Namespace:
    """A namespace.

    `most` is the number of entries; if `rolling`, the oldest is deleted for a new one, otherwise a
    new one is refused. `keep` is the lifetime of an entry after its last write, `cold_after` the
    time after its last use until it moves to the cold tier; None for never.
    """

    name: str
    purpose: str
    schema: type[Entry]
    fields: Mapping[str, FieldType]
    tier: Tier = Tier.WARM
    most: int = 200
    rolling: bool = False
    keep: timedelta | None = None
    cold_after: timedelta | None = timedelta(days=30)
    title: str = ""
    sentences: tuple[str, ...] = ()
    shorten: Mapping[str, int] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]

    @property
    def own(self) -> bool:
        """Whether the namespace shows the memory of the site itself; read-only here."""
        return self.group == _PRODUCT_GROUP

    @property
    def needs_consent(self) -> bool:
        """Whether the user must consent before entries are stored."""
        return self.tier is not Tier.HOT and not self.own


# --- Types of fields ------------------------------------------------------------------------------


def _to_the_minute(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("Include the time zone, as in 2026-11-24T06:30:00Z.")
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def text_type(longest: int) -> Any:
    """Return the type of a text of 1 to `longest` characters."""
    return Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)
    ]


def _many(of: FieldType) -> FieldType:
    annotation = Annotated[list[of.annotation], Field(max_length=_LONGEST_LIST)]  # type: ignore[name-defined]
    return of._replace(annotation=annotation, many=True)


Code = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,39}$")]
_CODE = FieldType(Code, Style.CODE)
_NAMES = _many(FieldType(text_type(80), Style.PHRASE))
_SETS = {
    name: FieldType(Literal[tuple(words)], Style.CODE, words=words)
    for name, words in _REGISTRY["codes"].items()
}
TYPES: dict[str, FieldType] = {
    "text": FieldType(text_type(500), Style.PHRASE),
    "long": FieldType(Annotated[str, StringConstraints(max_length=8_000)], Style.PHRASE),
    "name": FieldType(text_type(80)),
    "names": _NAMES,
    "code": _CODE,
    "codes": _many(_CODE),
    "pattern": _CODE._replace(words=_REGISTRY["patterns"]),
    "share": FieldType(
        Annotated[float, Field(ge=0, le=1), AfterValidator(lambda share: round(share, 1))]
    ),
    "count": FieldType(Annotated[int, Field(ge=0, le=1_000_000)]),
    "flag": FieldType(bool),
    "date": FieldType(date, heading="days_ago"),
    "moment": FieldType(
        Annotated[datetime, AfterValidator(_to_the_minute)], heading="days_ago@time"
    ),
    **_SETS,
    **{f"{name}s": _many(codes) for name, codes in _SETS.items()},
}


def entry_model(
    name: str,
    fields: Mapping[str, FieldType],
    required: Iterable[str] = (),
    defaults: Mapping[str, Any] = {},
) -> type[Entry]:
    """Return the pydantic model of an entry; fields not required default to None or []."""
    needed = set(required)
    made: dict[str, Any] = {}
    for key, kind in fields.items():
        if key in needed:
            made[key] = (kind.annotation, ...)
        elif kind.many or key in defaults:
            made[key] = (kind.annotation, defaults.get(key, []))
        else:
            made[key] = (kind.annotation | None, None)
    return create_model(name.partition(".")[2], __base__=Entry, __module__=__name__, **made)


def namespace_from(name: str, table: dict[str, Any]) -> Namespace:
    """Return the namespace that a table of `namespaces.toml` describes."""
    table = dict(table)
    fields = {key: TYPES[kind] for key, kind in table.pop("fields").items()}
    schema = entry_model(name, fields, table.pop("required", ()), table.pop("defaults", {}))
    tier = Tier(table.pop("tier", Tier.WARM))
    lasts = tier is Tier.HOT or name.startswith(f"{_PRODUCT_GROUP}.")
    cold_after_days, keep_days = table.pop("cold_after_days", 30), table.pop("keep_days", 0)
    return Namespace(
        name,
        schema=schema,
        fields=fields,
        tier=tier,
        keep=timedelta(days=keep_days) or None,
        cold_after=None if lasts else timedelta(days=cold_after_days) or None,
        title=table.pop("title", name.partition(".")[2].replace("_", " ")),
        sentences=tuple(table.pop("sentences")),
        **table,
    )


NAMESPACES = {name: namespace_from(name, table) for name, table in _REGISTRY["namespaces"].items()}


def scopes() -> list[str]:
    """Return the possible scopes of a token: all groups and all built-in namespaces."""
    groups = dict.fromkeys(f"{namespace.group}.*" for namespace in NAMESPACES.values())
    return [*groups, f"{OWN_GROUP}.*", *NAMESPACES]


def matching(patterns: Iterable[str], namespaces: Mapping[str, Namespace] = NAMESPACES) -> set[str]:
    """Return the names that scopes like 'shared.people', 'shared.*' or '*' allow."""
    wanted = set(patterns)
    return {
        name
        for name, namespace in namespaces.items()
        if wanted & {name, f"{namespace.group}.*", "*"}
    }
