#!/usr/bin/env bash
# Builds a sample app and runs it against the store of make run, whose profile it is given.
#
# APP names the app, TILL_DATA the folder of the store; what follows the script's name goes to the app.
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

say "Sign in as tester@example.com, password monkeycredits, when the store asks."
say ""
exec "$folder/$app" "$@"
