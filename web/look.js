// What a value of a cell looks like: most cells share one table of pieces, others have their own.

export function pieceOf(board, cell, value) {
  const { deck } = board.cells[cell];
  return (deck ? board.decks[deck - 1] : board.pieces)[value] ?? null;
}
