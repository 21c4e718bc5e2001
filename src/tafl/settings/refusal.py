"""Errors in settings, as one line that says what would be right."""

import difflib
import re
from typing import Any

from pydantic import BaseModel, ValidationError


def one_line(error: ValidationError, model: type[BaseModel]) -> str:
    """Return the first thing that is wrong, with the name of its setting."""
    first = error.errors()[0]
    names = [str(part) for part in first["loc"]]
    key = ".".join(names)
    if first["type"] == "extra_forbidden":
        return f"unknown setting {key}; {_nearest(names, model)}"
    if first["type"] == "missing":
        return f"the setting {key} is missing"
    if first["type"] in ("too_short", "too_long"):
        least, most = (first["ctx"].get(f"{end}_length") for end in ("min", "max"))
        number = f"at least {least} of them" if least is not None else f"at most {most:,} of them"
        return f"{key} = {_short(first['input'])}: must name {number}, such as random"
    message = re.sub("^(Input|List|String) should", "must", first["msg"])
    message = message.removeprefix("Value error, ").replace(" after validation", "")
    value = first["input"]
    if first["type"] == "model_type":
        return f"{key} = {_short(value)}: must be a table"
    if isinstance(value, dict):
        return f"{key}: {message}"
    return f"{key} = {_short(value)}: {message}"


def _nearest(names: list[str], model: type[BaseModel]) -> str:
    table: Any = model
    for name in names[:-1]:
        table = table.model_fields[name].annotation
    known = [field.alias or name for name, field in table.model_fields.items()]
    close = difflib.get_close_matches(names[-1], known, n=1)
    prefix = "".join(f"{name}." for name in names[:-1])
    if close:
        return f"did you mean {prefix}{close[0]}?"
    return f"{f'[{names[0]}]' if prefix else 'the top level'} has: {', '.join(known)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
