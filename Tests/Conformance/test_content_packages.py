"""Packages of hosted content, judged by other people's programs."""

import base64
import hashlib
import io
import json
import os
import plistlib
import stat
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib

import pytest

from conftest import tool_path
from support.content import NUMBERS, content, made, make_project, rules, tree
from support.tool import Refused, Tool
from support.waiting import PATIENCE

PRODUCT = "com.example.book.chapter1"


@pytest.fixture(scope="module")
def tool():
    tool = Tool(tool_path())
    yield tool
    assert tool.close() == 0


@pytest.fixture
def product():
    """A product of its own for each test, since all share a store."""
    return f"com.example.book.chapter{next(NUMBERS)}"


@pytest.fixture
def project(tmp_path, product):
    return make_project(tmp_path / "chapter1", product)


# Our packages, read by others.


@pytest.mark.rows("R6.2", "R6.3")
def test_7zip_lists_tests_and_unpacks_a_package_without_a_warning(project, tmp_path):
    made("pack", project)
    package = project.with_suffix(".pkg")
    for words in (["l", "-slt"], ["t"], ["x", f"-o{tmp_path / 'out'}"]):
        result = subprocess.run(["7zz", *words, package], capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0 and "WARNING" not in result.stdout.upper(), result.stdout
        assert result.stderr == ""
    # The table of contents is shown as a file.
    (tmp_path / "out" / "[TOC].xml").unlink()
    assert tree(tmp_path / "out") == tree(project)


@pytest.mark.rows("R6.2")
def test_bsdtar_unpacks_a_package(project, tmp_path):
    # 7zz takes no link for safe that leads up.
    (project / "Contents" / "images" / "up").symlink_to("../1.html")
    made("pack", project, "--output", tmp_path / "made.pkg")
    (tmp_path / "out").mkdir()
    subprocess.run(["bsdtar", "-xf", tmp_path / "made.pkg", "-C", tmp_path / "out"], check=True, timeout=PATIENCE)
    assert tree(tmp_path / "out") == tree(project)
    modes = {path.stat().st_mode & 0o111 for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert modes == {0}


def read_package(package: bytes):
    """Header, table and checksums, as the format has them; gives the files by path."""
    magic, header_bytes, version, stored, plain, algorithm = struct.unpack(">4sHHQQI", package[:28])
    assert (magic, header_bytes, version, algorithm) == (b"xar!", 28, 1, 1)
    table = package[28 : 28 + stored]
    heap = package[28 + stored :]
    xml = zlib.decompress(table)
    assert len(xml) == plain
    toc = ElementTree.fromstring(xml).find("toc")
    assert toc.find("checksum").get("style") == "sha1"
    assert heap[:20] == hashlib.sha1(table).digest()
    files, extents = {}, [(0, 20)]

    def walk(element, folder):
        names = [child.findtext("name") for child in element.findall("file")]
        assert names == sorted(names, key=str.encode)
        for child in element.findall("file"):
            path = folder + child.findtext("name")
            if child.findtext("type") == "directory":
                walk(child, path + "/")
            elif child.findtext("type") == "symlink":
                files[path] = b"-> " + child.findtext("link").encode()
            else:
                data = child.find("data")
                start, length = int(data.findtext("offset")), int(data.findtext("length"))
                extents.append((start, start + length))
                piece = heap[start : start + length]
                assert data.findtext("archived-checksum") == hashlib.sha1(piece).hexdigest()
                if data.find("encoding").get("style") == "application/x-gzip":
                    piece = zlib.decompress(piece)
                assert len(piece) == int(data.findtext("size"))
                assert data.findtext("extracted-checksum") == hashlib.sha1(piece).hexdigest()
                assert child.findtext("mode") == "0644"
                files[path] = piece

    walk(toc, "")
    # Every byte of the heap belongs to one file.
    extents.sort()
    assert all(one[1] == other[0] for one, other in zip(extents, extents[1:])) and extents[-1][1] == len(heap)
    for word in (b"<uid", b"<user", b"<inode", b"<ctime", b"<mtime", b"<deviceno"):
        assert word not in xml
    return files


@pytest.mark.rows("R6.2")
def test_header_table_and_checksums_are_what_the_format_says(project):
    made("pack", project)
    assert read_package(project.with_suffix(".pkg").read_bytes()) == tree(project)


@pytest.mark.rows("R6.3")
def test_the_same_files_give_the_same_bytes(project, tmp_path):
    made("pack", project, "--output", tmp_path / "one.pkg")
    copy = tmp_path / "elsewhere" / "copy"
    copy.parent.mkdir()
    # A copy by another program has other times and inodes; the copy is made from an archive in another order.
    names = sorted(os.listdir(project), reverse=True)
    archive = subprocess.run(["tar", "-C", project, "-c", *names], check=True, capture_output=True, timeout=PATIENCE)
    copy.mkdir()
    subprocess.run(["tar", "-C", copy, "-xm"], input=archive.stdout, check=True, timeout=PATIENCE)
    for path in copy.rglob("*"):
        if not path.is_symlink():
            os.utime(path, (1, 1))
    made("pack", copy, "--output", tmp_path / "two.pkg", "--working-folder", tmp_path)
    assert (tmp_path / "one.pkg").read_bytes() == (tmp_path / "two.pkg").read_bytes()


@pytest.mark.rows("R6.3")
def test_inspect_shows_kind_version_size_digest_and_files(project, product):
    made("pack", project)
    package = project.with_suffix(".pkg")
    report = json.loads(made("inspect", package, "--json"))
    assert report["kind"] == "In-App Purchase Content"
    assert (report["productId"], report["contentVersion"]) == (product, "1.0")
    assert report["packageBytes"] == package.stat().st_size
    assert report["packageDigest"] == hashlib.sha256(package.read_bytes()).hexdigest()
    files = {name: len(data) for name, data in tree(project).items() if not data.startswith(b"-> ")}
    assert {file["path"]: file["bytes"] for file in report["files"]} == files
    text = made("inspect", package)
    assert "In-App Purchase Content" in text and report["packageDigest"] in text


# Packages of others, read by us.


def bsdtar(folder, package, *options, names=("ContentInfo.plist", "Contents")):
    words = ["bsdtar", "--format=xar", *options, "-cf", package, "-C", folder, *names]
    subprocess.run(words, check=True, timeout=PATIENCE)


@pytest.mark.rows("R6.2")
@pytest.mark.parametrize("options", [[], ["--options", "compression=none"], ["--options", "checksum=sha1"]])
def test_a_package_of_bsdtar_is_read_and_delivered(project, tmp_path, tool, options, product):
    package = tmp_path / "other.pkg"
    bsdtar(project, package, *options)
    assert json.loads(made("validate", package, "--json", "--product", product))["fileCount"] == 4
    tool.ask("content.deliver", package=str(package), archive=str(tmp_path / "made.zip"))
    tool.ask("content.unpack", archive=str(tmp_path / "made.zip"), folder=str(tmp_path / "unpacked"))
    assert tree(tmp_path / "unpacked") == tree(project)


@pytest.mark.rows("R6.2", "R1.11")
def test_what_others_pack_is_held_against_the_rules(project, tmp_path):
    (project / "Contents" / "run").write_text("#!/bin/sh\n")
    (project / "Contents" / "run").chmod(0o755)
    (project / "Contents" / "out").symlink_to("/etc/passwd")
    os.mkfifo(project / "Contents" / "pipe")
    os.link(project / "Contents" / "1.html", project / "Contents" / "again")
    (project / "Contents" / "RUN").touch()
    (project / "beside").touch()
    package = tmp_path / "other.pkg"
    bsdtar(project, package, names=("ContentInfo.plist", "Contents", "beside"))
    found = {"executable_code", "executable_bit", "link_leaves", "kind_refused", "name_collision", "outside_contents"}
    assert rules(content("validate", package)) == found
    # The folder has no hard links, only files.
    assert rules(content("validate", project)) == found
    assert rules(content("pack", project, "--output", tmp_path / "none.pkg")) == found
    assert not (tmp_path / "none.pkg").exists()
    bsdtar(project, package, "--options", "compression=bzip2")
    assert "encoding_unknown" in rules(content("validate", package))
    bsdtar(project, package, "--options", "checksum=md5")
    assert "damaged" in rules(content("validate", package))


def table_says(*files: str, edit=lambda header: header, heap: bytes = b"") -> bytes:
    """A package whose table has these files, put together by hand."""
    info = plistlib.dumps({"ContentVersion": "1.0", "IAPProductIdentifier": PRODUCT})
    sums = "".join(
        f"<{kind}-checksum style='sha1'>{hashlib.sha1(info).hexdigest()}</{kind}-checksum>"
        for kind in ("archived", "extracted")
    )
    xml = (
        "<xar><toc><checksum style='sha1'><offset>0</offset><size>20</size></checksum>"
        f"<file id='1'><name>ContentInfo.plist</name><type>file</type><data><offset>20</offset><length>{len(info)}</length>"
        f"<size>{len(info)}</size><encoding style='application/octet-stream'/>{sums}</data></file>"
        "<file id='2'><name>Contents</name><type>directory</type>" + "".join(files) + "</file></toc></xar>"
    ).encode()
    table = zlib.compress(xml)
    header = struct.pack(">4sHHQQI", b"xar!", 28, 1, len(table), len(xml), 1)
    return edit(header) + table + hashlib.sha1(table).digest() + info + heap


def entry(name: str, data: str = "", type: str = "file", more: str = "") -> str:
    return f"<file id='3'><name>{name}</name><type>{type}</type>{more}{data}</file>"


HOSTILE = {
    "a step up": (table_says(entry("..")), "path_unsafe"),
    "a path": (table_says(entry("../../x")), "name_not_unicode"),
    "a link that leaves": (table_says(entry("l", type="symlink", more="<link>../../x</link>")), "link_leaves"),
    "a device": (table_says(entry("d", type="block special")), "kind_refused"),
    "bytes behind the end": (
        table_says(entry("a", "<data><offset>99999</offset><length>5</length><size>5</size></data>")),
        "damaged",
    ),
    "bytes of another file": (
        table_says(entry("a", "<data><offset>20</offset><length>5</length><size>5</size></data>")),
        "damaged",
    ),
    "numbers that overflow": (
        table_says(entry("a", f"<data><offset>{2**63 - 1}</offset><length>{2**63 - 1}</length><size>9</size></data>")),
        "damaged",
    ),
    "a number too many": (
        table_says(entry("a", f"<data><offset>{2**64}</offset><length>1</length><size>1</size></data>")),
        "damaged",
    ),
    "thirty thousand files": (table_says(entry("a") * 30_000), "package_too_large"),
    "a table of an exabyte": (
        table_says(edit=lambda header: header[:16] + struct.pack(">Q", 1 << 60) + header[24:]),
        "package_too_large",
    ),
    "a cut": (table_says()[:-1], "damaged"),
    "a gzip file": (zlib.compress(b"x" * 100, wbits=31), "not_a_package"),
}


@pytest.mark.rows("R6.2", "R1.11")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_package_is_refused_by_the_tool(tmp_path, name):
    package, rule = HOSTILE[name]
    (tmp_path / "hostile.pkg").write_bytes(package)
    assert rule in rules(content("validate", tmp_path / "hostile.pkg"))


@pytest.mark.rows("R6.3")
def test_what_breaks_a_rule_is_not_sent(tmp_path):
    package, rule = HOSTILE["a device"]
    (tmp_path / "hostile.pkg").write_bytes(package)
    # There is no store that it could have been sent to.
    result = content("push", tmp_path / "hostile.pkg", "--data", tmp_path / "absent")
    assert rules(result) == {rule} and "1 finding; nothing was sent" in result.stderr


# What devices get.


@pytest.mark.rows("R6.5", "R6.4")
def test_zipfile_and_plistlib_read_what_is_delivered(project, tmp_path, tool, product):
    made("pack", project)
    package, archive = project.with_suffix(".pkg"), tmp_path / "delivered.zip"
    manifest = tool.ask("content.deliver", package=str(package), archive=str(archive))
    delivered = archive.read_bytes()
    assert manifest["byteCount"] == len(delivered)
    assert base64.b64decode(manifest["digest"]) == hashlib.sha256(delivered).digest()
    with zipfile.ZipFile(io.BytesIO(delivered)) as zip:
        assert zip.testzip() is None
        info = plistlib.loads(zip.read("ContentInfo.plist"))
        assert info == {"ContentVersion": "1.0", "IAPProductIdentifier": product}
        found = {}
        for member in zip.infolist():
            assert member.date_time == (1980, 1, 1, 0, 0, 0)
            if member.is_dir():
                continue
            is_link = stat.S_ISLNK(member.external_attr >> 16)
            found[member.filename] = (b"-> " if is_link else b"") + zip.read(member)
        assert found == tree(project)
        assert zip.getinfo("Contents/1.html").compress_type == zipfile.ZIP_DEFLATED
        assert zip.getinfo("Contents/images/größe & höhe.png").compress_type == zipfile.ZIP_STORED
    result = subprocess.run(["7zz", "t", archive], capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 0 and "WARNING" not in result.stdout.upper(), result.stdout


@pytest.mark.rows("R6.5", "R1.11")
@pytest.mark.parametrize(
    "name", ["../x", "/tmp/till-slip", "Contents/../../x", "Contents/a\\b", "beside", "Contents/1.TXT", "Contents/tool"]
)
def test_a_hostile_archive_of_zipfile_is_refused_on_a_device(tmp_path, tool, name):
    archive = tmp_path / "hostile.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zip:
        zip.writestr("ContentInfo.plist", plistlib.dumps({"ContentVersion": "1.0", "IAPProductIdentifier": PRODUCT}))
        zip.writestr("Contents/1.txt", "one")
    tool.ask("content.unpack", archive=str(archive), folder=str(tmp_path / "good"))
    with zipfile.ZipFile(archive, "a") as zip:
        zip.writestr(name, b"\x7fELF" if name.endswith("tool") else b"x")
    with pytest.raises(Refused) as refused:
        tool.ask("content.unpack", archive=str(archive), folder=str(tmp_path / "unpacked"))
    assert refused.value.code == "refused"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good", "hostile.zip"]
