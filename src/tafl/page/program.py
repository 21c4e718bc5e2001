"""The kernels that a page runs, compiled to WebAssembly, and their memory."""

import base64
import hashlib
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np

from tafl.agents.proofs import bare_tree
from tafl.agents.search import MOST_PLIES, fitting_table, untrained
from tafl.agents.trees import TEMPERATURE, usual_c
from tafl.boards import Game, load_game
from tafl.core.compile.cache import cache_folder
from tafl.core.compile.kernel import compiler, own_approximators
from tafl.core.games.rules import one_outcome
from tafl.core.learn.q import train_q
from tafl.core.learn.regret import Regret, look_up, make_moves, train_regret
from tafl.core.learn.sarsa import train_sarsa
from tafl.core.learn.store import make_store
from tafl.core.learn.td import train_td
from tafl.core.play import seen, step
from tafl.core.play.greedy import action_values
from tafl.core.play.replay import make_trace, replay
from tafl.core.search.alphabeta import alphabeta_values, make_cuts
from tafl.core.search.expectimax import expectimax_values, make_levels
from tafl.core.search.ismcts import ismcts_search, make_info_tree
from tafl.core.search.maxn import make_stack, maxn_scores
from tafl.core.search.mcts import RANDOM, UCT, mcts
from tafl.core.search.pimc import make_worlds, pimc_search
from tafl.core.search.proof import make_proof, prove_value
from tafl.core.search.puct import PUCT, puct_search
from tafl.core.search.tree import make_tree
from tafl.errors import InputError
from tafl.files import replacing
from tafl.page.pack import Bytes, blank, packed
from tafl.processes import cores
from tafl.settings.build import index_net
from tafl.workers import Fields, Pool

MOST_ITERATIONS = 50_000
MOST_EDGES = 2**20  # of a tree, which then stops growing
DEPTH = 40  # plies that a search looks ahead at most
HASH_BITS = 18

RULES = ("begin_game", "look_at", "play_action", "draw_below")
SEEN = ("look_as", "deal_again")  # further rules of games with hidden information
GREEDY = ("action_values", "contributions", "index_tuples")
MIXED = ("look_up", "draw_move")  # agents that play by chance
CHECKED = (*RULES, "action_values", "replay")  # tests compare these with the CPU
SEARCHES = (
    *("mcts", "puct_search", "maxn_scores", "alphabeta_values", "expectimax_values"),
    *("pimc_search", "ismcts_search"),
)
LEARNERS = {"td": "train_td", "sarsa": "train_sarsa", "q": "train_q"}
REGRET = {"regret": "train_regret"}  # the learner of games with hidden information
UNFILLED = ("tree", "infos")
KERNELS = {
    kernel.python.__name__: kernel
    for kernel in (
        *(step.begin_game, step.look_at, step.play_action, step.draw_below),
        *(step.contributions, step.index_tuples, action_values, train_td, train_sarsa, train_q),
        *(mcts, puct_search, maxn_scores, alphabeta_values, prove_value, expectimax_values, replay),
        *(seen.look_as, seen.deal_again, seen.draw_move, look_up, train_regret),
        *(pimc_search, ismcts_search),
    )
}


