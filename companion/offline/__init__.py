"""The whole program on a phone: the same pages on the phone's own store, without a network.

An event recorded there goes this way: `log` has it behind what the server sent, `delivery` sends it,
`companion.web.offline.arrivals` writes it on the server (as a change: `changes`). Where others wrote
meanwhile `rebase` puts it behind theirs; what does not fit becomes `conflicts`, which a person resolves
(`resolution`).

These know neither Flask nor pages. `app` is the application that the phone's browser runs, `build` makes the
files that a phone downloads for it.
"""
