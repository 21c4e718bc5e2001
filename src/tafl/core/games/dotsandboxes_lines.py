"""Lines and boxes of Dots and Boxes: which ones belong together, and where they are."""

from tafl.core.compile import inline


@inline
def closed(lines, rows, cols, row, col):
    """Return the bit of a box if all four sides are drawn; 0 if not, or outside the board."""
    if not (0 <= row < rows and 0 <= col < cols):
        return 0
    box = cols * row + col
    sides = (1 << box) | (1 << (box + cols)) | (3 << ((rows + 1) * cols + box + row))
    return 1 << box if lines & sides == sides else 0


@inline
def closed_by(lines, rows, cols, line):
    """Return the boxes, at most two, that a line closed."""
    upright = line - (rows + 1) * cols
    if upright < 0:
        row, col = line // cols, line % cols
        return closed(lines, rows, cols, row - 1, col) | closed(lines, rows, cols, row, col)
    row, col = upright // (cols + 1), upright % (cols + 1)
    return closed(lines, rows, cols, row, col - 1) | closed(lines, rows, cols, row, col)


def places(rows, cols):
    """Return (x, y) of all lines and boxes; dots are at whole numbers."""
    across = [(c + 0.5, r) for r in range(rows + 1) for c in range(cols)]
    upright = [(c, r + 0.5) for r in range(rows) for c in range(cols + 1)]
    return across + upright + [(c + 0.5, r + 0.5) for r in range(rows) for c in range(cols)]
