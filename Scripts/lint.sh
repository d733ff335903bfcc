#!/usr/bin/env bash
# Everything that can be found wrong without building: the form of Swift, the traps of shell, the syntax of Python and C.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=()

# check NAME COMMAND...: runs one check, says how it went, and goes on to the next.
check() {
    local name=$1
    shift
    if "$@"; then
        printf 'lint: %-8s passed\n' "$name"
    else
        printf 'lint: %-8s FAILED\n' "$name"
        failed+=("$name")
    fi
}

# The paths among the given ones that exist.
existing() {
    local path
    for path in "$@"; do
        if [ -e "$path" ]; then echo "$path"; fi
    done
}

check_swift() {
    local -a paths
    mapfile -t paths < <(existing Package.swift Sources Tests Benchmarks Samples)
    swift format lint --strict --recursive --parallel "${paths[@]}"
}

check_shell() { shellcheck --severity=style Scripts/*.sh Scripts/hooks/* .ci/run; }

# Syntax only, and nothing written beside the sources.
check_python() {
    .venv/bin/python - <<'PYTHON'
import pathlib
import sys

sys.dont_write_bytecode = True
failed = False
for folder in ("Scripts", "Tests", "Benchmarks"):
    for path in sorted(pathlib.Path(folder).rglob("*.py")):
        try:
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        except SyntaxError as error:
            print(f"{path}:{error.lineno}: {error.msg}")
            failed = True
sys.exit(failed)
PYTHON
}

check_c() {
    local header result=0
    local -a folders
    read -ra folders < <(pkg-config --cflags-only-I libpq)
    while IFS= read -r header; do
        clang -std=c11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only \
            -I Benchmarks/reference/include -I Tests/CFaultyDisk/include "${folders[@]}" -x c "$header" || result=1
    done < <(find Sources/System Benchmarks/reference Tests/CFaultyDisk -name '*.[ch]')
    return "$result"
}

check swift check_swift
check shell check_shell
check python check_python
check c check_c

if [ "${#failed[@]}" -gt 0 ]; then
    printf 'lint: failed: %s\n' "${failed[*]}" >&2
    printf "lint: 'swift format --in-place --recursive Package.swift Sources Tests' repairs most of swift\n" >&2
    exit 1
fi
