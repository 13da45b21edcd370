"""The security of the site: its key, the identities of browsers, headers, limits, proxies."""
