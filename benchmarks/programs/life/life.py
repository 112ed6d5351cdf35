"""Conway's Game of Life."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_play(function: str):
    def variant(library):
        def run(board, steps):
            result = np.empty_like(board)
            getattr(library, function)(*board.shape, board, steps, result)
            return result

        return run

    return variant


def cases():
    alive = np.random.default_rng(38).random((300, 300)) < 0.3
    yield Case(
        name="Game of Life",
        source=SOURCE,
        forms={
            "loops": "play",
            "convolve2d": "play_convolve",
            "pad": "play_pad",
            "slices": "play_slices",
        },
        arguments=lambda: (alive.astype(np.uint8), 20),
        c=c_play("play"),
    )
    yield Case(
        name="Game of Life, torus",
        source=SOURCE,
        forms={"loops": "torus", "rolls": "torus_rolls", "roll": "torus_roll"},
        arguments=lambda: (alive, 20),
        c=c_play("torus"),
    )
