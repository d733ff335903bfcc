"""Random cases: TILL_SEED repeats a run, TILL_SOAK=1 draws twenty times as many (see CONTRIBUTING.md)."""

import os
import random
import zlib

SOAK = os.environ.get("TILL_SOAK") == "1"
SEED = int(os.environ["TILL_SEED"], 0) if os.environ.get("TILL_SEED") else random.SystemRandom().getrandbits(64)


def generator(name: str) -> random.Random:
    """The generator of the test with this name; the seed is printed, so that a failure tells it."""
    print(f"TILL_SEED={SEED}")
    return random.Random(SEED ^ zlib.crc32(name.encode()))


def cases(count: int) -> int:
    return count * 20 if SOAK else count
