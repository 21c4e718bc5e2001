"""Games that OpenSpiel has, too, with the same action numbers."""

from tafl.boards.game import Game
from tafl.boards.spec import parse

NAMES = {"tictactoe": "tic_tac_toe", "connectfour": "connect_four", "othello": "othello"}


def openspiel_name(game: Game) -> str | None:
    """Return OpenSpiel's name of a game, or None.

    >>> import tafl
    >>> openspiel_name(tafl.game("hex(size=6)")), openspiel_name(tafl.game("nim(heaps=2)"))
    ('hex(board_size=6)', 'nim(is_misere=False,pile_sizes=5;5)')
    """
    name, values = parse(game.name)[0], game.parameters
    if name == "hex":
        return f"hex(board_size={values['size']})"
    if name == "nim" and values["take"] >= values["stones"]:
        piles = ";".join([str(values["stones"])] * values["heaps"])
        return f"nim(is_misere={values['misere']},pile_sizes={piles})"
    if name == "gomoku":
        return f"gomoku(size={values['size']},connect={values['line']})"
    if name == "dotsandboxes":
        size = f"num_rows={values['rows']},num_cols={values['cols']}"
        return f"dots_and_boxes({size},utility_margin=True)"
    return NAMES.get(name)
