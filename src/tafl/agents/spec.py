"""Texts that name an agent: `random`, `mcts(iterations=1000)`, `puct(run:runs/c4,c=0.2)`.

    agent = NAME | NAME(argument, ...) | NAME:argument | FILE.py:CLASS
    argument = parameter=value | agent | text       in quotes where it contains , ( ) or quotes

A class or function makes an agent from a game, a seed and parameters, typed by its signature.
A parameter called `agent` is the trained agent of a search.
"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from tafl.agents.agent import Agent
from tafl.agents.own import is_own, make_own
from tafl.boards.game import Game, checked_seed
from tafl.boards.load import load_game
from tafl.boards.spec import check_text, suggestion, typed
from tafl.boards.trust import Judge, judge_of
from tafl.errors import InputError, check_type

# name -> its class or function, imported when needed
AGENTS = {
    "random": "tafl.agents.random:RandomAgent",
    "human": "tafl.agents.human:HumanAgent",
    "exact": "tafl.agents.exact:ExactAgent",
    "maxn": "tafl.agents.search:MaxNAgent",
    "expectimax": "tafl.agents.search:ExpectimaxAgent",
    "alphabeta": "tafl.agents.search:AlphaBetaAgent",
    "mcts": "tafl.agents.trees:MCTSAgent",
    "pimc": "tafl.agents.hidden:PIMCAgent",
    "ismcts": "tafl.agents.hidden:ISMCTSAgent",
    "ab": "tafl.agents.connectfour:ABAgent",
    "ab-dl": "tafl.agents.connectfour:ABDLAgent",
    "bench": "tafl.agents.othello:BenchAgent",
    "heur": "tafl.agents.othello:HeurAgent",
    "gtp": "tafl.agents.gtp:GtpAgent",
    "edax": "tafl.agents.edax:EdaxAgent",
    "openspiel": "tafl.adapters.openspiel:named",
    "sb3": "tafl.adapters.sb3:SB3Agent",
    "run": "tafl.runs.trained_agents:trained",
    "champion": "tafl.runs.champions:champion",
    "nply": "tafl.agents.search:NPlyAgent",
    "puct": "tafl.agents.trees:PUCTAgent",
    "beam": "tafl.agents.beam:BeamAgent",
}

DEEPEST = 10  # agents inside of agents
QUOTED = r"'[^']*'|\"[^\"]*\""


def make_agent(spec: str, game: str | Path | type | Game | None = None, seed: int = 0) -> Agent:
    """Return the agent that a text describes; a trained agent needs no game.

    >>> import tafl
    >>> state = tafl.game("tictactoe").position([1, 1, 0, 2, 2, 0, 0, 0, 0])
    >>> make_agent("maxn(depth=9)", "tictactoe").values(state)
    {2: 1.0, 5: 0.0, 6: -1.0, 7: -1.0, 8: -1.0}
    """
    loaded = None if game is None else load_game(game)
    return make_from(AGENTS, spec, loaded, checked_seed(seed))


def check_agent(spec: str, game: Game, named_by: str | None) -> None:
    """Make an agent to see that it can play; one that runs code and is stored needs trust."""
    make_from(AGENTS, spec, game, 0, judge_of(named_by))


def make_from(
    known: dict[str, str],
    spec: str,
    game: Game | None,
    seed: int,
    judge: Judge = lambda agent, content: None,
) -> Agent:
    """Return the agent that a text describes; `known` is a table of names.

    A class whose agents run code has a method `code`, which returns a hash of that code. The judge
    hears of it before the agent is made.
    """
    name, arguments, given = parse(spec)
    if is_own(name):
        return make_own(name, game, seed, judge)
    if name not in known:
        raise InputError(f"there is no agent {name!r}; {_hint(name, known)}")
    module, _, attribute = known[name].partition(":")
    maker = getattr(import_module(module), attribute)
    takes = parameters(maker)
    values = {}
    for key, text in {**_by_place(name, takes, arguments), **given}.items():
        if key not in takes:
            raise InputError(f"{name} has no parameter {key!r}; {_hint(key, takes)}")
        values[key] = _value(name, takes[key], text, game, seed, judge)
    missing = [key for key, p in takes.items() if p.default is p.empty and key not in values]
    if missing:
        example = f"{name}(run:PATH)" if missing[0] == "agent" else f"{name}:{missing[0].upper()}"
        raise InputError(f"{spec}: {missing[0]} is missing; write for example {example}")
    if game is None and "agent" in values:
        game = values["agent"].game
    needed = inspect.signature(maker, eval_str=True).parameters["game"].annotation == Game
    if game is None and needed:
        raise InputError(f"{spec}: name a game; only trained agents know theirs")
    try:
        if hasattr(maker, "code"):
            judge(spec, maker.code(**values))
        made: Agent = maker(game, seed=seed, **values)
    except InputError as error:
        raise type(error)(f"{spec}: {error}") from None
    return made


def parse(spec: str) -> tuple[str, list[str], dict[str, str]]:
    """Return the name of an agent, its positional and its named arguments, as text.

    >>> parse("puct(run:runs/c4, iterations=500)")
    ('puct', ['run:runs/c4'], {'iterations': '500'})
    """
    check_type("an agent", spec, str)
    _check_size(spec)
    text = spec.strip()
    if is_own(text):
        return text, [], {}
    found = re.fullmatch(r"([\w-]+)(?::(.+)|\((.*)\))?", text, re.DOTALL)
    if not found:
        raise InputError(f"{spec!r} is not an agent; write for example mcts(iterations=1000)")
    name, rest, inside = found.groups()
    if rest:
        return name, [_unquoted(rest)], {}
    arguments: list[str] = []
    given: dict[str, str] = {}
    for part in _split(spec, inside or ""):
        key, value = re.fullmatch(r"(?:([A-Za-z]\w*)\s*=)?(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        if not value.strip():
            raise InputError(f"{spec}: {part!r} must be like iterations=1000")
        if key is None:
            arguments.append(_unquoted(value))
        elif key in given:
            raise InputError(f"{spec}: {key} is given twice")
        else:
            given[key] = _unquoted(value)
    return name, arguments, given


def _check_size(spec: str) -> None:
    """Refuse implausible texts."""
    check_text("an agent", spec)
    depth = deepest = 0
    for sign in re.sub(QUOTED, "", spec):
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise InputError(f"an agent has at most {DEEPEST} others inside, and not {deepest:,}")


def parameters(maker: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters of a class or function besides the game and the seed."""
    takes = inspect.signature(maker, eval_str=True).parameters
    return {key: p for key, p in takes.items() if key not in ("game", "seed")}


