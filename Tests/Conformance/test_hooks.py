"""The hooks that `make setup` gives to git, in a repository of their own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import REPOSITORY
from support.waiting import PATIENCE

GOOD = "struct Shelf {\n    let books: [String]\n}\n"
CROOKED = "struct Shelf\n{\n  let books : [String]\n}\n"
MISNAMED = "let Shelf_count = 1\n"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "TILL_SKIP_PACKAGES": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
}


class Folder:
    """A working tree with the scripts of this one."""

    def __init__(self, path: Path):
        self.path = path
        shutil.copytree(REPOSITORY / "Scripts", path / "Scripts")
        (path / "Tests/Conformance").mkdir(parents=True)
        for file in ("Tests/Conformance/requirements.txt", ".swift-format"):
            shutil.copy(REPOSITORY / file, path / file)
        (path / ".venv").symlink_to(REPOSITORY / ".venv")
        assert self.git("init", "--quiet").returncode == 0

    def run(self, *words) -> subprocess.CompletedProcess:
        return subprocess.run(
            words, cwd=self.path, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE
        )

    def git(self, *words) -> subprocess.CompletedProcess:
        return self.run("git", *words)

    def setup(self) -> str:
        done = self.run("Scripts/setup.sh")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, *words, subject: str = "Add a shelf") -> subprocess.CompletedProcess:
        return self.git("commit", "--quiet", "--message", subject, *words)

    def write(self, text: str, name: str = "Shelf.swift"):
        (self.path / name).write_text(text)

    def committed(self, name: str = "Shelf.swift") -> str:
        return self.git("show", f"HEAD:{name}").stdout


@pytest.fixture
def folder(tmp_path):
    folder = Folder(tmp_path)
    assert "git now calls Scripts/hooks" in folder.setup()
    return folder


def test_what_is_staged_whole_is_formatted_and_staged_again(folder):
    folder.write(CROOKED)
    folder.git("add", "Shelf.swift")
    assert folder.commit().returncode == 0
    assert folder.committed() == (folder.path / "Shelf.swift").read_text() == GOOD
    assert folder.git("status", "--porcelain", "--untracked-files=no").stdout == ""


def test_what_is_staged_in_part_is_refused_and_left_as_it_is(folder):
    folder.write(GOOD)
    folder.git("add", "Shelf.swift")
    assert folder.commit().returncode == 0
    for staged, status in ((CROOKED, 1), (GOOD.replace("books", "volumes"), 0)):
        folder.write(staged)
        folder.git("add", "Shelf.swift")
        folder.write(staged + "// More.\n")
        done = folder.commit()
        assert done.returncode == status, done.stderr
        assert ("only a part of it" in done.stderr) == bool(status)
        assert (folder.path / "Shelf.swift").read_text() == staged + "// More.\n"
        assert folder.git("show", ":Shelf.swift").stdout == staged


def test_what_is_committed_by_its_path_is_only_looked_at(folder):
    folder.write(GOOD)
    folder.git("add", "Shelf.swift")
    assert folder.commit().returncode == 0
    folder.write(CROOKED)
    assert folder.commit("Shelf.swift").returncode == 1
    folder.write(GOOD + "// More.\n")
    assert folder.commit("Shelf.swift").returncode == 0
    assert folder.git("status", "--porcelain", "--untracked-files=no").stdout == ""


def test_what_no_formatter_mends_is_refused(folder):
    folder.write(MISNAMED)
    folder.write("#!/bin/sh\ncat $1\n", "show.sh")
    folder.write("def broken(:\n", "broken.py")
    for name, message in (("Shelf.swift", "lowerCamelCase"), ("show.sh", "SC2086"), ("broken.py", "SyntaxError")):
        folder.git("add", name)
        done = folder.commit()
        assert done.returncode == 1 and message in done.stderr, done
        folder.git("reset", "--quiet")


SUBJECTS = {
    "Add billing grace periods": 0,
    "Merge branch 'grace/periods'": 0,
    "Format amounts as the price locale does": 0,
    "Ä" * 72: 0,
    "a" * 73: 1,
    "WIP: add grace periods": 1,
    "wip": 1,
    "Format": 1,
    "Merge branch 'main' of /srv/till": 1,
    "Merge branch 'main' of https://example.com/till": 1,
    "Add grace periods, and mend refunds": 1,
}


def test_a_subject_names_one_thing_in_a_line(folder):
    for subject, status in SUBJECTS.items():
        done = folder.commit("--allow-empty", subject=subject)
        assert done.returncode == status, (subject, done.stderr)
        assert ("The message is kept" in done.stderr) == bool(status), subject


def test_hooks_of_others_are_left_alone_and_worktrees_have_ours(tmp_path):
    folder = Folder(tmp_path / "one")
    foreign = folder.path / ".git/hooks/pre-push"
    foreign.write_text("#!/bin/sh\n")
    assert "left alone" in folder.setup()
    assert folder.git("config", "core.hooksPath").stdout == ""
    foreign.unlink()
    folder.git("config", "core.hooksPath", "/elsewhere")
    assert "left alone" in folder.setup()
    assert folder.git("config", "core.hooksPath").stdout == "/elsewhere\n"
    folder.git("config", "--unset", "core.hooksPath")
    assert "git now calls" in folder.setup()
    assert "hooks" not in folder.setup()

    folder.git("add", "Scripts")
    assert folder.commit(subject="Add the scripts").returncode == 0
    folder.git("worktree", "add", "--quiet", str(tmp_path / "two"))
    refused = subprocess.run(
        ["git", "commit", "--allow-empty", "--message", "wip"],
        cwd=tmp_path / "two", env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE,
    )
    assert refused.returncode == 1 and "commit-msg" in refused.stderr
