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

// One connection of SQLite with prepared statements, and so many rows in one durable commit: what turns of work write that
// need no scheduler.
typedef struct till_turns_reference till_turns_reference;

till_turns_reference *till_turns_reference_new(const char *path);
void till_turns_reference_free(till_turns_reference *reference);
int till_turns_reference_commit(till_turns_reference *reference, int rows);

// The record of a vault: the key is read from its file, the record from its own, and every entry is opened with one context.
// Gives how many entries there were, or -1 if one does not open.
int till_vault_reference_run(const char *key_path, const char *record_path);

// The rows of some tables of a database, read beforehand, and written into another with prepared statements in one durable
// commit.
typedef struct till_catalogue_reference till_catalogue_reference;

till_catalogue_reference *till_catalogue_reference_new(const char *source, const char *target, const char *const *tables,
                                                       int count);
void till_catalogue_reference_free(till_catalogue_reference *reference);
int till_catalogue_reference_run(till_catalogue_reference *reference);

// The words of a store's index of items in a table of FTS5, and its search with its own rank. Gives how many results there
// were, or -1 for a failure.
typedef struct till_search_reference till_search_reference;

till_search_reference *till_search_reference_new(const char *store, const char *path);
void till_search_reference_free(till_search_reference *reference);
int till_search_reference_run(till_search_reference *reference, const char *expression);

// Receipts in Base64, verified on several threads under a chain that was verified before: decoded, taken apart by
// ASN1_get_object where they lie, their certificates compared with those that are remembered, SHA-256 and RSA. (d2i_PKCS7
// would read three certificates each time, which takes OpenSSL 3 twenty times as long as all the rest.) The key is a
// SubjectPublicKeyInfo. A run gives how many it verified, or -1 if one is not valid.
typedef struct till_receipt_reference till_receipt_reference;

till_receipt_reference *till_receipt_reference_new(const unsigned char *key, size_t count);
int till_receipt_reference_add(till_receipt_reference *reference, const char *receipt);
void till_receipt_reference_free(till_receipt_reference *reference);
long long till_receipt_reference_run(const till_receipt_reference *reference, double seconds, int threads);

// Runs statements, each with a number for its parameter, on a file of SQLite that nobody else has open, without waiting for
// the disk and without keeping indexes meanwhile.
int till_sqlite_fill(const char *path, const char *const *statements, int count, long long number);

// 64 purchases at a time in a database of a store that nobody else has open: each step of all of them in one durable commit,
// and between them what the processor makes durable in a file of its own.
typedef struct till_purchase_reference till_purchase_reference;

till_purchase_reference *till_purchase_reference_new(const char *path, const char *log, long long next);
void till_purchase_reference_free(till_purchase_reference *reference);
int till_purchase_reference_run(till_purchase_reference *reference, int customers);

// Clients that buy, each on a connection of its own, one purchase after the other. A run gives how many were finished, or -1
// if an answer was none that a client can go on with.
typedef struct till_purchase_clients till_purchase_clients;

till_purchase_clients *till_purchase_clients_new(int port, int count);
void till_purchase_clients_free(till_purchase_clients *clients);
long long till_purchase_clients_run(till_purchase_clients *clients, double seconds);
// An answer that was wrong, if one was.
const char *till_purchase_clients_answer(const till_purchase_clients *clients);

// One connection that asks for the five transactions of a customer, whose numbers lie so far apart.
typedef struct till_lookup_reference till_lookup_reference;

till_lookup_reference *till_lookup_reference_new(const char *path);
void till_lookup_reference_free(till_lookup_reference *reference);
int till_lookup_reference_run(till_lookup_reference *reference, long long first, long long distance);

// Connections of libpq, each with a thread that makes transactions of so many rows, one after the other, with prepared
// statements and values in binary form. A run gives how many it made, or -1 if it failed.
typedef struct till_postgres_reference till_postgres_reference;

till_postgres_reference *till_postgres_reference_new(const char *address, int connections);
void till_postgres_reference_free(till_postgres_reference *reference);
long long till_postgres_reference_run(till_postgres_reference *reference, double seconds, int rows,
                                      const unsigned char *content, int count);

#endif
