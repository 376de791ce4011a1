"""The one registry of namespaces, read from `namespaces.toml`. No Django, no database.

An entry is a JSON document that a pydantic model checks, made of named types of fields. Shares run
from 0 to 1 and are kept to a tenth, times to the minute and in UTC: the compact form shows them so.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, create_model

# The longest an entry may be, as JSON, in bytes.
MOST_BYTES = 16_384
# How long after its last use an entry of the hot tier is gone: a session.
SESSION = timedelta(hours=2)
# Namespaces that show what the product remembers, and those that people register.
_PRODUCT_GROUP, OWN_GROUP = "user", "my"
_LONGEST_LIST = 12
_REGISTRY: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("namespaces.toml").read_text(encoding="utf-8")
)


class Tier(StrEnum):
    """Where an entry is stored."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class UnknownNamespace(LookupError):
    """There is no namespace of this name."""


class Style(StrEnum):
    """How a field is written in compact form: a code as it is, a word escaped, a phrase last."""

    CODE = "code"
    WORD = "word"
    PHRASE = "phrase"


class FieldType(NamedTuple):
    """What a field holds; `heading` is what the compact form calls it, its name unless told."""

    annotation: Any
    style: Style = Style.WORD
    heading: str = ""
    words: Mapping[str, str] = {}
    many: bool = False


class Entry(BaseModel):
    """The base of all entries: no fields but the named ones."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Namespace:
    """One namespace.

    `most` entries fit in it; where it is `rolling`, the oldest goes for a new one, otherwise a new
    one is refused. `keep` is how long an entry stays after it was last written (None: until it is
    removed), `cold_after` how long after it was last used it moves to the archive (None: never).
    `own` namespaces show what the product itself remembers; they are written by its own verbs.
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
        """The part before the dot."""
        return self.name.partition(".")[0]

    @property
    def own(self) -> bool:
        """Whether it shows what the product itself remembers."""
        return self.group == _PRODUCT_GROUP

    @property
    def needs_consent(self) -> bool:
        """Whether its owner has to consent to keeping entries."""
        return self.tier is not Tier.HOT and not self.own


# --- Types of fields ------------------------------------------------------------------------------


def _to_the_minute(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("Include the time zone, as in 2026-11-24T06:30:00Z.")
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def text_type(longest: int) -> Any:
    """Return the type of a text of at most so many characters."""
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
    """Return the model of an entry with these fields; those not required are empty unless told."""
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
    """Return what a token may be limited to: every namespace, and every group of them."""
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
