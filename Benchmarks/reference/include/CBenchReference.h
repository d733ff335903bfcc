#ifndef TILL_BENCH_REFERENCE_H
#define TILL_BENCH_REFERENCE_H

#include <stddef.h>

// What a C programmer would write with libcrypto or SQLite for the same task. Functions that work answer 1 for success.

// SHA-256 and RSA verification with everything prepared: the least that any verifier with a cached chain must do.
typedef struct till_rsa_reference till_rsa_reference;

till_rsa_reference *till_rsa_reference_new(const unsigned char *public_key, size_t count);
void till_rsa_reference_free(till_rsa_reference *reference);
int till_rsa_reference_verify(till_rsa_reference *reference, const unsigned char *content, size_t content_count,
                              const unsigned char *signature, size_t signature_count);

// Where the signed content and the first signature of a receipt lie: they are copied out, to be freed by the caller.
typedef struct {
    unsigned char *bytes;
    size_t count;
} till_reference_bytes;

int till_receipt_parts(const unsigned char *receipt, size_t count, till_reference_bytes *content,
                       till_reference_bytes *signature);

// d2i_CMS_bio and CMS_verify against an X509_STORE, the way the manual shows.
typedef struct till_cms_reference till_cms_reference;

till_cms_reference *till_cms_reference_new(const unsigned char *root, size_t count);
void till_cms_reference_free(till_cms_reference *reference);
int till_cms_reference_verify(till_cms_reference *reference, const unsigned char *receipt, size_t count);

// One connection of SQLite with prepared statements, and so many savepoints of so many rows in one durable commit.
typedef struct till_sqlite_reference till_sqlite_reference;

till_sqlite_reference *till_sqlite_reference_new(const char *path);
void till_sqlite_reference_free(till_sqlite_reference *reference);
int till_sqlite_reference_commit(till_sqlite_reference *reference, int transactions, int rows,
                                 const unsigned char *content, int count);

// Connections of libpq, each with a thread that makes transactions of so many rows, one after the other, with prepared
// statements and values in binary form. A run gives how many it made, or -1 if it failed.
typedef struct till_postgres_reference till_postgres_reference;

till_postgres_reference *till_postgres_reference_new(const char *address, int connections);
void till_postgres_reference_free(till_postgres_reference *reference);
long long till_postgres_reference_run(till_postgres_reference *reference, double seconds, int rows,
                                      const unsigned char *content, int count);

#endif
