"""The endgames that the rules tell bout by bout: who attacks whom, how it ends, who goes out in it.

A bout is the sentence that is due before it, its result, and the seats that go out, as letters.
"""

FOUR = ("West", "North", "East", "South")
SIX = ("W", "NW", "N", "E", "SE", "S")

Bouts = list[tuple[str, str, str]]

INDIVIDUAL: Bouts = [  # the rules' example for four on their own
    ("West attacks North", "beaten-off", "B"),
    ("East attacks South", "picked-up", ""),
    ("West attacks East", "picked-up", "A"),
    ("South attacks East", "beaten-off", "D"),
]
TEAMS_4: Bouts = [  # the example for four in teams, South standing in for North; then East goes out
    ("West attacks North", "beaten-off", "B"),
    ("South attacks East", "picked-up", ""),
    ("South attacks West", "beaten-off", ""),
    ("West attacks South", "picked-up", ""),
    ("East attacks South", "beaten-off", "C"),
    ("South attacks West", "picked-up", ""),
    ("South attacks West", "beaten-off", ""),
    ("West attacks South", "picked-up", "A"),
]
TEAMS_6: Bouts = [  # the example for six; NW N E SE S N NW SE E N S SE NW N E once W is out
    ("W attacks NW", "picked-up", "A"),
    ("N attacks E", "picked-up", ""),
    ("SE attacks S", "beaten-off", ""),
    ("S attacks N", "beaten-off", ""),
    ("N attacks NW", "picked-up", ""),
    ("SE attacks E", "picked-up", ""),
    ("N attacks S", "picked-up", ""),
    ("SE attacks NW", "picked-up", ""),
    ("N attacks E", "beaten-off", "C"),
    ("E attacks SE", "beaten-off", "E"),
]
TEAMS_6_S_OUT: Bouts = [  # at its stage 7 South beats off and is out: NW SE E N NW
    *TEAMS_6[:6],
    ("N attacks S", "beaten-off", "F"),
    ("NW attacks SE", "beaten-off", ""),
    ("SE attacks E", "beaten-off", ""),
    ("E attacks N", "beaten-off", ""),
    ("N attacks NW", "beaten-off", ""),
    ("NW attacks SE", "picked-up", "B"),
    ("E attacks N", "picked-up", "D"),
]
TEAMS_6_E_OUT: Bouts = [  # at its stage 6 East beats off and is out: S N NW SE S
    *TEAMS_6[:5],
    ("SE attacks E", "beaten-off", "D"),
    ("S attacks N", "beaten-off", ""),
    ("N attacks NW", "beaten-off", ""),
    ("NW attacks SE", "beaten-off", ""),
    ("SE attacks S", "beaten-off", "F"),
    ("NW attacks N", "beaten-off", "B"),
]
