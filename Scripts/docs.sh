#!/usr/bin/env bash
# Builds the documentation of the public modules as static pages in .build/docs; a warning of DocC is a failure.
#
# Each catalogue Documentation/NAME.docc belongs to the module NAME. The toolchain's own docc is enough: no plug-in.
set -euo pipefail
cd "$(dirname "$0")/.."

# The modules of C that Swift modules import; what is imported is needed to read the module.
includes=()
for module_map in Sources/System/*/module.modulemap; do includes+=(-I "$(dirname "$module_map")"); done
for folder in Sources/System/*/include; do includes+=(-I "$folder"); done

target=$(swiftc -print-target-info | sed -nE 's/.*"triple": "([^"]+)".*/\1/p' | head -n 1)

for catalogue in Documentation/*.docc; do
    module=$(basename "$catalogue" .docc)
    graphs=.build/symbol-graphs/$module
    output=.build/docs/$module
    rm -rf "$graphs" "$output"
    mkdir -p "$graphs" "$(dirname "$output")"

    swift build --target "$module"
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$(swift build --show-bin-path)/Modules" \
        "${includes[@]}" \
        -minimum-access-level public -skip-inherited-docs -output-dir "$graphs"
    docc convert "$catalogue" --additional-symbol-graph-dir "$graphs" --output-path "$output" \
        --fallback-display-name "$module" --fallback-bundle-identifier "till.$module" \
        --transform-for-static-hosting --warnings-as-errors
    printf 'docs: %s is in %s\n' "$module" "$output"
done
