"""A module whose names tests give other values."""

N = 1
B = 2
