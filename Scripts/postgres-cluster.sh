#!/usr/bin/env bash
# A PostgreSQL server of its own for tests and benchmarks, in a folder that goes away with it.
#
# It prints "ready FOLDER" when it can be used; FOLDER holds its socket, and whoever may enter it is the superuser
# "postgres". Then it obeys one word a line from standard input and answers each with "ready FOLDER" or "failed":
#
#   stop     ends the server as an operator would
#   crash    kills every process of it at once, as a loss of power would
#   start    starts it again
#
# At the end of the input, however that comes, the server is stopped and the folder removed: a test that is killed leaves
# nothing behind. Everything is written to the disk as in production (fsync is on). TILL_POSTGRES_ROOT is where its folder is made,
# /tmp unless it says otherwise.
set -euo pipefail

fail() {
    printf 'failed %s\n' "$*"
    exit 1
}

# The newest installed version; Debian keeps its programs out of PATH.
programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$programs" ]; then programs=$(dirname "$(command -v postgres || true)"); fi
if [ ! -x "$programs/initdb" ]; then
    fail "PostgreSQL is not installed: there is no initdb. make setup installs it (Debian: postgresql)."
fi

folder=$(mktemp -d "${TILL_POSTGRES_ROOT:-/tmp}/till-postgres.XXXXXX")
# PostgreSQL refuses to run as root.
as_owner=()
if [ "$(id -u)" -eq 0 ]; then
    chown postgres: "$folder"
    as_owner=(runuser -u postgres --)
fi
cd "$folder"

clean_up() {
    crash
    cd /
    rm -rf "$folder"
}

# Whether a process is there and not merely waiting to be forgotten.
is_alive() { [ -e "/proc/$1/stat" ] && ! grep -q '^[0-9]* (.*) Z ' "/proc/$1/stat" 2>/dev/null; }

crash() {
    local server process
    local -a processes
    server=$(head -n 1 data/postmaster.pid 2>/dev/null || true)
    if [ -z "$server" ]; then return; fi
    # It is stopped first, so that it starts no more processes and notices nothing.
    kill -STOP "$server" 2>/dev/null || return 0
    read -ra processes <"/proc/$server/task/$server/children" || true
    kill -KILL "$server" "${processes[@]}" 2>/dev/null || true
    for process in "$server" "${processes[@]}"; do
        while is_alive "$process"; do sleep 0.01; done
    done
    rm -f data/postmaster.pid .s.PGSQL.5432 .s.PGSQL.5432.lock
}

control() { "${as_owner[@]}" "$programs/pg_ctl" --pgdata=data --silent --wait --log=log "$@" >>control 2>&1; }

make_cluster() {
    # The locale sorts as people do, so that whoever relies on the order of bytes has to say so.
    "${as_owner[@]}" "$programs/initdb" --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --no-sync \
        --locale=C.UTF-8 --locale-provider=icu --icu-locale=en >initdb 2>&1 || fail "initdb: $(tail -n 3 initdb)"
    # What no commit has asked for stays in memory as long as it may, so that a crash forgets it.
    cat >>data/postgresql.conf <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$folder'
fsync = on
max_connections = 600
shared_buffers = 64MB
deadlock_timeout = 50ms
wal_writer_delay = 10s
SETTINGS
    # One role has to say a password.
    sed -i '1i local all with_password scram-sha-256' data/pg_hba.conf
}

touch log control initdb
if [ "$(id -u)" -eq 0 ]; then chown postgres: log control initdb; fi
trap clean_up EXIT
make_cluster
control start || fail "the server does not start: $(tail -n 3 log)"
printf 'ready %s\n' "$folder"
while read -r word; do
    case $word in
    stop) control stop --mode=fast ;;
    crash) crash ;;
    start) control start ;;
    *) false ;;
    esac && printf 'ready %s\n' "$folder" || printf 'failed %s: %s\n' "$word" "$(tail -n 1 log)"
done
