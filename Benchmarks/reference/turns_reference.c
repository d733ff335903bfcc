#include "CBenchReference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct till_turns_reference {
    sqlite3 *connection;
    sqlite3_stmt *begin, *commit, *insert;
    long long number;
};

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768;"
    "CREATE TABLE done (subject TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID, STRICT;";

static int prepare(till_turns_reference *reference, const char *text, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(reference->connection, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

till_turns_reference *till_turns_reference_new(const char *path) {
    till_turns_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &reference->connection, flags, NULL) == SQLITE_OK &&
        sqlite3_exec(reference->connection, schema, NULL, NULL, NULL) == SQLITE_OK &&
        prepare(reference, "BEGIN IMMEDIATE", &reference->begin) && prepare(reference, "COMMIT", &reference->commit) &&
        prepare(reference, "INSERT INTO done (subject, at) VALUES (?, ?)", &reference->insert))
        return reference;
    till_turns_reference_free(reference);
    return NULL;
}

void till_turns_reference_free(till_turns_reference *reference) {
    if (!reference) return;
    sqlite3_finalize(reference->begin);
    sqlite3_finalize(reference->commit);
    sqlite3_finalize(reference->insert);
    sqlite3_close_v2(reference->connection);
    free(reference);
}

static int run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE;
}

int till_turns_reference_commit(till_turns_reference *reference, int rows) {
    if (!run(reference->begin)) return 0;
    for (int row = 0; row < rows; row++) {
        char subject[32];
        long long number = ++reference->number;
        int count = snprintf(subject, sizeof subject, "subscription/%lld", number);
        sqlite3_bind_text(reference->insert, 1, subject, count, SQLITE_STATIC);
        sqlite3_bind_int64(reference->insert, 2, 1700000000000 + number);
        if (!run(reference->insert)) return 0;
    }
    return run(reference->commit);
}
