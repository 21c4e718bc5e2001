"""Games that ask something new of a compiler, one of each kind: for tests that would take too long
with all games."""

KINDS = (
    "gomoku",  # more cells and more actions than a word has bits
    "einstein",  # chance before the move
    "kalah",  # players move again, and rewards on the way
    "yavalath(players=3)",  # a choice of players, and some are out before the end
)
