"""The files that a phone fetches for the offline app: `python -m companion.offline_app.build` builds them.

`pyodide` fetches Python as browsers run it, by its hash; `contents` finds which modules a phone needs and
chooses other files, `making` compiles and packs it all. The same sources give the same files, under the same
name.
"""
