/* The Secret Service, which keeps the passwords of a desktop session, through libsecret.
 *
 * The library is loaded when it is first asked for something: a program that uses this starts on machines that do not
 * have it. */
#ifndef TILL_SECRET_SERVICE_H
#define TILL_SECRET_SERVICE_H

#include <stddef.h>

/* What the functions below answer. */
enum {
    TILL_SECRET_DONE = 1,
    TILL_SECRET_MISSING = 0,
    TILL_SECRET_UNAVAILABLE = -1,
    TILL_SECRET_FAILED = -2,
};

/* Copies the secret that is kept for a vault, with the zero behind it. Where it failed, the reason is copied. */
int till_secret_lookup(const char *vault, char *secret, size_t secret_size, char *reason, size_t reason_size);

/* Keeps a secret for a vault, in the place of the one that is there. People know it by its label. */
int till_secret_store(const char *vault, const char *label, const char *secret, char *reason, size_t reason_size);

#endif
