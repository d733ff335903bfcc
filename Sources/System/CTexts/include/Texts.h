#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

/// The texts of one language. Its bytes last as long as the process.
struct TextFile {
    const char *language;
    const unsigned char *bytes;
    size_t count;
};

/// The file of a number, counted from zero; null where there are no more.
const struct TextFile *textFile(size_t number);

#endif
