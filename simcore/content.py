"""Content is data: TOML files -> validated entries -> one frozen ``Content``, with sources, overlays and dotted paths.

A section is a file ``<section>.toml`` of ``[slug]`` tables; a game gives each section a pydantic model derived from
``Entry``. Effect texts are parsed here, once. An overlay is a folder with the same file names: its entries merge key by
key into those of the folders before it, a new slug adds an entry, ``remove = true`` takes one away. Whatever is not
understood is refused in one line with file, entry, word and the nearest valid word. No text of a file is ever run.

Every number, switch, choice and text of an entry is a parameter with a dotted path: ``items.trashcan-lid.copies``,
``locations.fort.cover``, ``items.pine-boughs.effect`` and its first number ``items.pine-boughs.effect.1``.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
import types
import typing
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NoReturn, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simcore.effects import Effect, Language, refuse_circles
from simcore.errors import InputError, nearest
from simcore.parameter import Parameter, Value

Source = Literal["rulebook", "published", "inferred", "estimated"]
SOURCES: tuple[str, ...] = typing.get_args(Source)  # from the surest to the least sure
MOST_COPIES = 99
ABOUT = (
    "name",
    "source",
    "sources",
    "bounds",
    "alternatives",
    "note",
)  # keys that say something about an entry; no parameters
OVERLAY_FILE = "overlay"
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]*")


class Entry(BaseModel):
    """What every entry has. A game's models add their own keys; keys that nobody declared are refused.

    `sources` names keys that are less sure than the entry as a whole (a published card with an estimated number of
    copies); `bounds` and `alternatives` say what else an estimate could plausibly be.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, protected_namespaces=())
    effects: ClassVar[tuple[str, ...]] = ()  # the keys whose value is an effect text, or a table of them

    name: str = Field(min_length=1)
    source: Source
    sources: dict[str, Source] = {}
    copies: int = Field(1, ge=0, le=MOST_COPIES, description="copies")
    blank: bool = Field(False, description="keeps its place in the deck but does nothing")
    bounds: dict[str, list[int]] = {}
    alternatives: dict[str, list[str]] = {}
    note: str = ""

    def language(self, key: str) -> Language:
        """The language of an effect key. A model with effects overrides this."""
        raise NotImplementedError(key)

    def words(self, sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
        """The entry's own vocabularies: names of its abilities, say, or of those of the entry that it belongs to."""
        return {}

    def called(self, phrase: str) -> tuple[str, ...]:
        """The entry's texts that a phrase of a calling vocabulary can start: the one of that name, or several."""
        return (phrase,)

    @model_validator(mode="after")
    def _about_is_true(self) -> Entry:
        keys = [k for k in type(self).model_fields if k not in ABOUT]
        for about in ("sources", "bounds", "alternatives"):
            for key in getattr(self, about):
                if key.partition(".")[0] not in keys:
                    raise ValueError(f"{about}: no key {key!r}{nearest(key, keys)}")
        for key, pair in self.bounds.items():
            value = getattr(self, key, None)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ValueError(
                    f"bounds: {key!r} is no number; an effect's number has its bounds in the text: {{2|1..4}}"
                )
            if len(pair) != 2 or pair[0] > pair[1]:
                raise ValueError(f"bounds: {key} needs [lowest, highest]")
            if not pair[0] <= value <= pair[1]:
                raise ValueError(f"{key}: {value} is outside its own bounds {pair[0]}..{pair[1]}")
        return self

    def source_of(self, key: str) -> str:
        """Where the value of a key (or of `key.name` in a table of texts) comes from."""
        return self.sources.get(key, self.sources.get(key.partition(".")[0], self.source))

    @property
    def certainty(self) -> str:
        """The least sure source among the entry's values, its number of copies aside."""
        return max((self.source, *(s for k, s in self.sources.items() if k != "copies")), key=SOURCES.index)


@dataclass(frozen=True)
class Overlay:
    """One overlay: its name (or folder), title and the reason for it."""

    name: str
    title: str
    reason: str


class _About(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    title: str
    reason: str = ""


Raw = dict[str, dict[str, dict[str, Any]]]  # section -> slug -> table


@dataclass(frozen=True, eq=False)
class Content:
    """All entries of a game's content, by section and slug, in the order of the files. Frozen: see ``changed``."""

    sections: Mapping[str, Mapping[str, Any]]
    effects: Mapping[tuple[str, str, str], Effect]  # (section, slug, key) or, in a table of texts, key.name
    overlays: tuple[Overlay, ...]
    files: Mapping[tuple[str, str], str]  # the file that an entry's last word comes from

    def where(self, section: str, slug: str) -> str:
        """How messages name an entry."""
        return f"{self.files.get((section, slug), section + '.toml')}, [{slug}]"

    @cached_property
    def _parameters(self) -> dict[str, Parameter]:
        found: dict[str, Parameter] = {}
        for section, entries in self.sections.items():
            for slug, entry in entries.items():
                for parameter in _parameters(section, slug, entry, self.effects):
                    found[parameter.name] = parameter
        return found

    def parameters(self) -> dict[str, Parameter]:
        """Every number, choice, switch and text by dotted path; the default is the present value."""
        return dict(self._parameters)

    def changed(self, changes: Mapping[str, object]) -> Content:
        """This content with other values at these dotted paths. A whole text is set before any of its numbers.

        Raises InputError naming the path. A changed value counts as estimated: it is no fact of the printed game.
        """
        if not changes:
            return self
        known, effects = self._parameters, dict(self.effects)
        tables: dict[tuple[str, str], dict[str, Any]] = {}
        paths: dict[tuple[str, str], list[str]] = {}  # for messages
        numbers: list[tuple[tuple[str, str], list[str], int, object]] = []
        for path, value in changes.items():
            section, _, rest = path.partition(".")
            slug, _, key = rest.partition(".")
            if slug not in self.sections.get(section, {}) or not key:
                raise InputError(f"no content {path!r}{nearest(path, known)}")
            at = section, slug
            tables.setdefault(at, self.sections[section][slug].model_dump())
            paths.setdefault(at, []).append(path)
            *keys, last = key.split(".")
            if keys and last.isdecimal():
                numbers.append((at, keys, int(last), value))
            elif path in known:
                _set(tables[at], [*keys, last], known[path].read(value))
            else:
                raise InputError(f"no content {path!r}{nearest(path, known)}")

        def build(at: tuple[str, str]) -> Any:
            where = f"{', '.join(paths[at])} ({self.where(*at)})"
            entry = _validated(type(self.sections[at[0]][at[1]]), tables[at], where)
            effects.update(_parsed(*at, entry, self.sections, where))
            return entry

        entries = {at: build(at) for at in tables}
        for at, keys, k, value in numbers:
            path = ".".join(keys)
            effect = effects.get((*at, path))
            if effect is None or not 1 <= k <= len(effect.numbers):
                name = f"{at[0]}.{at[1]}.{path}.{k}"
                raise InputError(f"no content {name!r}{nearest(name, known)}")
            number = _number_parameter(*at, entries[at], path, effect, k).read(value)
            _set(tables[at], keys, effect.with_number(k, int(number)))
            entries[at] = build(at)
        sections = {s: dict(old) for s, old in self.sections.items()}
        for (section, slug), table in tables.items():
            sections[section][slug] = _estimated_where_changed(
                sections[section][slug], table, self.where(section, slug)
            )
        return _content(sections, effects, self.overlays, self.files)

    def provenance(self, without: Collection[str] = ()) -> dict[str, int]:
        """Cards (an entry counts by its copies) by source, the surest first; `without` names sections, or entries as
        section.slug, that are not in play.

        A card counts by the least sure of its values. Where only the number of copies is less sure, one copy counts for
        the card and the others for the number.
        """
        count = dict.fromkeys(SOURCES, 0)
        for section, entries in self.sections.items():
            for slug, entry in entries.items() if section not in without else ():
                if f"{section}.{slug}" in without:
                    continue
                further = max(entry.certainty, entry.source_of("copies"), key=SOURCES.index)
                if entry.copies:
                    count[entry.certainty] += 1
                    count[further] += entry.copies - 1
        return count

    @cached_property
    def digest(self) -> str:
        """Digest of every value of every entry: equal for equal content, wherever it was read from."""
        plain = {s: [(slug, e.model_dump()) for slug, e in entries.items()] for s, entries in self.sections.items()}
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:20]


# --- reading files --------------------------------------------------------------------------------------------------


def load(
    folder: Path,
    sections: Mapping[str, type[Entry]],
    overlays: Sequence[str | Path] = (),
    shipped_folder: Path | None = None,
) -> Content:
    """Content of `folder` with the overlays applied in their order.

    An overlay is the name of a folder in `shipped_folder` (default ``folder/overlays``), or a path of a folder. Raises
    InputError in one line.
    """
    shipped = folder / "overlays" if shipped_folder is None else shipped_folder
    raw: Raw = {}
    files: dict[tuple[str, str], str] = {}
    for section in sections:
        raw[section] = _read(folder / f"{section}.toml", f"{section}.toml")
        _check_tables(raw[section], f"{section}.toml")
        files.update({(section, slug): f"{section}.toml" for slug in raw[section]})
    used = [_apply(given, raw, files, sections, shipped) for given in overlays]
    models: dict[str, dict[str, Entry]] = {section: {} for section in sections}
    effects: dict[tuple[str, str, str], Effect] = {}
    for section, model in sections.items():
        for slug, table in raw[section].items():
            models[section][slug] = _validated(model, table, f"{files[section, slug]}, [{slug}]")
    for section, entries in models.items():  # all entries first: a card may name an ability of another entry
        for slug, entry in entries.items():
            effects.update(_parsed(section, slug, entry, models, f"{files[section, slug]}, [{slug}]"))
    return _content(models, effects, tuple(used), files)


def shipped_overlays(shipped_folder: Path) -> dict[str, Overlay]:
    """The overlays that lie in a folder, by name."""
    if not shipped_folder.is_dir():
        return {}
    names = sorted(f.name for f in shipped_folder.iterdir() if f.is_dir() and any(f.glob("*.toml")))
    return {name: _about(shipped_folder / name, name, name) for name in names}


def _content(sections: Any, effects: Any, overlays: tuple[Overlay, ...], files: Any) -> Content:
    frozen = MappingProxyType({s: MappingProxyType(dict(entries)) for s, entries in sections.items()})
    return Content(frozen, MappingProxyType(dict(effects)), overlays, MappingProxyType(dict(files)))


def _read(path: Path, shown: str) -> dict[str, dict[str, Any]]:
    """The tables of a file. `shown`: how messages name it."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{shown}: not a text file in UTF-8") from None
    except OSError as error:
        raise InputError(f"{shown}: cannot be read ({error.strerror or error})") from None
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = re.search(r" \(at line (\d+), column \d+\)$", message)
        line = int(at[1]) if at else text.count("\n") + 1
        message = message[: at.start()] if at else message.removesuffix(" (at end of document)")
        raise InputError(f"{shown}, line {line}: {message} (not valid TOML)") from None
    except RecursionError:
        raise InputError(f"{shown}: values lie too deep in one another") from None
    return tables


def _check_tables(tables: Mapping[str, Any], shown: str) -> None:
    for slug, table in tables.items():
        if not isinstance(table, dict):
            raise InputError(f"{shown}: {slug!r} stands outside any [entry]")
        if not _SLUG.fullmatch(slug) or slug == "none":
            raise InputError(f"{shown}, [{slug}]: an entry's name is made of a-z, 0-9 and '-' (and is not 'none')")


def _apply(
    given: str | Path, raw: Raw, files: dict[tuple[str, str], str], sections: Mapping[str, type[Entry]], shipped: Path
) -> Overlay:
    """Merge one overlay into `raw`."""
    known = shipped_overlays(shipped)
    if str(given) in known:
        folder, shown = shipped / str(given), f"overlays/{given}"
    else:
        folder, shown = Path(given).expanduser(), str(given)
        if not folder.is_dir():
            what = (
                "is a file, not a folder of TOML files"
                if folder.exists()
                else "is neither a folder nor an overlay that ships"
            )
            raise InputError(f"content {str(given)!r} {what}{nearest(str(given), known)}")
    found = sorted(p for p in folder.iterdir() if p.suffix == ".toml" and p.stem != OVERLAY_FILE)
    names = [f"{s}.toml" for s in sections]
    if not found:
        raise InputError(f"content {str(given)!r} has no content file; known: {', '.join(names)}")
    for path in found:
        if path.stem not in sections:
            raise InputError(f"{shown}/{path.name}: no such section{nearest(path.name, names)}")
    for path in found:
        section, file = path.stem, f"{shown}/{path.name}"
        tables = _read(path, file)
        _check_tables(tables, file)
        for slug, table in tables.items():
            _merge(section, slug, table, file, raw, sections[section])
            files[section, slug] = file
    return _about(folder, str(given), shown)


def _merge(section: str, slug: str, table: dict[str, Any], file: str, raw: Raw, model: type[Entry]) -> None:
    entries = raw[section]
    if "remove" in table:
        if table["remove"] is not True or len(table) > 1:
            raise InputError(f"{file}, [{slug}]: 'remove' is written alone, as remove = true")
        if slug not in entries:
            raise InputError(f"{file}, [{slug}]: nothing to remove{nearest(slug, entries)}")
        del entries[slug]
        return
    if slug not in entries:
        needed = [k for k, f in model.model_fields.items() if f.is_required()]
        lacking = [k for k in needed if k not in table]
        if lacking:
            raise InputError(f"{file}, [{slug}]: a new entry also needs {', '.join(lacking)}{nearest(slug, entries)}")
        entries[slug] = table
        return
    old = entries[slug]
    merged = {**old, **table}
    for key, value in table.items():
        if isinstance(value, dict) and isinstance(old.get(key), dict):  # a table of texts, or of sources, merges too
            merged[key] = {**old[key], **value}
    different = _differences(old, merged)
    for about in ("sources", "bounds", "alternatives"):  # what was said of a value does not hold for another one
        said, own = merged.get(about), table.get(about)
        if isinstance(said, dict):
            own = own if isinstance(own, dict) else {}
            merged[about] = {k: v for k, v in said.items() if k not in different or k in own}
    sources = merged.setdefault("sources", {})
    if "source" not in table and isinstance(sources, dict):  # a designer's value is no fact of the printed game
        merged["sources"] = {**dict.fromkeys(different, "estimated"), **sources}
    entries[slug] = merged


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Keys (`key.name` in tables of texts) whose value is another one in `new`, or is new."""
    found: list[str] = []
    for key, value in new.items():
        if key in ABOUT or value == old.get(key):
            continue
        if isinstance(value, dict) and isinstance(old.get(key), dict):
            found += [f"{key}.{name}" for name, text in value.items() if text != old[key].get(name)]
        else:
            found.append(key)
    return found


def _about(folder: Path, name: str, shown: str) -> Overlay:
    path = folder / f"{OVERLAY_FILE}.toml"
    if not path.is_file():
        return Overlay(name, folder.name, "")
    about = _validated(_About, _read(path, f"{shown}/{path.name}"), f"{shown}/{path.name}")
    return Overlay(name, about.title, about.reason)


# --- validating -----------------------------------------------------------------------------------------------------


def _validated(model: type[Any], table: Mapping[str, Any], where: str) -> Any:
    try:
        return model.model_validate(table)
    except ValidationError as error:
        _explain(model, error, where)


_MUST_BE = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "string_type": 'must be a text in "quotes"',
    "list_type": "must be a list in [brackets]",
    "dict_type": "must be a table of key = value",
    "string_too_short": "must not be empty",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
}


