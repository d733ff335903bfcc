// For fdatasync in ISO C.
#define _DEFAULT_SOURCE

#include "CBenchReference.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// In every text ?1 is the number of the purchase, ?2 that of its customer and device, ?3 a fresh text of 36 characters, and
// ?4 a hash. Times and the like are constants: they take as many bytes.
#define WORK(kind)                                                                                                     \
    "INSERT INTO work (clock_id, kind, subject, due_at, attempt) VALUES (-1, '" kind "', ?1, 1767323045000 + ?1, 0)"   \
    " ON CONFLICT (clock_id, kind, subject) DO UPDATE SET"                                                             \
    " due_at = excluded.due_at, attempt = 0, last_error = NULL, lease = NULL, leased_until = NULL"
#define NO_WORK(kind) "DELETE FROM work WHERE clock_id = -1 AND kind = '" kind "' AND subject = CAST(?1 AS TEXT)"
#define HISTORY(line, event, state)                                                                                    \
    "INSERT INTO purchase_history (purchase_id, number, at, event, state, detail, actor, request_id)"                  \
    " VALUES (?1, " line ", 1767323045000, '" event "', '" state "', NULL, 'customer', ?3)"
#define CHARGE_HISTORY(line, event, state)                                                                             \
    "INSERT INTO charge_history (charge_id, number, at, event, state, attempt, detail, actor, request_id)"             \
    " VALUES (?1, " line ", 1767323045000, '" event "', '" state "', 1, NULL, 'customer', ?3)"
#define POSTING(line, account, amount)                                                                                 \
    "INSERT INTO ledger_posting (entry_id, line, account, amount, currency) VALUES (?1, " line ", '" account           \
    "', " amount ", 'USD')"
#define STEP(state, transaction)                                                                                       \
    "UPDATE purchase SET state = '" state "', failure = NULL, transaction_id = " transaction                           \
    ", changed_at = 1767323045000, expires_at = 1767323045000, code = NULL, confirmation_hash = NULL,"                 \
    " history_count = history_count + 1 WHERE id = ?1"
#define CHARGE_STEP(state, capture)                                                                                    \
    "UPDATE charge SET state = '" state "', failure = NULL, attempt = 1, authorisation = 'test_' || ?1, capture = "    \
    capture ", action_url = NULL, changed_at = 1767323045000, expires_at = 1767323045000, payment_method_id = ?2,"     \
    " history_count = history_count + 1 WHERE id = ?1"

// A text for each statement; NULL ends a step, which is durable before the next begins.
static const char *const texts[] = {
    "INSERT INTO purchase (id, device_id, purchase_key, fingerprint, customer_id, app_id, bundle_id, item_id, product_id,"
    " kind, period, group_id, quantity, storefront, unit_price, total, currency, account_token, state, code,"
    " confirmation_hash, opened_at, changed_at, expires_at, history_count)"
    " VALUES (?1, ?2, ?3, ?4, ?2, 42, 'com.example.monkey', 1006, 'com.example.monkey.coins', 'Consumable', NULL, NULL, 1,"
    " 'USA', 199, 199, 'USD', NULL, 'confirmation', substr(?3, 1, 9), ?4, 1767323045000, 1767323045000, 1767323045000, 1)",
    WORK("purchase"), HISTORY("1", "opened", "confirmation"), NULL,
    "INSERT INTO sale_order (id, origin, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind, quantity,"
    " storefront, unit_price, currency, total, commission, request_id, ordered_at)"
    " VALUES (?1, 'purchase', ?2, ?2, 42, 'com.example.monkey', 1006, 'com.example.monkey.coins', 'Consumable', 1, 'USA',"
    " 199, 'USD', 199, 60, ?3, 1767323045000)",
    "UPDATE customer SET clock_id = clock_id WHERE id = ?2",
    "INSERT INTO charge (id, customer_id, payer_id, item_id, is_owned_once, payment_method_id, description, amount,"
    " currency, is_attended, state, attempt, refunded, opened_at, changed_at, expires_at, history_count)"
    " VALUES (?1, ?2, ?2, 1006, 0, ?2, 'com.example.monkey com.example.monkey.coins', 199, 'USD', 1, 'authorising', 1, 0,"
    " 1767323045000, 1767323045000, 1767323045000, 0)",
    WORK("charge"), STEP("charging", "NULL"), NO_WORK("purchase"), HISTORY("2", "confirmed", "charging"), NULL,
    CHARGE_STEP("capturing", "NULL"), WORK("charge"), CHARGE_HISTORY("1", "authorised", "capturing"), NULL,
    CHARGE_STEP("captured", "'test_' || ?1"), NO_WORK("charge"), CHARGE_HISTORY("2", "captured", "captured"),
    "INSERT INTO store_transaction (id, original_id, order_id, restored_id, customer_id, device_id, app_id, bundle_id,"
    " item_id, product_id, kind, quantity, purchase_date, original_purchase_date, expires_date, web_order_line_item_id,"
    " group_id, storefront, price, currency, account_token, reason)"
    " VALUES (2000000000000000 + ?1, 2000000000000000 + ?1, ?1, NULL, ?2, ?2, 42, 'com.example.monkey', 1006,"
    " 'com.example.monkey.coins', 'Consumable', 1, 1767323045000, 1767323045000, NULL, NULL, NULL, 'USA', 199, 'USD', NULL,"
    " 'PURCHASE')",
    "INSERT INTO transaction_revision (transaction_id, customer_id, app_id, revision) VALUES (2000000000000000 + ?1, ?2, 42,"
    " (SELECT coalesce(max(revision), 0) + 1 FROM transaction_revision WHERE customer_id = ?2 AND app_id = 42))",
    "INSERT INTO ledger_entry (id, kind, subject, transaction_id, at)"
    " VALUES (?1, 'sale', ?1, 2000000000000000 + ?1, 1767323045000)",
    POSTING("1", "processor", "199"), POSTING("2", "commission", "-60"), POSTING("3", "proceeds/42", "-139"),
    STEP("purchased", "2000000000000000 + ?1"), HISTORY("3", "captured", "purchased"),
    "UPDATE customer SET clock_id = clock_id WHERE id = ?2",
    "INSERT INTO customer_event (customer_id, app_id, number, device_id, kind, purchase_id, transaction_id, at, written_at)"
    " VALUES (?2, 42, (SELECT coalesce(max(number), 0) + 1 FROM customer_event WHERE customer_id = ?2 AND app_id = 42),"
    " ?2, 'transaction', ?1, 2000000000000000 + ?1, 1767323045000, 1767323045000)",
    NULL,
    "INSERT INTO transaction_finish (transaction_id, device_id, finished_at)"
    " VALUES (2000000000000000 + ?1, ?2, 1767323045000) ON CONFLICT (transaction_id) DO NOTHING",
    NULL,
};

