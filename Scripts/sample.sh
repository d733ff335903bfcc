#!/usr/bin/env bash
# Builds a sample app and runs it against the store of make run, whose profile it is given.
#
# APP names the app, TILL_DATA the folder of the store; what follows the script's name goes to the app. Where the store and the
# magazine's server are not at their usual addresses, the variables of `till backend serve` say it: TILL_BACKEND_LISTEN,
# TILL_BACKEND_STORE and TILL_BACKEND_STORE_SANDBOX.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly app=${APP:-MonkeyCredits} data=${TILL_DATA:-./till_data}
# The demo has an app for each sample, of the same name.
readonly bundle=com.example.${app,,}

fail() {
    printf 'sample: %s\n' "$@" >&2
    exit 1
}

if [ ! -d "Samples/$app" ]; then
    fail "There is no sample $app. There are: $(cd Samples && echo *)"
fi
# A store that runs holds this lock.
if [ ! -e "$data/lock" ] || flock --nonblock "$data/lock" true; then
    fail "No store runs in $data. Start one in another terminal, and leave it running:" "    make run" \
        "Then run this again."
fi

say() { if [ -t 2 ]; then printf '%s\n' "$*" >&2; fi; }

say "Building $app …"
for product in till "$app"; do
    # The compiler says how far it is; what the app prints is alone on standard output.
    if ! swift build --product "$product" >&2; then
        fail "$product cannot be built; the messages of the compiler are above."
    fi
done
folder=$(swift build --show-bin-path)
# Written as a whole or not at all.
mkdir -p .build/samples
export STOREKIT_PROFILE=$PWD/.build/samples/$app.tillprofile
"$folder/till" provision "$bundle" --sandbox --data "$data" >"$STOREKIT_PROFILE.new"
mv "$STOREKIT_PROFILE.new" "$STOREKIT_PROFILE"

# The magazine's own server, unless another of these apps has started it: what it lists, what it sends, and where it asks whether
# a receipt is good. It ends with the app.
serve_magazine() {
    local own=.build/samples/magazine-server from=Samples/Magazines/Server
    mkdir -p "$own"
    # It has secrets, which Till keeps from others.
    chmod 700 "$own"
    if [ -e "$own/lock" ] && ! flock --nonblock "$own/lock" true; then
        MAGAZINES_SERVER=$(cat "$own/address")
        export MAGAZINES_SERVER
        return
    fi
    export TILL_BACKEND_LISTEN=${TILL_BACKEND_LISTEN:-127.0.0.1:8090}
    export TILL_BACKEND_STORE=${TILL_BACKEND_STORE:-http://127.0.0.1:8080}
    export TILL_BACKEND_STORE_SANDBOX=${TILL_BACKEND_STORE_SANDBOX:-http://127.0.0.1:8081}
    export MAGAZINES_SERVER=http://$TILL_BACKEND_LISTEN
    printf '%s\n' "$MAGAZINES_SERVER" >"$own/address"
    "$folder/till" apps secret "$bundle" --new --data "$data" --json |
        sed -n 's/.*"secret" *: *"\([^"]*\)".*/\1/p' >"$own/secret"
    chmod 600 "$own/secret"
    "$folder/till" keys root --environment sandbox --der --data "$data" >"$own/root.der"
    # A list that was published by hand since stays.
    if ! "$folder/till" backend products show "$bundle" --data "$own" >/dev/null 2>&1; then
        "$folder/till" backend products publish "$from/products.json" --data "$own" >/dev/null
    fi
    # A version that is there already stays as it is.
    "$folder/till" backend content add issue1 "$from/issue1.txt" --version 1.0 --data "$own" >/dev/null 2>&1 || true
    "$folder/till" notifications set "$bundle" --url "$MAGAZINES_SERVER/notifications" --data "$data" >/dev/null
    rm -f "$own/started"
    "$folder/till" backend serve --bundle "$bundle" --data "$own" --sandbox-root "$own/root.der" \
        --shared-secret-file "$own/secret" >"$own/started" 2>"$own/log" &
    server=$!
    # It may have ended by itself.
    trap 'kill "$server" 2>/dev/null || true' EXIT
    until [ -s "$own/started" ]; do
        if ! kill -0 "$server" 2>/dev/null; then
            fail "The magazine's server does not start; its log is $own/log:" "$(tail -3 "$own/log")" \
                "If something else is at $TILL_BACKEND_LISTEN, name another address in TILL_BACKEND_LISTEN."
        fi
        sleep 0.1
    done
    say "The magazine's own server runs; what it does is in $own/log."
}

say "Sign in as tester@example.com, password monkeycredits, when the store asks."
say ""
if [ "$app" != Magazines ]; then exec "$folder/$app" "$@"; fi
serve_magazine
"$folder/$app" "$@"
