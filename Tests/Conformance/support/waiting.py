"""The time limit that every wait of these tests has, and how they wait for what another process does."""

import time

# Seconds. Only what hangs takes so long: a machine that is busy with other things has to be within it.
PATIENCE = 300
# Seconds between two looks at what no process tells by itself.
PAUSE = 0.02


def eventually(condition, patience: float = PATIENCE) -> bool:
    """Whether a condition comes to hold."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(PAUSE)
    return True


def wait_until(condition, otherwise: str = "it never came to that"):
    assert eventually(condition), otherwise
