"""All settings of a run: one model, read and written as TOML."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import tomli_w
from pydantic import (
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from tafl.errors import InputError
from tafl.settings.refusal import one_line
from tafl.settings.sections import (
    Checkpoint,
    Coherence,
    Evaluation,
    Learning,
    Network,
    RegretMatching,
    Section,
    Start,
)
from tafl.settings.tables import Fields, read_toml
from tafl.settings.values import (
    TABLES,
    Whole,
)


class Settings(Section):
    """Everything that a run depends on.

    >>> Settings.of({"game": "hex", "network": {"tuples": "hex-2"}}).td.lambda_
    0.0
    """

    game: str
    algo: Literal["td", "sarsa", "q", "regret"] = "td"
    episodes: Annotated[int, Field(ge=1, le=10**15), Whole] = 100_000
    # lengths before the run was made longer
    stages: list[Annotated[int, Field(ge=1)]] = []  # noqa: RUF012 - pydantic copies it
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    device: Literal["cpu", "cuda"] = "cpu"
    threads: Annotated[int, Field(ge=1, le=1024)] = 1  # games at a time
    td: Learning = Learning()
    start: Start = Start()
    network: Network
    coherence: Coherence = Coherence()
    regret: RegretMatching = RegretMatching()
    evaluation: Evaluation = Evaluation()
    checkpoint: Checkpoint = Checkpoint()

    @field_validator("game")
    @classmethod
    def _some_game(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("must name a game")
        return value

    @field_validator("threads")
    @classmethod
    def _one_game(cls, value: int, info: ValidationInfo) -> int:
        said = info.data
        if value > 1 and said.get("algo") == "regret" and said.get("device") == "cuda":
            raise ValueError("must be 1 with regret and device = cuda: one game of each agent")
        return value

    @field_validator("network")
    @classmethod
    def _hashed(cls, value: Network, info: ValidationInfo) -> Network:
        unusual = {
            "hash_bits": value.hash_bits is not None,
            "kind": value.kind != TABLES,
            "shared": value.shared,
        }
        for name in [name for name, given in unusual.items() if given]:
            if info.data.get("algo") == "regret":
                raise ValueError(f"{name} has no effect with regret; remove it")
        return value

    @field_validator("td")
    @classmethod
    def _one_of_them(cls, value: Learning, info: ValidationInfo) -> Learning:
        if value.backward and value.lambda_ and info.data.get("algo") == "td":
            raise ValueError("backward and lambda exclude each other; set one of them to 0")
        return value

    @field_validator("stages")
    @classmethod
    def _ascending(cls, value: list[int], info: ValidationInfo) -> list[int]:
        ends = [*value, info.data.get("episodes", math.inf)]
        if ends != sorted(set(ends)):
            raise ValueError("must be ascending numbers of episodes, below `episodes`")
        return value

    @property
    def ends(self) -> list[int]:
        """Return the ends of all stages, where alpha and epsilon reach their final values."""
        return [*self.stages, self.episodes]

    @classmethod
    def of(cls, tree: Mapping[str, Any]) -> "Settings":
        """Return the settings in a tree of tables, or the first thing that is wrong with it."""
        try:
            return cls.model_validate(dict(tree))
        except ValidationError as error:
            raise InputError(one_line(error, cls)) from None

    @classmethod
    def read(cls, path: str | Path) -> "Settings":
        """Return the settings in a TOML file, which may not be a link."""
        try:
            return cls.of(read_toml(path, follow=False))
        except InputError as error:
            raise InputError(
                f"{path}: {error}" if str(path) not in str(error) else str(error)
            ) from None

    @property
    def farl(self) -> str:
        """Return which parts of FARL are on: yes, no, or part; SARSA and Q have only the first."""
        parts = {self.td.farl_others}
        if self.algo == "td":
            parts.add(self.td.farl_terminal)
        return "part" if len(parts) == 2 else ("yes" if True in parts else "no")

    def tree(self) -> Fields:
        """Return the settings as tables."""
        tree = self.model_dump(by_alias=True, exclude_none=True)
        for name, usual in (("stages", []), ("device", "cpu")):
            if tree[name] == usual:
                del tree[name]
        if self.algo != "regret":
            del tree["regret"]
        if not tree["network"]["shared"]:
            del tree["network"]["shared"]
        del tree["network"]["kind" if self.network.kind == TABLES else "tuples"]
        return tree

    def toml(self) -> str:
        """Return the settings as TOML, all of them."""
        return tomli_w.dumps(self.tree())


def schema() -> Fields:
    """Return the JSON Schema of all settings, for editors and other programs."""
    standard = "https://json-schema.org/draft/2020-12/schema"
    found = {"$schema": standard, **Settings.model_json_schema(by_alias=True)}
    return found | {
        "title": "Settings of a tafl run",
        "description": "Everything that a run depends on.",
    }
