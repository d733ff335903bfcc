#ifndef TILL_CGD_H
#define TILL_CGD_H

#include <gd.h>

// What is wrong with a picture is an error of the app, not a line of libgd on standard error.
static inline void till_ignore_message(int priority, const char *format, va_list arguments) {
    (void)priority, (void)format, (void)arguments;
}
static inline void till_silence_gd(void) { gdSetErrorMethod(till_ignore_message); }

#endif