def _split(spec: str, inside: str) -> Iterator[str]:
    """Yield the parts between commas, except commas in parentheses or quotes."""
    depth, part = 0, ""
    for token in re.findall(rf"{QUOTED}|.", inside, re.DOTALL):
        depth += (token == "(") - (token == ")")
        if depth < 0:
            break
        if token == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += token
    if depth != 0:
        raise InputError(f"{spec}: unbalanced parentheses")
    if inside.strip():
        yield part.strip()


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if re.fullmatch(QUOTED, text) else text


def _by_place(name: str, takes: dict[str, Any], arguments: list[str]) -> dict[str, str]:
    """Assign positional arguments to the agent and the parameters without a default."""
    needed = [key for key, p in takes.items() if key == "agent" or p.default is p.empty]
    if len(arguments) > len(needed):
        extra = arguments[len(needed)]
        raise InputError(f"{name}: {extra!r} must be like parameter=value; {_hint(extra, takes)}")
    return dict(zip(needed, arguments, strict=False))


def _hint(wrong: str, known: dict[str, Any]) -> str:
    listed = f"available: {', '.join(known)}" if known else "it has no parameters"
    return suggestion(wrong, known, listed)


def _value(
    name: str,
    parameter: inspect.Parameter,
    text: str,
    game: Game | None,
    seed: int,
    judge: Judge,
) -> Any:
    """Return the value of a parameter in its type."""
    kind, where = parameter.annotation, f"{name}: {parameter.name}"
    if parameter.name == "agent":
        agent = make_from(AGENTS, text, game, seed, judge)
        if not isinstance(agent, kind):
            needed = "a trained agent such as run:PATH"
            if hasattr(agent, "store"):
                needed = "an agent with a network of values, from td, sarsa or q"
            raise InputError(f"{name} needs {needed}, not {text}")
        return agent
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise InputError(f"{where} must be {' or '.join(get_args(kind))}, not {text}")
        return text
    return text if kind is str else typed(where, text, kind)
