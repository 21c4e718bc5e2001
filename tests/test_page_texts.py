"""The texts of the page: each is in the table, in English and German, and none stands beside it."""

import re
from collections import Counter

import pytest

import tafl
from tafl.boards.layout import board_of
from tafl.page.html import description, how_to_play, title
from tafl.page.lesson import TITLE
from tafl.page.site import HEADING, STRENGTHS
from texts_of_pages import CALL, WEB, german, named, sections

VALUE = re.compile(r"\{\w+\}")


def test_every_text_of_the_page_is_in_the_table():
    assert named() - set(german()) == set()


def test_every_text_from_python_is_in_the_table():
    """Titles and rules of games, colours of players, and texts beside boards."""
    games = tafl.games().values()
    boards = [board_of(game) for game in games]
    colours = {name for board in boards for name in board.colours}
    colours |= {piece.colour for board in boards for piece in board.pieces if piece}
    colours &= {"red", "blue", "green", "yellow", "black", "white"}
    texts = {title(game) for game in games} | {description(game) for game in games} | {TITLE}
    texts |= {HEADING, *STRENGTHS.values()}
    texts |= {name.capitalize() for name in colours}
    texts |= {label.text for board in boards for label in board.labels if len(label.text) > 2}
    texts |= {board.tally.name for board in boards if board.tally}
    assert texts - set(german()) == set()


def test_every_game_says_how_it_is_played_in_three_lines():
    texts = set()
    for game in tafl.games().values():
        how = how_to_play(game)
        assert len(how["lines"]) == 3, game.name
        texts |= {*how["lines"], how["cue"]}
    assert texts == set(sections()["how to play"])


def test_every_word_of_a_move_is_in_the_table():
    words = {
        word
        for game in tafl.games().values()
        for action in range(game.facts.actions)
        for word in game.action_name(action).split(" ")
        if re.fullmatch("[a-z]{2,}", word)
    }
    assert words - {"x"} - set(sections()["moves"]) == set()


def test_the_table_has_no_text_twice_and_none_that_nothing_names():
    parts = [part for name, part in sections().items() if name != "moves"]
    times = Counter(text for part in parts for text in part)
    assert [text for text, count in times.items() if count > 1] == []
    from_python = {text for name in ("games", "boards", "how to play") for text in sections()[name]}
    assert (
        set(german())
        - named()
        - from_python
        - set(sections()["moves"])
        - {TITLE, HEADING, *STRENGTHS.values()}
        == set()
    )


@pytest.mark.parametrize("english", german())
def test_translations_have_the_same_values_and_marks(english):
    text = german()[english]
    assert text.strip() == text != ""
    assert Counter(VALUE.findall(text)) == Counter(VALUE.findall(english))
    assert text.count("*") == english.count("*")


# What JSX shows as it stands: text between tags, and attributes that people read or hear.
INSIDE = r"[^<>{}=;()\[\],&|?]*"
SHOWN = re.compile(
    rf"(?:(?<!=)>|\}})\s*({INSIDE}[A-Za-z]{{2}}{INSIDE})\s*[<{{]"
    r'|(?:aria-label|title|placeholder|label)="([^"]*[A-Za-z]{2}[^"]*)"'
)
PLAIN = {"tafl", "const", "else", "catch", "finally", "return"}  # a name, and code


@pytest.mark.parametrize("file", sorted(WEB.glob("*.jsx")), ids=lambda f: f.stem)
def test_no_text_stands_beside_the_table(file):
    code = re.sub(r"(?m)//.*$|`[^`]*`", "", CALL.sub("t(", file.read_text()))
    found = [" ".join(next(filter(None, shown)).split()) for shown in SHOWN.findall(code)]
    assert [text for text in found if text not in PLAIN] == []
