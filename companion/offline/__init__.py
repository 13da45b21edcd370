"""The whole companion in a phone: the same pages on the phone's own store, where there is no network.

`app` makes the application that the phone's browser runs, `bridge` hands it what the browser asks, `build`
makes the files that a phone fetches for it.
"""
