"""Run the command line: `python -m tafl` is `tafl`."""

import sys

from tafl.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
