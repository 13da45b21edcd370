"""The whole program on a phone: the same pages on the phone's own store, without a network.

`application` creates the app, `conflict_pages` are the pages that only a phone has, `bridge` passes it the
requests of the phone's browser; `build` builds the files that a phone downloads.
"""