enum { text_count = sizeof texts / sizeof *texts };

// After these steps the processor makes its own record durable.
static const char *const processor_calls[] = {NULL, "authorise", "capture", NULL, NULL};

struct till_purchase_reference {
    sqlite3 *connection;
    sqlite3_stmt *begin, *commit, *savepoint, *release, *statements[text_count];
    int log;
    long long next;
};

static int prepare(till_purchase_reference *reference, const char *text, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(reference->connection, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

till_purchase_reference *till_purchase_reference_new(const char *path, const char *log, long long next) {
    till_purchase_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    reference->next = next;
    reference->log = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    int ready = reference->log >= 0 &&
                sqlite3_open_v2(path, &reference->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
                    SQLITE_OK &&
                sqlite3_exec(reference->connection,
                             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF;"
                             "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768", NULL, NULL,
                             NULL) == SQLITE_OK &&
                prepare(reference, "BEGIN IMMEDIATE", &reference->begin) &&
                prepare(reference, "COMMIT", &reference->commit) &&
                prepare(reference, "SAVEPOINT one", &reference->savepoint) &&
                prepare(reference, "RELEASE one", &reference->release);
    for (int index = 0; ready && index < text_count; index++)
        if (texts[index]) ready = prepare(reference, texts[index], &reference->statements[index]);
    if (ready) return reference;
    till_purchase_reference_free(reference);
    return NULL;
}

void till_purchase_reference_free(till_purchase_reference *reference) {
    sqlite3_finalize(reference->begin);
    sqlite3_finalize(reference->commit);
    sqlite3_finalize(reference->savepoint);
    sqlite3_finalize(reference->release);
    for (int index = 0; index < text_count; index++) sqlite3_finalize(reference->statements[index]);
    sqlite3_close_v2(reference->connection);
    close(reference->log);
    free(reference);
}

static int run(sqlite3_stmt *statement) {
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {}
    sqlite3_reset(statement);
    return result == SQLITE_DONE;
}

static int run_bound(sqlite3_stmt *statement, long long purchase, int customer, const char *text) {
    int count = sqlite3_bind_parameter_count(statement);
    if (count >= 1) sqlite3_bind_int64(statement, 1, purchase);
    if (count >= 2) sqlite3_bind_int64(statement, 2, customer);
    if (count >= 3) sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
    if (count >= 4) sqlite3_bind_blob(statement, 4, text, 32, SQLITE_STATIC);
    return run(statement);
}

// One step of all purchases, each in a savepoint, in one durable commit. Gives the place after it, or -1.
static int step(till_purchase_reference *reference, int start, int customers) {
    int end = start;
    while (texts[end]) end++;
    if (!run(reference->begin)) return -1;
    for (int customer = 1; customer <= customers; customer++) {
        long long purchase = reference->next + customer;
        char text[37];
        snprintf(text, sizeof text, "%08llx-0000-4000-8000-%012llx", purchase * 2654435761 % 4294967296, purchase);
        if (!run(reference->savepoint)) return -1;
        for (int index = start; index < end; index++)
            if (!run_bound(reference->statements[index], purchase, customer, text)) return -1;
        if (!run(reference->release)) return -1;
    }
    return run(reference->commit) ? end + 1 : -1;
}

static int log_calls(till_purchase_reference *reference, const char *call, int customers) {
    char *lines = malloc((size_t)customers * 256), *end = lines;
    if (!lines) return 0;
    for (int customer = 1; customer <= customers; customer++)
        end += snprintf(end, 256,
                        "{\"n\":%lld,\"kind\":\"%s\",\"key\":\"charge/%lld/1/%s\",\"amount\":199,\"currency\":\"USD\","
                        "\"method\":\"test_approved\",\"description\":\"com.example.monkey com.example.monkey.coins\","
                        "\"result\":\"approved\"}\n",
                        reference->next + customer, call, reference->next + customer, call);
    int done = write(reference->log, lines, (size_t)(end - lines)) == end - lines && fdatasync(reference->log) == 0;
    free(lines);
    return done;
}

int till_purchase_reference_run(till_purchase_reference *reference, int customers) {
    int place = 0;
    for (int number = 0; place >= 0 && place < text_count; number++) {
        place = step(reference, place, customers);
        if (place >= 0 && processor_calls[number] && !log_calls(reference, processor_calls[number], customers)) return 0;
    }
    reference->next += customers;
    return place == text_count;
}
