"""Checks of `redeal` by statistics, in games with hidden information, in plain Python.

Random games show which positions a player cannot tell apart. A redeal of one of them has to reach
the others; after the deal, before the first move, just as often as the deal makes them. Only
positions that were seen often enough are compared, so that no chance event looks like a fault.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from tafl.boards.game import Game
from tafl.boards.outcomes import SURPRISE, surprise
from tafl.boards.views import Cells, Noticed, noticed, redealt, seen, truth

CALLS = 400_000  # of the rules, to play random games; redeals take as many
QUICK_CALLS = 60_000
MOST_GAMES = 2_000
LONG_GAME = 200  # moves; the rest of a longer game is left out
ENOUGH = 5  # times that a position must have been seen
ENOUGH_DEALS = 50
RARER = 10  # how much rarer a redeal may be than in random games
CERTAIN = 14.0  # a wrong report happens with probability exp(-14)
STREAM = 2**63  # the seed of redeals, which is not that of a game

World = tuple[Cells, ...]  # the cells as they are, and as each player sees them


@dataclass
class Group:
    """Positions that a player cannot tell apart; the first one is kept."""

    words: np.ndarray
    seed: int
    moves: tuple[int, ...]
    worlds: Counter[World] = field(default_factory=Counter)


@dataclass(frozen=True)
class Flaw:
    """A fault of `redeal`, and the moves to a position that shows it."""

    kind: str
    text: str
    seed: int
    moves: tuple[int, ...]


class Survey:
    """Positions of random games, grouped by what each player notices and has noticed before."""

    def __init__(self, game: Game, calls: int = CALLS):
        self.game, self.calls, self.rng = game, calls, np.array([STREAM], np.uint64)
        self.groups: dict[tuple[int, int, Noticed], Group] = {}
        self.pasts: dict[tuple[int, Noticed], set[int]] = {}  # what players have seen before
        self.hidden: Counter[int] = Counter()  # per player, positions with something hidden
        self.moved: Counter[int] = Counter()  # and those where a redeal has changed something
        n, cells = game.facts.players, game.facts.cells
        self.cost = n * (cells * (n + 3) + game.facts.actions)  # calls per position, about

    def play(self, seed: int) -> None:
        """Play random games until enough positions are known."""
        left = self.calls
        for number in range(seed, seed + MOST_GAMES):
            if left <= 0:
                return
            left -= self.cost * self._play(number)

    def _play(self, seed: int) -> int:
        """Play one random game; return the number of positions."""
        game, choice, moves = self.game, Random(seed), list[int]()
        words, rng = np.zeros(game.facts.words, np.int64), np.array([seed], np.uint64)
        pasts, before = [0] * game.facts.players, list[Noticed]()
        game.call("start", words)
        game.call("chance", words, rng)
        while not game.call("over", words) and len(moves) < LONG_GAME:
            views = [noticed(game, words, p) for p in range(game.facts.players)]
            self._note(Group(words.copy(), seed, tuple(moves)), views, pasts)
            turn = int(game.call("player", words))
            moves.append(choice.choice(views[turn].legal))
            self.pasts.setdefault((turn, views[turn]), set()).add(pasts[turn])
            for p, view in enumerate(views):
                # a player may not notice that another has moved
                if p == turn or not before or view != before[p]:
                    pasts[p] = hash((pasts[p], view, moves[-1] if p == turn else -1))
            before = views
            game.call("play", words, moves[-1])
            game.call("chance", words, rng)
        return 1 + len(moves)

    def _note(self, first: Group, views: list[Noticed], pasts: list[int]) -> None:
        """Put a position into the group of each player."""
        world = truth(self.game, first.words), *(view.cells for view in views)
        for player, view in enumerate(views):
            group = replace(first, worlds=Counter())
            self.groups.setdefault((player, pasts[player], view), group).worlds[world] += 1
            if view.cells != world[0]:
                other = redealt(self.game, first.words, player, self.rng)
                self.hidden[player] += 1
                self.moved[player] += not np.array_equal(other, first.words)

    def world(self, words: np.ndarray) -> World:
        """Return a position as it is: its cells, and what everybody knows of them."""
        players = range(self.game.facts.players)
        return (truth(self.game, words), *(seen(self.game, words, p) for p in players))

    def flaws(self) -> Iterator[Flaw]:
        """Yield the faults of `redeal` that the positions show."""
        yield from self._never_drawn()
        left = self.calls
        groups = sorted(self.groups.items(), key=lambda item: -item[1].worlds.total())
        for (player, *_), group in groups:
            known = [count for count in group.worlds.values() if count >= ENOUGH]
            total = group.worlds.total()
            dealt = not group.moves and total >= ENOUGH_DEALS
            if not known or (len(group.worlds) == 1 and not dealt):
                continue
            draws = max(round(CERTAIN * RARER * total / min(known)), ENOUGH_DEALS)
            left -= draws * self.cost // self.game.facts.players
            if left < 0:
                return
            yield from self._compare(player, group, self._reached(player, group, draws), dealt)

    def _never_drawn(self) -> Iterator[Flaw]:
        """Yield a fault for each player whose redeals never change anything."""
        for player, positions in self.hidden.items():
            if positions >= ENOUGH_DEALS and self.moved[player] == 0:
                text = f"redeal() for player {player} never changes anything"
                first = next(iter(self.groups.values()))
                yield Flaw("redeal", f"{text}, but cells are hidden", first.seed, first.moves)

    def _reached(self, player: int, group: Group, draws: int) -> Counter[World]:
        """Return what redeals of a position make of it, and how often."""
        positions = (redealt(self.game, group.words, player, self.rng) for _ in range(draws))
        return Counter(self.world(words) for words in positions)

    def _compare(
        self, player: int, group: Group, reached: Counter[World], dealt: bool
    ) -> Iterator[Flaw]:
        """Yield the first difference between redeals and positions that look the same."""
        draws, total = reached.total(), group.worlds.total()
        for world in group.worlds | reached:
            count, again = group.worlds[world], reached[world]
            where = f"a position that player {player} cannot tell from this one"
            if again == 0 and count >= ENOUGH:
                missed = f"redeal() for player {player} never makes {where}"
                text = f"{missed}{_difference(world, self.world(group.words))}"
            elif dealt and _differ(count, total, again, draws):
                often = f"the deal makes it {count} times in {total}, redeal() {again} in {draws}"
                text = f"redeal() is not as likely as the deal to make {where}: {often}"
            else:
                continue
            yield Flaw("redeal", text, group.seed, group.moves)
            return

    def forgetful(self) -> Iterator[str]:
        """Yield a note if what a player sees does not tell what the player has seen before."""
        for player in range(self.game.facts.players):
            if any(len(pasts) > 1 for (p, _), pasts in self.pasts.items() if p == player):
                text = f"what player {player} sees does not tell all that it saw and did before"
                yield f"{text}: an agent cannot remember it; show it in cells if it matters"
                return


def _difference(world: World, here: World) -> str:
    """Return the first cell that differs, as text."""
    for c, (there, value) in enumerate(zip(world[0], here[0], strict=True)):
        if there != value:
            return f": {there} on cell {c} instead of {value}"
    return "" if world == here else ", where the others know something else"


def _differ(count: int, total: int, again: int, draws: int) -> bool:
    """Return whether two frequencies differ by more than chance explains."""
    share = (count + again) / (total + draws)
    return surprise(count, total, share) + surprise(again, draws, share) > SURPRISE
