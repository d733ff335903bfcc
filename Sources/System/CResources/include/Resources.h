#ifndef RESOURCES_H
#define RESOURCES_H

#include <stddef.h>

/// A file that the program carries. Its bytes last as long as the process.
struct Resource {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The picture of a product of the demo, counted from zero; null where there are no more.
const struct Resource *demoImage(size_t number);

/// A file of an item of the demo, counted from zero; null where there are no more.
const struct Resource *demoFile(size_t number);

/// A file that pages load, counted from zero; null where there are no more.
const struct Resource *webFile(size_t number);

#endif
