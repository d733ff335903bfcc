#include "include/SecretService.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What libsecret and GLib declare in headers that building does without; the layout is part of their promise. */
typedef struct {
    uint32_t domain;
    int code;
    char *message;
} glib_error;

typedef struct {
    const char *name;
    int type;
} schema_attribute;

typedef struct {
    const char *name;
    int flags;
    schema_attribute attributes[32];
    int reserved;
    void *more[7];
} secret_schema;

static const secret_schema schema = {
    .name = "till.PurchaseVault",
    .flags = 0,
    .attributes = {{"vault", 0}, {NULL, 0}},
};

static struct {
    /* They take any number of arguments, and are called as such. */
    char *(*lookup)(const secret_schema *, void *, glib_error **, ...);
    int (*store)(const secret_schema *, const char *, const char *, const char *, void *, glib_error **, ...);
    void (*free_secret)(char *);
    void (*free_error)(glib_error *);
    int is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    /* Never closed: GLib has threads of its own from its first use on. */
    void *handle = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    *(void **)&library.lookup = dlsym(handle, "secret_password_lookup_sync");
    *(void **)&library.store = dlsym(handle, "secret_password_store_sync");
    *(void **)&library.free_secret = dlsym(handle, "secret_password_free");
    *(void **)&library.free_error = dlsym(handle, "g_error_free");
    library.is_complete = library.lookup && library.store && library.free_secret && library.free_error;
}

static int is_loaded(char *reason, size_t size) {
    pthread_once(&once, load);
    if (!library.is_complete) snprintf(reason, size, "libsecret-1.so.0 is not installed");
    return library.is_complete;
}

static void take_reason(glib_error *error, char *reason, size_t size) {
    snprintf(reason, size, "%s", error && error->message ? error->message : "no reason was given");
    if (error) library.free_error(error);
}

int till_secret_lookup(const char *vault, char *secret, size_t secret_size, char *reason, size_t reason_size) {
    if (!is_loaded(reason, reason_size)) return TILL_SECRET_UNAVAILABLE;
    glib_error *error = NULL;
    char *found = library.lookup(&schema, NULL, &error, "vault", vault, (void *)NULL);
    if (error) {
        take_reason(error, reason, reason_size);
        return TILL_SECRET_FAILED;
    }
    if (!found) return TILL_SECRET_MISSING;
    int fits = strlen(found) < secret_size;
    if (fits) {
        strcpy(secret, found);
    } else {
        snprintf(reason, reason_size, "the secret is longer than a key");
    }
    library.free_secret(found);
    return fits ? TILL_SECRET_DONE : TILL_SECRET_FAILED;
}

int till_secret_store(const char *vault, const char *label, const char *secret, char *reason, size_t reason_size) {
    if (!is_loaded(reason, reason_size)) return TILL_SECRET_UNAVAILABLE;
    glib_error *error = NULL;
    /* The collection that the person has chosen for such things. */
    int stored = library.store(&schema, "default", label, secret, NULL, &error, "vault", vault, (void *)NULL);
    if (stored && !error) return TILL_SECRET_DONE;
    take_reason(error, reason, reason_size);
    return TILL_SECRET_FAILED;
}
