"""Texts are plain English: no docstring starts as a question, and no text is a riddle."""

import ast
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tafl"

STARTS = re.compile(r"(What|How|Where|The same|So)\b")
RIDDLES = re.compile(
    r"\b(nobody|whoever|somebody|what is not there|in vain|minds? distances|is said|is believed|"
    r"so many|so much|anew|an own|GPU by NVIDIA|alike|likewise|"
    r"of its own(?=$|[^ \w]| (?:and|or|in|on|to|is|has|with|which|that|for|of|at)\b))\b",
    re.IGNORECASE,
)
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
TEXTS = {"COMMENT", "STRING", "FSTRING_MIDDLE"}  # tokens that hold text


def riddles(path: Path, text: str) -> list[str]:
    """The riddles in a text, each with the words around it."""
    name, words = path.relative_to(ROOT).as_posix(), " ".join(text.split())
    found = RIDDLES.finditer(words)
    return [f"{name}: {words[max(0, one.start() - 40) : one.end() + 40]}" for one in found]


def test_no_docstring_starts_as_a_question():
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        texts = [ast.get_docstring(node) for node in nodes if isinstance(node, DOCUMENTED)]
        found += [f"{path}: {text}" for text in texts if text and STARTS.match(text)]
    assert found == []


def test_no_riddles_in_sources():
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        with tokenize.open(path) as file:
            tokens = list(tokenize.generate_tokens(file.readline))
        texts = [token.string for token in tokens if tokenize.tok_name[token.type] in TEXTS]
        found += riddles(path, " ".join(text.strip("# ") for text in texts))
    assert found == []


def test_no_riddles_in_pages():
    docs, web = ROOT / "docs", ROOT / "web"
    pages = [*ROOT.glob("*.md"), *docs.rglob("*.md"), *docs.rglob("*.ipynb"), *web.glob("*.jsx")]
    found = [one for path in pages for one in riddles(path, path.read_text(encoding="utf-8"))]
    assert found == []
