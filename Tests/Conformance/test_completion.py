"""The shells themselves judge the completion scripts: a person types and presses the tab key."""

import shutil
import subprocess

import pytest

from conftest import tool_path
from support.terminal import Terminal

TILL = tool_path().with_name("till")

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <(till completion bash)\n"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; source <(till completion zsh)\n"),
    "fish": (["fish", "--no-config", "-i"], "till completion fish | source\n"),
}

pytestmark = pytest.mark.rows("X9")


@pytest.fixture(params=SHELLS)
def shell(request, tmp_path):
    command, load = SHELLS[request.param]
    assert shutil.which(command[0]), f"{command[0]} is not installed; see Scripts/debian-packages.txt"
    (tmp_path / "folder_of_keys").mkdir()
    (tmp_path / "file_of_keys").write_text("")
    terminal = Terminal(*command, folder=tmp_path, path=TILL.parent)
    # The sum shows that the shell ran the line, not only echoed it.
    terminal.type(load + "echo loaded$((40+2))\n" if request.param != "fish" else load + "echo loaded(math 40+2)\n")
    terminal.wait_for("loaded42")
    yield terminal
    terminal.close()


def test_a_command_is_completed_from_its_first_letters(shell):
    shell.type("till ke\t").wait_for(r"till keys ")


def test_the_commands_of_a_group_are_listed(shell):
    shown = shell.type("till keys ro\t\t").wait_for(r"(?s)root.*rotate|rotate.*root")
    assert "revoke" not in shown


def test_an_option_is_completed(shell):
    shell.type("till keys show --al\t").wait_for("--all ")


def test_an_option_given_already_is_not_offered_again(shell):
    shell.type("till keys show --all --a\t\tX").wait_for("--all --aX")


def test_the_words_of_an_option_are_completed(shell):
    shell.type("till keys init --environment pro\t").wait_for("--environment production")


def test_a_value_after_an_equals_sign_is_completed(shell):
    shell.type("till keys init --environment=san\t").wait_for("--environment=sandbox")


def test_folders_are_completed_where_a_folder_is_wanted(shell):
    shell.type("till keys show --data fo\t").wait_for("--data folder_of_keys/")


def test_folders_are_completed_after_an_equals_sign(shell):
    shell.type("till keys show --data=fol\t").wait_for("--data=folder_of_keys/")


def test_no_file_is_offered_where_a_folder_is_wanted(shell):
    shell.type("till keys show --data fi\tX").wait_for("--data fiX")


def test_the_only_folder_is_completed_without_a_letter(shell):
    shell.type("till keys show --data \t").wait_for("--data folder_of_keys/")


def test_files_are_completed_where_a_file_is_wanted(shell):
    shell.type("till keys init --passphrase-file fil\t").wait_for("--passphrase-file file_of_keys")


@pytest.mark.parametrize("shell_name", SHELLS)
def test_the_shell_finds_no_fault_in_its_script(shell_name):
    script = subprocess.run([TILL, "completion", shell_name], capture_output=True, check=True).stdout
    checked = subprocess.run([shell_name, "-n", "/dev/stdin"], input=script, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, b"")
