// Pages kept for use without network.
