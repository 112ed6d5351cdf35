"""The CRC-16 of bytes, by bits and by a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant(results=0)
def c_crc16(data):
    return len(data), data


@twins.variant(results=0)
def c_crc16_bits(data):
    return len(data), data


def cases():
    data = np.random.default_rng(15).integers(0, 256, 40_000, dtype=np.uint8)
    yield Case(
        name="CRC-16, bits",
        source=SOURCE,
        forms={"loops": "crc16"},
        arguments=lambda: (data,),
        c=c_crc16_bits,
    )
    yield Case(
        name="CRC-16, table",
        source=SOURCE,
        forms={"loops": "crc16_table"},
        arguments=lambda: (data,),
        c=c_crc16,
    )