class Program:
    """The compiled kernels of a game for its page."""

    def __init__(self, game: Game, kernels: tuple[str, ...] | None = None, net: Any = None):
        if game.foreign:
            raise InputError(f"{game.name} is Python of another library: only Python can run it")
        self.game, self.net = game, net  # an example of the page's networks; None: n-tuples
        wanted = kernels or kernels_of(game, net)
        self.names = tuple(dict.fromkeys((*wanted, *(SEEN if game.hides else ()))))

    @cached_property
    def memory(self) -> dict[str, Any]:
        """Return memory for each argument of the kernels that does not belong to an agent."""
        facts, random = self.game.facts, self.game.has_chance
        low, high = map(float, facts.score_range)
        c = usual_c(facts.players)
        nodes = MOST_ITERATIONS + 2
        edges = max(min(nodes * facts.actions, MOST_EDGES), 2 * facts.actions)
        return {
            "game": self.game.rules,
            "s": np.zeros(facts.words, np.int64),
            "s_after": np.zeros(facts.words, np.int64),
            "rng": np.zeros(1, np.uint64),
            "view": step.make_view(facts),
            "actions": np.zeros(facts.actions, np.int64),
            "values": np.zeros(facts.actions, np.float64),
            "heights": np.zeros(facts.actions, np.int64),
            "scores": np.zeros((facts.actions, facts.players), np.float64),
            "totals": np.zeros(1 + facts.players),
            "tree": make_tree(facts, nodes, edges, MOST_PLIES),
            "uct": UCT(1.414, 10, 200, random, low, high),
            "puct": PUCT(c, TEMPERATURE, random, low, high, np.zeros((facts.players, 2))),
            "stack": make_stack(facts, DEPTH),
            "cuts": make_cuts(facts, DEPTH),
            "table": fitting_table(facts, HASH_BITS),
            "bounds": fitting_table(facts, HASH_BITS),  # of alpha-beta: its values are no scores
            "levels": make_levels(facts, DEPTH),
            "proof": make_proof(facts, fitting_table(facts, HASH_BITS)),
            "bare": bare_tree(self.game),
            "highest": max(abs(low), abs(high)),
            "trained": untrained(facts, blanked(self.net) if self.net else None),
            **(self._hidden if self.game.hides else {}),
        }

    @cached_property
    def _hidden(self) -> dict[str, Any]:
        """Return memory for the searches and agents of games with hidden information."""
        facts = self.game.facts
        nodes = max(1, min(MOST_ITERATIONS + 1, MOST_EDGES // facts.actions))
        return {
            "guide": RANDOM,
            "worlds": make_worlds(facts),
            "infos": make_info_tree(facts, nodes, MOST_PLIES),
            "visits": np.zeros(facts.actions, np.int64),
            "policy": np.zeros(facts.actions, np.float64),
        }

    @cached_property
    def _sample(self) -> dict[str, Any]:
        """Return an argument for each name, whose types the kernels are compiled for."""
        trained, table = self.memory["trained"], np.zeros((1, 1), np.int32)
        names = (
            *("action", "player", "first", "episodes", "total", "iterations", "number", "depth"),
            *("n", "nodes", "hash_bits"),
        )
        numbers = dict.fromkeys(names, 0)
        tuples = {"tuples": table, "boards": table, "strides": table, "lengths": table[0]}
        agent = {"net": trained.net, "td": trained.td, "work": trained.work}
        game = {"moves": np.zeros(1, np.int64), "trace": make_trace(self.game.facts, 1)}
        out = {"out": np.zeros(1, np.float32), "base": np.zeros(1, np.uint32)}
        return {**self.memory, **numbers, **tuples, **agent, **game, **out}

    def _samples(self, name: str) -> dict[str, Any]:
        """Return the arguments of a kernel by name; some kernels call others by the same name."""
        if name in ("look_up", "train_regret"):
            facts = self.game.facts
            store = make_store(facts, index_net(self.game, []), 1)
            work = make_moves(facts, store.net, moves=1)
            return {**self._sample, "store": store, "work": work, "way": Regret()}
        if name == "ismcts_search":
            return {**self._sample, "tree": self.memory["infos"], "root": self.memory["s"]}
        return self._sample

    @cached_property
    def compiled(self) -> tuple[bytes, dict[str, Any]]:
        """Return the module and the signatures of its functions."""
        return self.compile()

    def compile(self, processes: int | None = None) -> tuple[bytes, dict[str, Any]]:
        """Return the module and the signatures of its functions, compiled once per source."""
        classes = type(self.game.rules), *own_approximators((self.net,))
        folder = cache_folder(*classes)
        kind = [] if self.net is None else [type(self.net).__qualname__]
        made_by = " ".join([version("llvmlite"), *self.names, *kind])
        known = hashlib.sha256(made_by.encode()).hexdigest()[:16]
        files = folder and [folder / f"page-{known}{suffix}" for suffix in (".wasm", ".json")]
        if files and all(file.is_file() for file in files):
            return files[0].read_bytes(), json.loads(files[1].read_bytes())
        from tafl.core.compile.wasm import link_parts

        alone = files is None or self.net is not None  # workers know games by their names
        parts = self._parts(1 if alone else processes or cores())
        signatures = {name: found for _, names in parts for name, found in names.items()}
        module = link_parts([part for part, _ in parts], signatures)
        if files:
            with replacing(files[0], "wb", durable=False) as file:
                file.write(module)
            with replacing(files[1], durable=False) as file:
                json.dump(signatures, file)
        return module, signatures

    def _parts(self, processes: int) -> list[tuple[bytes, dict[str, Any]]]:
        """Return the kernels as LLVM code; searches and all others are compiled side by side."""
        searches = [name for name in self.names if name in SEARCHES]
        others = [name for name in self.names if name not in SEARCHES]
        if processes < 2 or not searches or not others:
            return [self.compile_part(self.names)]
        job = {"game": self.game.name, "names": searches}
        with ThreadPoolExecutor(1) as threads, Pool() as pool:
            asked = threads.submit(pool.call, f"{__name__}:compile_half", job)
            own, other = self.compile_part(others), asked.result()
        return [own, (base64.b64decode(other["code"]), other["signatures"])]

    def compile_part(self, names: Iterable[str]) -> tuple[bytes, dict[str, Any]]:
        """Return some kernels as LLVM code, and the signatures of their functions."""
        compiler()  # registers all functions that kernels may call
        from tafl.core.compile.wasm import Wanted, compile_part

        wanted = {}
        for name in names:
            kernel = KERNELS[name]
            code = kernel.python.__code__
            taken = code.co_varnames[: code.co_argcount]
            given = self._samples(name)
            wanted[name] = Wanted(kernel, tuple(given[argument] for argument in taken))
        return compile_part(wanted)

    def document(self, kept: Bytes) -> dict[str, Any]:
        """Return module, signatures and memory as the page reads them."""
        return {"module": kept.add(self.compiled[0]), **self.description(kept)}

    def description(self, kept: Bytes) -> dict[str, Any]:
        """Return signatures and memory, without the module."""
        memory = {
            name: blank(value) if name in UNFILLED else packed(value, kept)
            for name, value in self.memory.items()
        }
        return {"kernels": self.compiled[1], "memory": memory}


def blanked(net: Any) -> Any:
    """Return the network without its weights, which are packed separately."""
    return net._replace(weights=np.zeros([0] * net.weights.ndim, np.float32))


def compile_half(game: str, names: list[str]) -> Fields:
    """Compile some kernels of a game in a worker process."""
    code, signatures = Program(load_game(game)).compile_part(names)
    return {"code": base64.b64encode(code).decode(), "signatures": signatures}


def compile_whole(game: str) -> None:
    """Compile all kernels of a game in a worker process, into the cache."""
    Program(load_game(game)).compile(processes=1)


def kernels_of(game: Game, net: Any = None) -> tuple[str, ...]:
    """Return the names of the kernels that suit a game and a kind of network."""
    facts = game.facts
    able = net is None or "actions" in net.learns_by
    learners = LEARNERS.values() if able else [LEARNERS["td"]]
    if game.hides:
        searches = ("pimc_search", "ismcts_search")
        return (*RULES, *GREEDY, *MIXED, *REGRET.values(), *searches)
    names = [*RULES, *GREEDY, *learners, "mcts", "puct_search"]
    if not game.has_chance:
        names.append("maxn_scores")
        if facts.players == 2 and facts.is_zero_sum:
            names += ["alphabeta_values", "prove_value"]
    if not game.has_chance or type(game.rules).outcomes is not one_outcome:
        names.append("expectimax_values")
    return tuple(names)
