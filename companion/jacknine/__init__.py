"""The family of the jack and the nine: bid, meld, take tricks, count, settle, reach a target. Pure."""
