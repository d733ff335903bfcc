#!/usr/bin/env bash
# Builds everything, runs every test, and ends with the seconds of each suite and the test runners' own last words.
#
# TILL_SEED repeats the random cases of an earlier run, TILL_SOAK=1 draws many more of them; CONTRIBUTING.md says how
# tests read the two. A suite that fails does not keep the others from running, only this script from succeeding.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly logs=.build/test-logs
mkdir -p "$logs"

# One seed for all languages and processes of a run; any 64-bit number.
if [ -z "${TILL_SEED:-}" ]; then TILL_SEED=$(od -An -N8 -tu8 /dev/urandom | tr -d ' '); fi
export TILL_SEED
printf 'test: TILL_SEED=%s%s\n' "$TILL_SEED" "${TILL_SOAK:+ TILL_SOAK=$TILL_SOAK}"

table=()
failed=()

# run NAME COMMAND...: runs one suite, keeps its output in a log as well, and notes its seconds.
run() {
    local name=$1 started=$EPOCHREALTIME result=passed milliseconds
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    if ! "$@" 2>&1 | tee "$logs/$name.log"; then
        result=FAILED
        failed+=("$name")
    fi
    milliseconds=$(((${EPOCHREALTIME/./} - ${started/./}) / 1000))
    local budget
    budget=$(awk -v name="$name" '$1 == name {printf "of %d s", $3}' Scripts/test-seconds.txt)
    table+=("$(printf '%-14s %5d.%03d s  %-8s %s' \
        "$name" $((milliseconds / 1000)) $((milliseconds % 1000)) "$budget" "$result")")
}

print_table() {
    printf '\n== seconds of each suite\n'
    printf '%s\n' "${table[@]}"
}

# The compiler asks for memory so often that another allocator makes it a tenth faster. A clone that is built once and thrown
# away needs no tables for debuggers, no index for editors, and no modules of which a part can be built: a third less work.
build=(swift build --build-tests)
place=(swift build --show-bin-path)
if [ -n "${TILL_BUILD_ONCE:-}" ]; then
    # Modules are built as a whole in this configuration alone; nothing is optimised all the same.
    place+=(--configuration release)
    build+=(--configuration release -Xswiftc -Onone -Xswiftc -enable-testing -debug-info-format none --disable-index-store)
    # SwiftPM finds tests in the index. Without one it is to be told where they begin; Swift Testing finds them by itself.
    readonly entry=Tests/XCTMain.swift
    trap 'rm -f "$entry"' EXIT
    cat >"$entry" <<'SWIFT'
import Testing

@main
struct Runner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
SWIFT
fi
allocator=$(ldconfig -p | awk '/libjemalloc\.so/ {print $NF; exit}')
if [ -n "$allocator" ]; then build=(env "LD_PRELOAD=$allocator" "${build[@]}"); fi

run setup Scripts/setup.sh
if [ "${#failed[@]}" -eq 0 ]; then run build "${build[@]}"; fi
if [ -n "${entry:-}" ]; then rm -f "$entry"; fi
if [ "${#failed[@]}" -gt 0 ]; then
    print_table
    exit 1
fi

# How many tests run at a time. Without a limit all begin at once, and their databases and servers are thousands of open
# files; from about 1300 on, Foundation reads behind its buffer when it starts a process, and now and then crashes.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32

# Databases of tests are made and dropped by the hundred: in memory, where there are 4 GB of it for files.
readonly memory=/dev/shm
room=$(df --output=avail "$memory" 2>/dev/null | tail -n 1)
if [ "${room:-0}" -gt 4000000 ]; then export TILL_POSTGRES_ROOT="${TILL_POSTGRES_ROOT:-$memory}"; fi

# All Swift tests are Swift Testing's; the repository test refuses the other framework, whose runner would add a count
# of nought to the end of every run.
#
# What is held against live sockets has a process of its own: other tests block the few threads on which tasks run, with
# databases that are killed and keys that are computed, for longer than a client may be kept waiting.
#
# Tests of how a process exits go with it: from the first of them on, Swift Testing watches all children of its process, and
# takes a tenth of the machine as long as one of them has ended and nobody has waited for it yet.
readonly live='^(StoreHTTPListenerTests|StoreHTTPClientTests)\.|ErrorTests/terminate\(|SessionTests/lastActivated\('
# The programs that were just built; the conformance tests ask for them by this name.
TILL_BIN_DIR=$("${place[@]}")
export TILL_BIN_DIR
readonly tests=("$TILL_BIN_DIR/tillPackageTests.xctest" --testing-library swift-testing)
run swift-tests "${tests[@]}" --skip "$live"
run swift-live "${tests[@]}" --filter "$live"

if [ -n "$(find Tests/Conformance -name 'test_*.py' -print -quit)" ]; then
    # Code 5, no test collected, is a failure here: there are files that should have given some.
    # Three processes share the files in the order of conftest.py: most tests wait for programs that they start.
    run conformance .venv/bin/python -m pytest Tests/Conformance --numprocesses 3 --dist loadfile --no-loadscope-reorder
else
    printf '\n== conformance: Tests/Conformance has no test files yet\n'
fi

print_table

printf '\n== summaries of the test runners\n'
# The frameworks end with their own count; these lines are theirs, unchanged.
for suite in swift-tests swift-live; do
    grep -E 'Test run with [0-9]+ tests?' "$logs/$suite.log" | tail -n 1 || true
done
if [ -e "$logs/conformance.log" ]; then tail -n 1 "$logs/conformance.log"; fi

if [ "${#failed[@]}" -gt 0 ]; then
    # Often nobody keeps more of a run than its end, so the end says what failed and how.
    printf '\n== what failed, first lines; the whole is in %s\n' "$logs"
    for suite in "${failed[@]}"; do
        grep -E 'recorded an issue|Fatal error|unexpected signal|^(FAILED|ERROR) |: error:' "$logs/$suite.log" |
            cut -c -400 | head -n 30 || true
    done
    printf 'test: failed: %s\n' "${failed[*]}" >&2
    exit 1
fi
