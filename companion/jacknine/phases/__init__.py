"""The phases of a deal, one file each, in the order of the table: bid, meld, play, count, settle, end."""
