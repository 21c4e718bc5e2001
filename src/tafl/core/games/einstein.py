"""EinStein würfelt nicht: a die says which stone moves; the first in the far corner wins."""

from typing import NamedTuple

from tafl.core.games.board import (
    PLAYERS,
    Board,
    Cell,
    Label,
    Piece,
    Target,
    cells_of_grid,
    text_rows,
)
from tafl.core.games.checks import check_whole
from tafl.core.games.einstein_board import (
    HOME,
    LARGEST,
    SMALL_HOME,
    SMALLEST,
    arrange,
    corner_of,
    edge_table,
    goal_table,
    home_table,
    movable,
    step_table,
    stones_each,
    stones_of,
    turn_after,
    winner_of,
)
from tafl.core.games.grid import ALL_AROUND, grid_neighbours
from tafl.core.games.multiplayer import next_player, shared_win
from tafl.core.games.rules import Facts, Table, rules, start_empty
from tafl.core.random import below

SIGNS = "123456ABCDEFabcdefUVWXYZ"


@rules
class Einstein(NamedTuple):
    """state = [stones of each player; player to move, die, 1 + winner]

    A stone is the bit of its cell, size * row + column, or 0 if it was captured; the die is 0 until
    it is cast. action = 3 * (number of the stone - 1) + 0, 1, 2 for across, down, diagonally
    cells: the board, then the die; values: 0 empty, 1, 2, ... the stones of all players in turn
    """

    players: int = 2
    size: int = 5
    edges: Table = edge_table()
    steps: Table = step_table()
    goals: Table = goal_table()
    six: Table = home_table(HOME)
    three: Table = home_table(SMALL_HOME)
    quiet = ("players", "size")

    start = start_empty

    def player(self, state):
        return state[self.players * stones_each(self.players, self.size)]

    def legal(self, state, action):
        each = stones_each(self.players, self.size)
        p, die, stone = self.player(state), state[self.players * each + 1], action // 3
        edge = self.edges[self.size - SMALLEST, corner_of(self.players, p), action - 3 * stone]
        return edge & state[each * p + stone] == 0 and movable(state, each * p, die - 1, stone)

    def play(self, state, action):
        each, p, stone = stones_each(self.players, self.size), self.player(state), action // 3
        n, corner, at = self.size - SMALLEST, corner_of(self.players, p), state[each * p + stone]
        step = self.steps[n, corner, action - 3 * stone]
        to = at << step if step > 0 else at >> -step
        for i in range(self.players * each):
            state[i] &= ~to
        state[each * p + stone] = to
        after = turn_after(state, p, self.players, each)
        won = to == self.goals[n, corner] or after == p
        end = self.players * each
        state[end], state[end + 1] = next_player(p, self.players) if won else after, 0
        state[end + 2] = 1 + p if won else 0

    def chance(self, state, rng):
        each = stones_each(self.players, self.size)
        end = self.players * each
        if stones_of(state, 0, end) == 0:
            homes = self.six if each == 6 else self.three
            orders = 720 if each == 6 else 6
            arrange(state, below(rng, orders), homes[self.size - SMALLEST], self.players, each)
        if state[end + 2] == 0:
            state[end + 1] = 1 + below(rng, each)

    def outcomes(self, state):
        each = stones_each(self.players, self.size)
        if self.over(state):
            return 1
        begins = stones_of(state, 0, self.players * each) == 0
        return each * ((720 if each == 6 else 6) if begins else 1)

    def outcome(self, state, i):
        if self.over(state):
            return 1.0
        n, each = self.outcomes(state), stones_each(self.players, self.size)
        if n > each:
            homes = self.six if each == 6 else self.three
            arrange(state, i // each, homes[self.size - SMALLEST], self.players, each)
        state[self.players * each + 1] = 1 + i % each
        return 1 / n

    def over(self, state):
        return state[self.players * stones_each(self.players, self.size) + 2] != 0

    def score(self, state, player):
        winner = state[self.players * stones_each(self.players, self.size) + 2]
        return shared_win(winner == 1 + player, 1, self.players) if winner != 0 else 0.0

    def cell(self, state, c):
        end = self.players * stones_each(self.players, self.size)
        if c == self.size * self.size:
            return state[end + 1]
        value = 0
        for i in range(end):
            value += (i + 1) * ((state[i] >> c) & 1)
        return value

    def changed(self, before, after):
        end = self.players * stones_each(self.players, self.size)
        mask = (before[end + 1] != after[end + 1]) << self.size * self.size
        for i in range(end):
            mask |= before[i] ^ after[i]
        return mask

    def facts(self):
        size, each = self.size, stones_each(self.players, self.size)
        cells, actions = size * size, list(range(3 * each))
        turned = [size * (c % size) + c // size for c in range(cells)]
        mirrored = [3 * (a // 3) + (1, 0, 2)[a % 3] for a in actions]
        two = self.players == 2  # of more, two would change places
        return Facts(
            players=self.players,
            actions=len(actions),
            cells=cells + 1,
            values=self.players * each + 1,
            words=self.players * each + 3,
            zero_sum=True,
            symmetries=[list(range(cells + 1)), [*turned, cells]] if two else [],
            action_symmetries=[actions, mirrored] if two else [],
            neighbours=[*grid_neighbours(size, size, ALL_AROUND), []],
        )

    def validate(self):
        check_whole("players", self.players, 2, 4)
        check_whole("size", self.size, SMALLEST if self.players == 2 else 4, LARGEST)

    def position(self, state, cells, player):
        each, count = stones_each(self.players, self.size), self.size * self.size
        for c, value in enumerate(cells[:count]):
            if value > 0:
                if state[value - 1] != 0:
                    raise ValueError(f"there is more than one stone of value {value}")
                state[value - 1] = 1 << c
        end, goals = self.players * each, self.goals[self.size - SMALLEST]
        winner = winner_of(state, goals, self.players, each)
        state[end], state[end + 1], state[end + 2] = player, cells[count], winner
        turn = next_player(winner - 1, self.players) if winner else player
        gone = not winner and stones_of(state, player, each) == 0
        if turn != player or gone or not (1 - bool(winner)) <= cells[count] <= each * (not winner):
            raise ValueError(f"the die shows 1 to {each}, and 0 once the player before has won")

    def draw(self, state):
        each = stones_each(self.players, self.size)
        signs = "." + "".join(SIGNS[6 * p : 6 * p + each] for p in range(self.players))
        die = self.cell(state, self.size * self.size)
        return "\n".join([*text_rows(self, state, self.size, signs), f"die: {die or '-'}"])

    def board(self):
        size, each = self.size, stones_each(self.players, self.size)
        colours, numbers = PLAYERS[: self.players], range(1, each + 1)
        return Board(
            cells=[*cells_of_grid(size, size), Cell(size + 0.4, 2, "field")],
            pieces=[None, *(Piece("disc", c, str(n)) for c in colours for n in numbers)],
            targets=[Target() for _ in range(3 * each)],
            labels=[Label(size + 0.4, 1.2, "die")],
            colours=colours,
            wins=[[0], [size * size - 1]],
        )

    def action_name(self, action):
        return f"{action // 3 + 1} {('across', 'down', 'diagonally')[action % 3]}"

    def sign(self, player):
        signs = SIGNS[6 * player :][: stones_each(self.players, self.size)]
        return f"{signs[0]}-{signs[-1]}"
