// The files of Sources/Store/StoreWeb/Resources, as the compiler found them.
#include "include/Resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "../../Store/StoreWeb/Resources/pages.css"
};
static const unsigned char console[] = {
#embed "../../Store/StoreWeb/Resources/console.css"
};
static const unsigned char storefront[] = {
#embed "../../Store/StoreWeb/Resources/storefront.css"
};
static const unsigned char script[] = {
#embed "../../Store/StoreWeb/Resources/pages.js"
};
static const unsigned char icon[] = {
#embed "../../Store/StoreWeb/Resources/icon.svg"
};

static const struct Resource files[] = {
    {"pages.css", style, sizeof style},
    {"console.css", console, sizeof console},
    {"storefront.css", storefront, sizeof storefront},
    {"pages.js", script, sizeof script},
    {"icon.svg", icon, sizeof icon},
};

const struct Resource *webFile(size_t number) { return number < sizeof files / sizeof files[0] ? &files[number] : 0; }
