"""The tables of the settings: learning, start, network, coherence, evaluation and the rest.

Words are the paper's. D1, D2, ... are places where the paper and its authors' program differ; a
setting chooses, and docs/differences.md explains.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from tafl.settings.values import (
    LINES,
    MLP,
    RANDOM_TUPLES,
    SINGLE,
    TABLES,
    Boards,
    Kind,
    Rate,
    Roles,
    Share,
    Starts,
    Tuples,
    Whole,
)


class Section(BaseModel):
    """A table of the TOML file: unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _with_final(name: str, data: Any) -> Any:
    """Return the data with the final value of a rate, which stays what it is without one."""
    if isinstance(data, dict) and name in data:
        return {f"{name}_final": data[name], **data}
    return data


class Learning(Section):
    """[td]: how the network learns (Algorithms 2, 3 and 5)."""

    alpha: Rate = 1.0
    alpha_final: Rate = 1.0
    alpha_schedule: Literal["geometric", "linear"] = "linear"  # D1
    epsilon: Share = 0.1
    epsilon_final: Share = 0.1
    gamma: Share = 1.0
    lambda_: Annotated[float, Field(ge=0, lt=1, alias="lambda")] = 0.0
    horizon_cut: Annotated[float, Field(ge=1e-6, lt=1)] = 0.1
    eligibility: Literal["standard", "reset"] = "standard"
    trace_across_episodes: bool = False  # D20
    farl_others: bool = True  # part 1 of FARL: the other players' last afterstates
    farl_terminal: bool = True  # part 2 of FARL: the terminal afterstate
    afterstates: bool = True
    learn_from_random_moves: bool = True
    learn_from_start: bool = False  # D2
    zero_next: bool = False  # D14
    zero_terminal: bool = True  # D15
    reuse_action: bool = False  # D3
    backward: Annotated[int, Field(ge=0, le=100_000)] = 0  # afterstates that learn together

    @model_validator(mode="before")
    @classmethod
    def _finals(cls, data: Any) -> Any:
        return _with_final("epsilon", _with_final("alpha", data))

    @field_validator("backward")
    @classmethod
    def _with_the_one_before(cls, value: int) -> int:
        if value == 1:
            raise ValueError("must be 0, or at least 2: an afterstate and the one before it")
        return value


class Start(Section):
    """[start]: where episodes begin that do not begin at the start.

    With probability `again` at a position of the episode before, each of them as likely; else, in a
    puzzle, at most `scramble` moves from its goal, one at first and all after half the episodes; or
    else with `probability` after random plies (Choose-Start-01). A share `walks` of the episodes
    plays no moves: the position that scrambling leads to learns how many moves it took.
    """

    plies: Annotated[int, Field(ge=0, le=1000)] = 0
    probability: Share = 0.5
    again: Share = 0.0
    scramble: Annotated[int, Field(ge=0, le=1000)] = 0
    walks: Share = 0.0

    @model_validator(mode="after")
    def _walks_from_the_goal(self) -> "Start":
        if self.walks and not self.scramble:
            raise ValueError("walks needs scramble, the most moves from the goal")
        return self


class Network(Section):
    """[network]: the approximator, its n-tuples if it has any, and what is done with their sum.

    `kind` is n-tuples, linear (n-tuples of one cell each), mlp (a neural network with `units`
    hidden units), or a file with your own approximator.
    """

    kind: Kind = TABLES
    units: Annotated[int, Field(ge=1, le=4096)] | None = None
    tuples: Tuples = "random-walk"
    number: Annotated[int, Field(ge=1, le=100_000)] | None = None
    length: Annotated[int, Field(ge=1, le=64)] | None = None
    sigma: Literal["tanh", "identity"] = "tanh"
    symmetries: Boards = True
    # n-tuples with more than 2^hash_bits patterns are hashed into tables of about that size
    hash_bits: Annotated[int, Field(ge=16, le=28)] | None = None
    shared: bool = False  # one network serves all players, in games whose seats are interchangeable

    @model_validator(mode="before")
    @classmethod
    def _linear(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("kind") != "linear":
            return data
        if data.get("tuples", SINGLE) != SINGLE:
            raise ValueError("linear means tuples = cells; remove tuples, or kind")
        return {**data, "kind": TABLES, "tuples": SINGLE}

    @model_validator(mode="after")
    def _of_its_kind(self) -> "Network":
        if self.units is None and self.kind == MLP:
            raise ValueError(f"units is missing; {MLP} needs a number of hidden units")
        if self.units is not None and self.kind != MLP:
            raise ValueError(f"units applies only to kind = {MLP}")
        if self.kind == TABLES:
            return self._number_and_length()
        for name in ("tuples", "number", "length", "hash_bits"):
            if name in self.model_fields_set and getattr(self, name) is not None:
                raise ValueError(f"{name} applies only to kind = {TABLES}; remove it")
        return self

    def _number_and_length(self) -> "Network":
        drawn = self.tuples in RANDOM_TUPLES
        for name, kinds in (("number", RANDOM_TUPLES), ("length", (*RANDOM_TUPLES, LINES))):
            if drawn and getattr(self, name) is None:
                raise ValueError(
                    f"{name} is missing; {self.tuples} n-tuples need number and length"
                )
            if self.tuples not in kinds and getattr(self, name) is not None:
                raise ValueError(f"{name} applies only to {' and '.join(kinds)} n-tuples")
        return self


class Coherence(Section):
    """[coherence]: a learning rate for each weight (temporal coherence)."""

    transfer: Literal["off", "id", "exp"] = "id"
    beta: Annotated[float, Field(gt=0, le=6)] = 2.7
    init: Annotated[float, Field(gt=0, le=1000)] = 1e-4
    accumulate: Literal["change", "error"] = "change"

    @property
    def width(self) -> int:
        """Numbers that learning keeps of each weight: itself, and its two sums if it has any."""
        return 1 if self.transfer == "off" else 3


class Evaluation(Section):
    """[evaluation]: how often (in episodes; 0: never), against whom, and in how many games each.

    Without `starts`, games against random begin at the start, and others after every first move.
    The agent plays all roles equally often, or only the first, the second, or that of a player
    (0 moves first).
    """

    every: Annotated[int, Field(ge=0, le=10**15)] = 0
    opponents: Annotated[list[str], Field(min_length=1, max_length=1000)] = ["random"]
    games: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    starts: Starts | None = None
    exploitability: bool = False  # exact, for games whose tree is small
    roles: Roles = "all"


class RegretMatching(Section):
    """[regret]: how regret matching learns (algo = "regret"), and what it keeps numbers of.

    The exact store has a row for each information state, at most `states` of them; the other one
    has the n-tuples of [network].
    """

    alpha: Annotated[float, Field(gt=0, le=1)] = 0.05  # of the critic
    epsilon: Annotated[float, Field(gt=0, le=1)] = 0.5
    floor: Share = 0.02  # of the probability that a correction is divided by
    store: Literal["exact", "n-tuples"] = "exact"
    states: Annotated[int, Field(ge=1, le=10**9), Whole] = 1_000_000


class Checkpoint(Section):
    """[checkpoint]: seconds between two checkpoints; one is always written at the end."""

    every_seconds: Annotated[float, Field(ge=0, le=86_400)] = 300.0
