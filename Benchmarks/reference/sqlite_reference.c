#include "CBenchReference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct till_sqlite_reference {
    sqlite3 *connection;
    sqlite3_stmt *begin, *commit, *savepoint, *release, *insert;
    long long id;
};

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF;"
    "CREATE TABLE posting (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, posted_at INTEGER NOT NULL,"
    " kind TEXT NOT NULL, amount INTEGER NOT NULL, content BLOB NOT NULL) STRICT;"
    "CREATE INDEX posting_customer ON posting (customer_id, posted_at);";

static int prepare(till_sqlite_reference *reference, const char *text, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(reference->connection, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

till_sqlite_reference *till_sqlite_reference_new(const char *path) {
    till_sqlite_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &reference->connection, flags, NULL) == SQLITE_OK &&
        sqlite3_exec(reference->connection, schema, NULL, NULL, NULL) == SQLITE_OK &&
        prepare(reference, "BEGIN IMMEDIATE", &reference->begin) && prepare(reference, "COMMIT", &reference->commit) &&
        prepare(reference, "SAVEPOINT one", &reference->savepoint) &&
        prepare(reference, "RELEASE one", &reference->release) &&
        prepare(reference,
                "INSERT INTO posting (id, customer_id, posted_at, kind, amount, content) VALUES (?, ?, ?, ?, ?, ?)",
                &reference->insert))
        return reference;
    till_sqlite_reference_free(reference);
    return NULL;
}

void till_sqlite_reference_free(till_sqlite_reference *reference) {
    if (!reference) return;
    sqlite3_finalize(reference->begin);
    sqlite3_finalize(reference->commit);
    sqlite3_finalize(reference->savepoint);
    sqlite3_finalize(reference->release);
    sqlite3_finalize(reference->insert);
    sqlite3_close_v2(reference->connection);
    free(reference);
}

static int run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE;
}

static int insert(till_sqlite_reference *reference, int row, const unsigned char *content, int count) {
    sqlite3_stmt *statement = reference->insert;
    long long id = ++reference->id;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, id * 7919 % 10007);
    sqlite3_bind_int64(statement, 3, 1700000000000 + id);
    sqlite3_bind_text(statement, 4, row % 2 ? "debit" : "credit", -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 5, 100 * row);
    sqlite3_bind_blob(statement, 6, content, count, SQLITE_STATIC);
    return run(statement);
}

int till_sqlite_reference_commit(till_sqlite_reference *reference, int transactions, int rows,
                                 const unsigned char *content, int count) {
    if (!run(reference->begin)) return 0;
    for (int transaction = 0; transaction < transactions; transaction++) {
        if (!run(reference->savepoint)) return 0;
        for (int row = 0; row < rows; row++)
            if (!insert(reference, row, content, count)) return 0;
        if (!run(reference->release)) return 0;
    }
    return run(reference->commit);
}
