"""The files that a phone fetches for the offline app: `python -m companion.offline.build` makes them.

`pyodide` fetches Python as browsers run it, by its hash; `imports` finds which modules a phone needs,
`contents` chooses them and other files, `packing` packs and compresses, `making` does it all. The same
sources give the same files, under the same name.
"""