def _explain(model: type[BaseModel], error: ValidationError, where: str) -> NoReturn:
    """One fault as one line; a misspelt key before the key that it leaves missing."""
    fault = min(error.errors(), key=lambda e: e["type"] != "extra_forbidden")
    path = ".".join(str(part) for part in fault["loc"])
    value, context, kind = fault["input"], fault.get("ctx", {}), fault["type"]
    if kind == "extra_forbidden":
        raise InputError(f"{where}: unknown key {path!r}{nearest(path, model.model_fields)}") from None
    if kind == "missing":
        raise InputError(f"{where}: {path!r} is missing") from None
    if kind == "literal_error":
        field = model.model_fields.get(str(fault["loc"][0]))
        choices = SOURCES if fault["loc"][0] == "sources" else _choices(field.annotation if field else None)
        raise InputError(f"{where}: {path} = {value!r} is not valid{nearest(str(value), choices)}") from None
    if kind == "value_error":
        raise InputError(f"{where}: {context.get('error', fault['msg'])}") from None
    raise InputError(f"{where}: {path} = {value!r} {_MUST_BE.get(kind, fault['msg']).format(**context)}") from None


def _texts(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """The effect texts of an entry: (path within the entry, key, text)."""
    for key in entry.effects:
        value = getattr(entry, key)
        if isinstance(value, Mapping):
            yield from ((f"{key}.{name}", key, text) for name, text in value.items())
        else:
            yield key, key, value


def _parsed(
    section: str, slug: str, entry: Entry, sections: Mapping[str, Mapping[str, Any]], where: str
) -> dict[tuple[str, str, str], Effect]:
    words = entry.words(sections)
    found = {}
    calls: dict[str, set[str]] = {}
    for path, key, text in _texts(entry):
        language = entry.language(key)
        found[section, slug, path] = effect = language.parse(text, f"{where}, {path}", words)
        for vocabulary in language.calls:
            called = (name for phrase in effect.named(vocabulary) for name in entry.called(phrase))
            calls.setdefault(path.rpartition(".")[2], set()).update(called)
        for other in entry.alternatives.get(path, ()):
            language.parse(other, f"{where}, alternatives.{path}", words)
    refuse_circles(calls, where)
    return found


def _estimated_where_changed(entry: Entry, table: dict[str, Any], where: str) -> Any:
    """The changed entry; keys that now differ count as estimated."""
    different = _differences(entry.model_dump(), table)
    table = {**table, "sources": {**table["sources"], **dict.fromkeys(different, "estimated")}}
    return _validated(type(entry), table, where)


# --- dotted paths ---------------------------------------------------------------------------------------------------


def _set(table: dict[str, Any], keys: Sequence[str], value: object) -> None:
    for key in keys[:-1]:
        table[key] = table = dict(table[key])
    table[keys[-1]] = value


def _choices(annotation: Any) -> tuple[str, ...]:
    if typing.get_origin(annotation) is Literal:
        return tuple(str(v) for v in typing.get_args(annotation))
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(v for part in typing.get_args(annotation) for v in _choices(part))
    return ()


def _limits(entry: Entry, key: str) -> tuple[float | None, float | None]:
    """Bounds of a number: what the entry says, else what its model allows."""
    if key in entry.bounds:
        return cast(tuple[int, int], tuple(entry.bounds[key]))
    metadata = type(entry).model_fields[key].metadata
    low = next((m.ge for m in metadata if hasattr(m, "ge")), None)
    return low, next((m.le for m in metadata if hasattr(m, "le")), None)


def _parameters(
    section: str, slug: str, entry: Entry, effects: Mapping[tuple[str, str, str], Effect]
) -> Iterator[Parameter]:
    for key, model_field in type(entry).model_fields.items():
        if key in ABOUT or key in entry.effects:
            continue
        value: Value | None = getattr(entry, key)
        path, source = f"{section}.{slug}.{key}", entry.source_of(key)
        meaning = f"{entry.name}: {model_field.description or key}"
        choices = _choices(model_field.annotation)
        if choices:
            yield Parameter(path, "choice", value, meaning, choices=choices, source=source)
        elif isinstance(value, bool):
            yield Parameter(path, "flag", value, meaning, source=source)
        elif isinstance(value, int | float):
            low, high = _limits(entry, key)
            yield Parameter(
                path, "integer" if isinstance(value, int) else "number", value, meaning, low, high, source=source
            )
    for text_path, _, text in _texts(entry):
        other = tuple(entry.alternatives.get(text_path, ()))
        yield Parameter(
            f"{section}.{slug}.{text_path}",
            "text",
            text,
            f"{entry.name}: what it does" + (f" (or: {'; or: '.join(other)})" if other else ""),
            choices=other,
            source=entry.source_of(text_path),
        )
        effect = effects[section, slug, text_path]
        for k in range(1, len(effect.numbers) + 1):
            yield _number_parameter(section, slug, entry, text_path, effect, k)


def _number_parameter(section: str, slug: str, entry: Entry, path: str, effect: Effect, k: int) -> Parameter:
    number = effect.numbers[k - 1]
    return Parameter(
        f"{section}.{slug}.{path}.{k}",
        "integer",
        number.value,
        f"{entry.name}: number {k} of {effect.text!r}",
        number.low,
        number.high,
        source="estimated" if number.estimated else entry.source_of(path),
    )
