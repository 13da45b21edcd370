"""Recording without a network on a phone: its log, sending it, and conflicts with what others wrote.

An event recorded there goes this way: `log` has it behind what the server sent, `delivery` sends it,
`companion.web.offline.arrivals` writes it on the server (as a change: `changes`). If others wrote meanwhile,
`rebase` puts it behind theirs; what does not fit becomes `conflicts`, which a person resolves (`resolution`).

These know neither Flask nor pages; the application that the phone's browser runs is `companion.offline_app`.
"""
