from contextlib import contextmanager

import pytest

from .tool import Refused


@contextmanager
def refused(code: str):
    """The store must refuse with exactly this code; any other end is a failure."""
    with pytest.raises(Refused) as refusal:
        yield
    assert refusal.value.code == code, refusal.value
