"""The sheet of an evening: what was played, how it stands between the players, who pays whom."""
