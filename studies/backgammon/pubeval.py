"""pubeval, the linear player that G. Tesauro put in the public domain to compare programs with.

https://bkgm.com/rgb/rgb.cgi?view+610 describes it. Of all ways to play its dice it takes the one
with the highest sum of weights; what it sees is how many checkers each point has. It has two lists
of weights: for positions with contact and for races, as they are before the turn.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.backgammon_moves import BAR, OFF, count, no_contact
from tafl.core.games.rules import Facts
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.memory import Array, allocate

CHECKERS = 4  # that a turn moves at most
SEEN = 5  # weights of a point
WON = 1e8

CONTACT = """
 .25696 -.66937 -1.66135 -2.02487 -2.53398  -.16092 -1.11725 -1.06654  -.92830 -1.99558
-1.10388 -.80802  .09856 -.62086 -1.27999  -.59220 -.73667  .89032 -.38933 -1.59847
-1.50197 -.60966 1.56166 -.47389 -1.80390  -.83425 -.97741 -1.41371  .24500  .10970
-1.36476 -1.05572 1.15420  .11069 -.38319  -.74816 -.59244  .81116 -.39511  .11424
 -.73169 -.56074 1.09792  .15977  .13786 -1.18435 -.43363 1.06169 -.21329  .04798
 -.94373 -.22982 1.22737 -.13099 -.06295  -.75882 -.13658 1.78389  .30416  .36797
 -.69851  .13003 1.23070  .40868 -.21081  -.64073  .31061 1.59554  .65718  .25429
 -.80789  .08240 1.78964  .54304  .41174 -1.06161  .07851 2.01451  .49786  .91936
 -.90750  .05941 1.83120  .58722 1.28777  -.83711 -.33248 2.64983  .52698  .82132
 -.58897 -1.18223 3.35809 .62017  .57353  -.07276 -.36214 4.37655  .45481  .21746
  .10504 -.61977 3.54001  .04612 -.18108   .63211 -.87046 2.47673 -.48016 -1.27157
  .86505 -1.11342 1.24612 -.82385 -2.77082 1.23606 -1.59529 .10438 -1.30206 -4.11520
 5.62596 -2.75800
"""
RACE = """
0 -.17160  .27010  .29906 -.08471  0 -1.40375 -1.05121  .07217 -.01351
0 -1.29506 -2.16183 .13246 -1.03508 0 -2.29847 -2.34631 .17253  .08302
0 -1.27266 -2.87401 -.07456 -.34240 0 -1.34640 -2.46556 -.13022 -.01591
0  .27448  .60015  .48302  .25236  0  .39521  .68178  .05281  .09266
0  .24855 -.06844 -.37646  .05685  0  .17405  .00430  .74427  .00576
0  .12392  .31202 -.91035 -.16270  0  .01418 -.10839 -.02781 -.88035
0 1.07274 2.00366 1.16242  .22520  0  .85631 1.06349 1.49549  .18966
0  .37183 -.50352 -.14818  .12039  0  .13681  .13978 1.11245 -.12707
0 -.22082  .20178 -.06285 -.52728  0 -.13597 -.19412 -.09308 -1.26062
0 3.05454 5.16874 1.50680 5.35000  0 2.19605 3.85390  .88296 2.30052
0  .92321 1.08744 -.11696 -.78560  0 -.09795 -.83050 -1.09167 -4.94251
0 -1.00316 -3.66465 -2.56906 -9.67677 0 -2.77982 -7.26713 -3.40177 -12.32252
0 3.42040
"""


class Pubeval(NamedTuple):
    """The weights, and memory for the moves of a turn."""

    weights: Annotated[Array, "float64[2, 122]"]  # with contact; of a race
    states: Annotated[Array, "int64[turn, words]"]
    actions: Annotated[Array, "int64[turn, actions]"]
    numbers: Annotated[Array, "int64[turn]"]  # how many actions, ...
    nexts: Annotated[Array, "int64[turn]"]  # ... and which of them is next


def make_pubeval(facts: Facts) -> Pubeval:
    """Return weights and memory."""
    weights = np.array([text.split() for text in (CONTACT, RACE)], np.float64)
    return allocate(Pubeval, vars(facts) | {"turn": CHECKERS + 1}, weights=weights)


@inline
def worth(weights: np.ndarray, s: np.ndarray, p: int) -> float:
    """Return the sum of the weights for the checkers after a turn of player p."""
    value: float = (
        weights[120] * count(s, 1 - p, BAR[1 - p]) / 2 + weights[121] * count(s, p, OFF[p]) / 15
    )
    for j in range(24):
        point = 1 + j if p == 0 else 24 - j  # as player p comes by
        mine, first = count(s, p, point), SEEN * j
        if count(s, 1 - p, point) == 1:
            value += weights[first]
        if mine == 1:
            value += weights[first + 1]
        if mine >= 2:
            value += weights[first + 2]
        if mine == 3:
            value += weights[first + 3]
        if mine >= 4:
            value += weights[first + 4] * (mine - 3) / 2
    return value


@inline
def pubeval_action(game: Any, pub: Pubeval, s: np.ndarray) -> int:
    """Return the first action of the best turn."""
    p, depth, best, chosen = game.player(s), 0, -np.inf, 0
    weights = pub.weights[1 if no_contact(s) else 0]
    copy_state(s, pub.states[0])
    pub.numbers[0], pub.nexts[0] = legal_actions(game, s, pub.actions.shape[1], pub.actions[0]), 0
    while depth >= 0:
        if pub.nexts[depth] == pub.numbers[depth]:
            depth -= 1
            continue
        action, after = pub.actions[depth, pub.nexts[depth]], pub.states[depth + 1]
        pub.nexts[depth] += 1
        copy_state(pub.states[depth], after)
        game.play(after, action)
        if game.over(after) or game.player(after) != p:
            value = WON if game.over(after) else worth(weights, after, p)
            if value > best:
                best, chosen = value, pub.actions[0, pub.nexts[0] - 1]
        else:
            depth += 1
            room = pub.actions[depth]
            pub.numbers[depth], pub.nexts[depth] = legal_actions(game, after, room.size, room), 0
    return int(chosen)
