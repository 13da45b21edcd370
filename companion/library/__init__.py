"""The catalogue of games: the one place that knows every game and every family.

The files of games/ are read (`files`), judged (`validation`), and opened for a table (`folder`); `flat`
writes one with everything it inherits.

A game file has the numbers and orders of its family (`[table]`, `[cards]`, `[points]`), each with the rule
that states it (`[stated_in.cards]`), the ways in which things are done (`[procedures]`, and `[[conventions]]`
where tables choose), what a choice changes besides (`[when."convention=value".cards]`), its own `[words]`,
its `[[presets]]` and its `[[rules]]`. What a family asks for stands in its `game_file.py`.
"""

from importlib.resources import files as package_files

from .files import GameFileError
from .folder import Game, GameFolder, Seating
from .glossary import Glossary, GlossaryWord, Saying

GAMES = GameFolder(package_files("companion") / "games")
"""The games of the house."""


names = GAMES.names
sizes = GAMES.sizes
read_rulebook = GAMES.read_rulebook
glossary = GAMES.glossary
seatings = GAMES.seatings
seating = GAMES.seating
is_for = GAMES.is_for
open_game = GAMES.open_game
reopen_game = GAMES.reopen_game
flat = GAMES.flat
open_request = GAMES.open_request
rule = GAMES.rule
