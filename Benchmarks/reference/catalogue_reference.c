#include "CBenchReference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The rows of a database as values of SQLite, table by table.
struct till_catalogue_reference {
    sqlite3 *target;
    int tables;
    sqlite3_stmt **inserts;
    sqlite3_value ***rows;
    int *counts, *widths;
};

static int read_table(till_catalogue_reference *reference, sqlite3 *source, const char *table, int index) {
    char text[4096];
    snprintf(text, sizeof text, "SELECT * FROM %s", table);
    sqlite3_stmt *select;
    if (sqlite3_prepare_v2(source, text, -1, &select, NULL) != SQLITE_OK) return 0;
    int width = sqlite3_column_count(select), room = 0, count = 0;
    sqlite3_value **rows = NULL;
    while (sqlite3_step(select) == SQLITE_ROW) {
        if (count == room) {
            room = room ? room * 2 : 1024;
            rows = realloc(rows, sizeof *rows * (size_t)(room * width));
            if (!rows) return 0;
        }
        for (int column = 0; column < width; column++)
            rows[count * width + column] = sqlite3_value_dup(sqlite3_column_value(select, column));
        count++;
    }
    sqlite3_finalize(select);
    int length = snprintf(text, sizeof text, "INSERT INTO %s VALUES (?", table);
    for (int column = 1; column < width; column++) length += snprintf(text + length, sizeof text - (size_t)length, ",?");
    snprintf(text + length, sizeof text - (size_t)length, ")");
    reference->rows[index] = rows;
    reference->counts[index] = count;
    reference->widths[index] = width;
    return sqlite3_prepare_v3(reference->target, text, -1, SQLITE_PREPARE_PERSISTENT, &reference->inserts[index], NULL) ==
           SQLITE_OK;
}

till_catalogue_reference *till_catalogue_reference_new(const char *source, const char *target, const char *const *tables,
                                                       int count) {
    till_catalogue_reference *reference = calloc(1, sizeof *reference);
    sqlite3 *connection = NULL;
    if (!reference) return NULL;
    reference->tables = count;
    reference->inserts = calloc((size_t)count, sizeof *reference->inserts);
    reference->rows = calloc((size_t)count, sizeof *reference->rows);
    reference->counts = calloc((size_t)count, sizeof *reference->counts);
    reference->widths = calloc((size_t)count, sizeof *reference->widths);
    int isRead = sqlite3_open_v2(target, &reference->target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
                 sqlite3_exec(reference->target, "PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF", NULL, NULL, NULL) ==
                     SQLITE_OK &&
                 sqlite3_open_v2(source, &connection, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    for (int index = 0; index < count && isRead; index++) isRead = read_table(reference, connection, tables[index], index);
    sqlite3_close_v2(connection);
    if (isRead) return reference;
    till_catalogue_reference_free(reference);
    return NULL;
}

void till_catalogue_reference_free(till_catalogue_reference *reference) {
    if (!reference) return;
    for (int table = 0; table < reference->tables; table++) {
        sqlite3_finalize(reference->inserts[table]);
        for (int value = 0; value < reference->counts[table] * reference->widths[table]; value++)
            sqlite3_value_free(reference->rows[table][value]);
        free(reference->rows[table]);
    }
    free(reference->inserts);
    free(reference->rows);
    free(reference->counts);
    free(reference->widths);
    sqlite3_close_v2(reference->target);
    free(reference);
}

int till_catalogue_reference_run(till_catalogue_reference *reference) {
    if (sqlite3_exec(reference->target, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 0;
    for (int table = 0; table < reference->tables; table++) {
        sqlite3_stmt *insert = reference->inserts[table];
        int width = reference->widths[table];
        for (int row = 0; row < reference->counts[table]; row++) {
            for (int column = 0; column < width; column++)
                sqlite3_bind_value(insert, column + 1, reference->rows[table][row * width + column]);
            if (sqlite3_step(insert) != SQLITE_DONE) return 0;
            sqlite3_reset(insert);
        }
    }
    return sqlite3_exec(reference->target, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}
