"""A reader of the partner feed, written from the parsing rules of Apple's EPFImporter of 2010 and of two loaders.

The importer reads the extracted file: the head line by line up to STX LF, the number of records from the last bytes. The loaders
read the archive as it arrives: bunzip2, one header of 512 bytes, and then records up to the first NUL."""

import bz2
import io
import tarfile
from dataclasses import dataclass, field

FIELD, RECORD = b"\x01", b"\x02\n"
TAGS = {b"#primaryKey:": "key", b"#dbTypes:": "types", b"#exportMode:": "mode"}


@dataclass
class Table:
    columns: list[str]
    key: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    mode: list[str] = field(default_factory=list)
    records: list[list[str]] = field(default_factory=list)

    def rows(self) -> list[dict[str, str]]:
        return [dict(zip(self.columns, record, strict=True)) for record in self.records]


def fields(line: bytes) -> list[str]:
    return [one.decode("utf-8") for one in line.split(FIELD)]


def imported(content: bytes) -> Table:
    """As the importer takes a file apart: it fails where that would."""
    tail = content[-40:]
    assert tail.endswith(RECORD), tail
    written = int(tail.split(b"#recordsWritten:")[1][:-2])
    lines = content.split(RECORD)
    assert lines[0].startswith(b"#"), lines[0][:40]
    table = Table(fields(lines[0][1:]))
    # It looks for the other tags among the six lines after the first.
    for line in lines[1:7]:
        for tag, name in TAGS.items():
            if line.startswith(tag):
                setattr(table, name, fields(line[len(tag):]))
    table.records = [fields(line) for line in lines[1:] if line and not line.startswith(b"#")]
    assert len(table.records) == written
    assert len(table.types) == len(table.columns) and table.mode in (["FULL"], ["INCREMENTAL"])
    assert all(len(record) == len(table.columns) for record in table.records)
    assert set(table.key) <= set(table.columns)
    return table


def extracted(archive: bytes, name: str) -> bytes:
    """The file of an archive, by Python's own tar, which has to find one plain member."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:bz2") as tar:
        members = tar.getmembers()
        assert [one.name for one in members] == [name] and members[0].isreg()
        assert tar.format == tarfile.USTAR_FORMAT or not tar.pax_headers
        return tar.extractfile(members[0]).read()


def streamed(archive: bytes) -> bytes:
    """The file of an archive as loaders read it that know nothing of tar."""
    unpacked = bz2.decompress(archive)
    return unpacked[512:].split(b"\x00", 1)[0]
