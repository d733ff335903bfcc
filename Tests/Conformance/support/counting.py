def counted(expected: int, cases: list) -> list:
    """The cases, once it is certain that none was lost: a test over nothing proves nothing."""
    assert len(cases) == expected, f"{len(cases)} cases instead of {expected}"
    return cases
