#include "CBenchReference.h"

#include <sqlite3.h>
#include <stdlib.h>

struct till_search_reference {
    sqlite3 *connection;
    sqlite3_stmt *search;
};

// The words of a store's index, in a table of FTS5 as its manual shows it.
static const char copy[] =
    "CREATE VIRTUAL TABLE text USING fts5 (name, maker, collection, details);"
    "INSERT INTO text (rowid, name, maker, collection, details)"
    " SELECT rowid, name, maker, collection, details FROM store.search_text;"
    "INSERT INTO text (text) VALUES ('optimize'); DETACH store;";

till_search_reference *till_search_reference_new(const char *store, const char *path) {
    till_search_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    char *attach = sqlite3_mprintf("ATTACH %Q AS store", store);
    int is_open = sqlite3_open_v2(path, &reference->connection, flags, NULL) == SQLITE_OK &&
                  sqlite3_exec(reference->connection, attach, NULL, NULL, NULL) == SQLITE_OK &&
                  sqlite3_exec(reference->connection, copy, NULL, NULL, NULL) == SQLITE_OK &&
                  sqlite3_prepare_v2(reference->connection, "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rank LIMIT 50",
                                     -1, &reference->search, NULL) == SQLITE_OK;
    sqlite3_free(attach);
    if (is_open) return reference;
    till_search_reference_free(reference);
    return NULL;
}

void till_search_reference_free(till_search_reference *reference) {
    if (!reference) return;
    sqlite3_finalize(reference->search);
    sqlite3_close_v2(reference->connection);
    free(reference);
}

int till_search_reference_run(till_search_reference *reference, const char *expression) {
    sqlite3_bind_text(reference->search, 1, expression, -1, SQLITE_STATIC);
    int rows = 0, result;
    while ((result = sqlite3_step(reference->search)) == SQLITE_ROW) rows++;
    sqlite3_reset(reference->search);
    return result == SQLITE_DONE ? rows : -1;
}
