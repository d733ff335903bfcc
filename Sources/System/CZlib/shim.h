#ifndef TILL_CZLIB_H
#define TILL_CZLIB_H

#include <zlib.h>

// Swift does not see function-like macros; each has its one line here. 16 more window bits mean the format of gzip.

static inline int till_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int till_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// Window bits of 15 mean zlib's own format, of -15 the bare data of deflate.
static inline int till_deflate_begin(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
static inline int till_inflate_begin(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

#endif
