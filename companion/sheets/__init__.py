"""Sheets of paper: the match as it was played, and the empty page to pencil one on.

Pages are plain models made from a record and its state; `html` writes them by the templates in
`templates/sheets`, `pdf` prints what was written. The same page is shown in the browser and printed.
"""
