"""The games that come with tafl: name -> where its class of rules is."""

PAPER = {
    "tictactoe": "tafl.core.games.tictactoe:TicTacToe",
    "connectfour": "tafl.core.games.connectfour:ConnectFour",
    "hex": "tafl.core.games.hex:Hex",
    "othello": "tafl.core.games.othello:Othello",
    "nim": "tafl.core.games.nim:Nim",
    "nim3p": "tafl.core.games.nim3p:Nim3P",
    "2048": "tafl.core.games.twenty48:Twenty48",
}

# for one player, for two, for more
FURTHER: dict[str, str] = {
    "sliding": "tafl.core.games.sliding:Sliding",
    "solitaire": "tafl.core.games.solitaire:Solitaire",
    "breakthrough": "tafl.core.games.breakthrough:Breakthrough",
    "gomoku": "tafl.core.games.gomoku:Gomoku",
    "kalah": "tafl.core.games.kalah:Kalah",
    "dotsandboxes": "tafl.core.games.dotsandboxes:DotsAndBoxes",
    "einstein": "tafl.core.games.einstein:Einstein",
    "sim": "tafl.core.games.sim:Sim",
    "connectfour3p": "tafl.core.games.connectfour3p:ConnectFour3P",
    "hex3p": "tafl.core.games.hex3p:Hex3P",
    "yavalath": "tafl.core.games.yavalath:Yavalath",
    "rolit": "tafl.core.games.rolit:Rolit",
    "nimnp": "tafl.core.games.nimnp:NimNP",
}

# with hidden information
HIDDEN: dict[str, str] = {
    "kuhn": "tafl.core.games.kuhn:Kuhn",
    "leduc": "tafl.core.games.leduc:Leduc",
    "liarsdice": "tafl.core.games.liarsdice:LiarsDice",
    "hearts": "tafl.core.games.hearts:Hearts",
    "phantom": "tafl.core.games.phantom:Phantom",
}

# with dice before each turn, or cards, that all players see
DICE: dict[str, str] = {
    "backgammon": "tafl.core.games.backgammon:Backgammon",
    "blackjack": "tafl.core.games.blackjack:Blackjack",
}

# a puzzle that needs search, and games of pieces that go from cell to cell
LARGER: dict[str, str] = {
    "cube": "tafl.core.games.cube:Cube",
    "brandubh": "tafl.core.games.brandubh:Brandubh",
    "tablut": "tafl.core.games.tablut:Tablut",
}

GAMES = PAPER | FURTHER | HIDDEN | DICE | LARGER
