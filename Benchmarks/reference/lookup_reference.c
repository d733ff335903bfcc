#include "CBenchReference.h"

#include <sqlite3.h>
#include <stdlib.h>

struct till_lookup_reference {
    sqlite3 *connection;
    sqlite3_stmt *begin, *commit, *lookup;
};

// What verifyReceipt asks for the five transactions of a customer.
static const char text[] =
    "SELECT store_transaction.id, store_transaction.customer_id, store_transaction.app_id, store_transaction.group_id,"
    " store_transaction.account_token, transaction_revocation.reason, transaction_revocation.revoked_at,"
    " transaction_revocation.refund_id, customer.deleted_at"
    " FROM store_transaction LEFT JOIN customer ON customer.id = store_transaction.customer_id"
    " LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id"
    " WHERE store_transaction.id IN (?1, ?2, ?3, ?4, ?5)";

till_lookup_reference *till_lookup_reference_new(const char *path) {
    till_lookup_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    if (sqlite3_open_v2(path, &reference->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(reference->connection, "BEGIN", -1, &reference->begin, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(reference->connection, "COMMIT", -1, &reference->commit, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(reference->connection, text, -1, &reference->lookup, NULL) == SQLITE_OK)
        return reference;
    till_lookup_reference_free(reference);
    return NULL;
}

void till_lookup_reference_free(till_lookup_reference *reference) {
    sqlite3_finalize(reference->begin);
    sqlite3_finalize(reference->commit);
    sqlite3_finalize(reference->lookup);
    sqlite3_close_v2(reference->connection);
    free(reference);
}

static int run(sqlite3_stmt *statement) {
    int rows = 0, result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) rows++;
    sqlite3_reset(statement);
    return result == SQLITE_DONE ? rows : -1;
}

int till_lookup_reference_run(till_lookup_reference *reference, long long first, long long distance) {
    for (int index = 0; index < 5; index++)
        sqlite3_bind_int64(reference->lookup, index + 1, first + index * distance);
    return run(reference->begin) == 0 && run(reference->lookup) == 5 && run(reference->commit) == 0;
}
