// For strdup in ISO C.
#define _DEFAULT_SOURCE

#include "CBenchReference.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The texts of all indexes that can be dropped, to be freed by the caller, separated by semicolons.
static char *indexes(sqlite3 *connection) {
    sqlite3_stmt *statement = NULL;
    char *texts = NULL;
    if (sqlite3_prepare_v2(connection,
                           "SELECT coalesce(group_concat(sql, ';'), ''), coalesce(group_concat('DROP INDEX ' || name, ';'), '')"
                           " FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
                           -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        texts = strdup((const char *)sqlite3_column_text(statement, 0));
        char *drops = strdup((const char *)sqlite3_column_text(statement, 1));
        sqlite3_finalize(statement);
        statement = NULL;
        if (!texts || !drops || sqlite3_exec(connection, drops, NULL, NULL, NULL) != SQLITE_OK) {
            free(texts);
            texts = NULL;
        }
        free(drops);
    }
    sqlite3_finalize(statement);
    return texts;
}

static int run(sqlite3 *connection, const char *text, long long number) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(connection, text, -1, &statement, NULL) != SQLITE_OK) return 0;
    sqlite3_bind_int64(statement, 1, number);
    int done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done;
}

int till_sqlite_fill(const char *path, const char *const *statements, int count, long long number) {
    sqlite3 *connection = NULL;
    int done = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
               sqlite3_exec(connection,
                            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
                            "PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY",
                            NULL, NULL, NULL) == SQLITE_OK;
    char *texts = done ? indexes(connection) : NULL;
    done = texts != NULL;
    for (int index = 0; done && index < count; index++) done = run(connection, statements[index], number);
    done = done && sqlite3_exec(connection, texts, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(connection, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) == SQLITE_OK;
    free(texts);
    sqlite3_close_v2(connection);
    return done;
}
