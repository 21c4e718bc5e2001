"""Programs that make data files of the package: champions, searches, n-tuple sets, a book.

python -m studies.make.champions tictactoe nim ...   trained agents that come with tafl
python -m studies.make.searches                      the search that is recommended with each
python -m studies.make.tuple_sets                    the n-tuple sets that are not the authors'
python -m studies.make.connectfour_book build        the openings of the perfect ConnectFour player
"""
