"""Fixed instants, in milliseconds since 1970. No test asks what time it is."""

from datetime import datetime, timezone


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()) * 1000


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, tz=timezone.utc)


def rfc3339(milliseconds: int) -> str:
    return moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")


DAY = 24 * 60 * 60 * 1000
YEAR = 365 * DAY

ISSUED_AT = instant("2026-01-01T00:00:00")
SIGNED_AT = instant("2026-02-03T04:05:06")
PURCHASED_AT = instant("2026-02-03T04:00:00")
EXPIRES_AT = instant("2026-03-03T04:00:00")
