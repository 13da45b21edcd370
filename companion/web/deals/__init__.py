"""The pages of a family whose table plays deals for points: recording a deal, its scoreboard, its entries."""

FAMILY = "jacknine"
"""The family that these pages serve; in a match of another family their addresses answer 404."""
