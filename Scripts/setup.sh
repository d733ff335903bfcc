#!/usr/bin/env bash
# Installs what building and testing need and is not there: Debian packages, a Python environment in .venv, and the hooks of
# git in Scripts/hooks. With the word run only what building and running a store needs.
#
# Nothing happens when nothing is missing. TILL_SKIP_PACKAGES=1 leaves the system's packages alone, for systems that are
# not Debian and people who installed them in another way.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly package_list=Scripts/debian-packages.txt
readonly requirements=Tests/Conformance/requirements.txt
readonly environment=.venv
readonly least_swift=6.2
readonly scope=${1:-all}

say() { printf 'setup: %s\n' "$*"; }

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

# The packages of the list that are not installed.
missing_packages() {
    local wanted installed
    local end='$'
    if [ "$scope" = run ]; then end='/^# What the tests/'; fi
    wanted=$(sed -n "1,${end}p" "$package_list" | sed -E 's/#.*//; s/^[[:space:]]+//; s/[[:space:]].*//; /^$/d' | sort -u)
    # shellcheck disable=SC2086 # one word per package
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        sed -n 's/^installed //p' | sort -u || true)
    comm -23 <(echo "$wanted") <(echo "$installed")
}

install_packages() {
    local -a packages=("$@") command=()
    command=(apt-get install --yes --no-install-recommends --option DPkg::Lock::Timeout=300 "${packages[@]}")
    local advice="apt-get update && apt-get install --no-install-recommends ${packages[*]}"

    local -a privilege=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            fail "these Debian packages are missing, and installing them needs root:" \
                "    sudo sh -c '$advice'" "Then run make setup again."
        fi
        privilege=(sudo -n)
    fi
    privilege+=(env DEBIAN_FRONTEND=noninteractive)

    say "installing ${#packages[@]} Debian packages: ${packages[*]}"
    # The lists of packages are fetched only when the ones that are there do not lead to the goal.
    if ! "${privilege[@]}" "${command[@]}" >/dev/null 2>&1; then
        say "fetching the lists of packages"
        if ! { "${privilege[@]}" apt-get update && "${privilege[@]}" "${command[@]}"; }; then
            fail "apt-get could not install them; its messages are above. By hand, as root:" "    $advice" \
                "Then run make setup again."
        fi
    fi
    # Tests start nginx by themselves; the one that its package has just started would keep a port of this machine.
    if [[ " ${packages[*]} " == *" nginx-light "* ]]; then
        "${privilege[@]}" sh -c 'systemctl disable --now nginx || service nginx stop' >/dev/null 2>&1 || true
    fi
}

# Names the servers of PostgreSQL that this system runs, as "version name".
postgres_clusters() {
    if command -v pg_lsclusters >/dev/null; then pg_lsclusters --no-header | awk '{ print $1, $2 }' | sort; fi
}

# Debian starts a server of PostgreSQL as soon as it is installed. The tests start their own, so one that was not here
# before the installation is stopped, and not started again by itself; it stays there, empty, for whoever wants it.
stop_new_postgres_clusters() {
    local before=$1 version name
    local -a privilege=()
    if [ "$(id -u)" -ne 0 ]; then privilege=(sudo -n); fi
    comm -13 <(echo "$before") <(postgres_clusters) | while read -r version name; do
        say "stopping the server of PostgreSQL that came with its package: $version $name"
        "${privilege[@]}" pg_ctlcluster "$version" "$name" stop 2>/dev/null || true
        "${privilege[@]}" sed -i 's/^auto$/manual/' "/etc/postgresql/$version/$name/start.conf"
    done
}

setup_packages() {
    [ "${TILL_SKIP_PACKAGES:-}" = 1 ] && return
    if ! command -v dpkg-query >/dev/null; then
        fail "this is not Debian, so nothing can be installed from here." \
            "Install what $package_list names, by the names of your system," \
            "then run: TILL_SKIP_PACKAGES=1 make setup"
    fi
    local -a packages
    local clusters
    mapfile -t packages < <(missing_packages)
    if [ "${#packages[@]}" -gt 0 ]; then
        clusters=$(postgres_clusters)
        install_packages "${packages[@]}"
        stop_new_postgres_clusters "$clusters"
    fi
}

check_swift() {
    local advice="Install one from https://www.swift.org/install/linux/ and put its usr/bin into PATH."
    if ! command -v swift >/dev/null; then fail "there is no Swift toolchain in PATH." "$advice"; fi
    local version
    if ! version=$(swift --version 2>&1); then
        fail "the Swift toolchain at $(command -v swift) does not start:" "$version" "$advice"
    fi
    version=$(sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' <<<"$version" | head -n 1)
    if [ "$(printf '%s\n' "$least_swift" "$version" | sort -V | head -n 1)" != "$least_swift" ]; then
        fail "Swift $version is too old; $least_swift or newer is needed." "$advice"
    fi
}

setup_python() {
    local python=/usr/bin/python3
    if [ ! -x "$python" ]; then python=$(command -v python3 || true); fi
    if [ -z "$python" ]; then fail "there is no python3, which the conformance tests need."; fi

    # The stamp is written last, so that an interrupted installation is begun again.
    local stamp="$environment/requirements.sha256" wanted
    wanted=$(sha256sum "$requirements")
    if [ -x "$environment/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then return; fi

    say "making the Python environment $environment from $requirements"
    rm -rf "$environment"
    if ! "$python" -m venv "$environment"; then
        rm -rf "$environment"
        fail "$python cannot make an environment; on Debian: apt-get install python3-venv"
    fi
    # Every package is pinned by name, so pip may choose nothing itself; the check finds one that was forgotten.
    if ! "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        --requirement "$requirements" || ! "$environment/bin/python" -m pip check; then
        fail "pip could not install $requirements; its messages are above. By hand:" \
            "    $environment/bin/python -m pip install --no-deps -r $requirements" "Then run make setup again."
    fi
    echo "$wanted" >"$stamp"
}

# Lets git call Scripts/hooks, in every worktree its own. Hooks that somebody has already are left as they are.
setup_hooks() {
    local folder=Scripts/hooks set others
    if ! command -v git >/dev/null || [ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$PWD" ]; then return; fi
    set=$(git config --get core.hooksPath || true)
    if [ "$set" = "$folder" ]; then return; fi
    others=$set
    if [ -z "$set" ]; then
        others=$(find -L "$(git rev-parse --git-common-dir)/hooks" -maxdepth 1 -type f ! -name '*.sample' -print -quit 2>/dev/null || true)
    fi
    if [ -n "$others" ]; then
        say "git has hooks here already ($others), which are left alone; let them call $folder/pre-commit and $folder/commit-msg"
        return
    fi
    git config core.hooksPath "$folder"
    say "git now calls $folder: it formats and lints what is committed"
}

setup_packages
check_swift
if [ "$scope" != run ]; then
    setup_python
    setup_hooks
fi
say "everything is there"
