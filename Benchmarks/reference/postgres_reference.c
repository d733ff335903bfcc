// For htobe64 and clock_gettime in ISO C.
#define _DEFAULT_SOURCE

#include "CBenchReference.h"

#include <endian.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct till_postgres_reference {
    int connection_count;
    PGconn **connections;
    atomic_llong next_id;
};

// One thread's share of a run.
typedef struct {
    till_postgres_reference *reference;
    PGconn *connection;
    double seconds;
    int rows;
    const unsigned char *content;
    int count;
    long long done;
    int failed;
} share;

static int run(PGconn *connection, const char *text) {
    PGresult *result = PQexec(connection, text);
    int ok = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return ok;
}

static int prepare(PGconn *connection) {
    static const Oid types[] = {20, 20, 20, 25, 20, 17};
    PGresult *result = PQprepare(connection, "insert",
                                 "INSERT INTO posting (id, customer_id, posted_at, kind, amount, content)"
                                 " VALUES ($1, $2, $3, $4, $5, $6)",
                                 6, types);
    int ok = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return ok;
}

till_postgres_reference *till_postgres_reference_new(const char *address, int connections) {
    till_postgres_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    reference->connections = calloc((size_t)connections, sizeof *reference->connections);
    for (int index = 0; reference->connections && index < connections; index++) {
        PGconn *connection = PQconnectdb(address);
        reference->connections[reference->connection_count++] = connection;
        int ready = PQstatus(connection) == CONNECTION_OK;
        if (ready && index == 0)
            ready = run(connection,
                        "CREATE TABLE posting (id BIGINT NOT NULL PRIMARY KEY, customer_id BIGINT NOT NULL,"
                        " posted_at BIGINT NOT NULL, kind TEXT COLLATE \"C\" NOT NULL, amount BIGINT NOT NULL,"
                        " content BYTEA NOT NULL)") &&
                    run(connection, "CREATE INDEX posting_customer ON posting (customer_id, posted_at)");
        if (!ready || !prepare(connection)) break;
        if (index == connections - 1) return reference;
    }
    till_postgres_reference_free(reference);
    return NULL;
}

void till_postgres_reference_free(till_postgres_reference *reference) {
    if (!reference) return;
    for (int index = 0; index < reference->connection_count; index++) PQfinish(reference->connections[index]);
    free(reference->connections);
    free(reference);
}

static int insert(share *share, long long id, int row) {
    int64_t numbers[] = {
        (int64_t)htobe64((uint64_t)id), (int64_t)htobe64((uint64_t)(id * 7919 % 10007)),
        (int64_t)htobe64((uint64_t)(1700000000000 + id)), (int64_t)htobe64((uint64_t)(100 * row)),
    };
    const char *kind = row % 2 ? "debit" : "credit";
    const char *values[] = {(char *)&numbers[0], (char *)&numbers[1], (char *)&numbers[2],
                            kind,                (char *)&numbers[3], (const char *)share->content};
    int lengths[] = {8, 8, 8, (int)strlen(kind), 8, share->count};
    static const int formats[] = {1, 1, 1, 1, 1, 1};
    PGresult *result = PQexecPrepared(share->connection, "insert", 6, values, lengths, formats, 1);
    int ok = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return ok;
}

static int transact(share *share) {
    long long first = atomic_fetch_add(&share->reference->next_id, share->rows) + 1;
    if (!run(share->connection, "BEGIN ISOLATION LEVEL SERIALIZABLE")) return 0;
    for (int row = 0; row < share->rows; row++)
        if (!insert(share, first + row, row)) return 0;
    return run(share->connection, "COMMIT");
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *context) {
    share *share = context;
    double end = now() + share->seconds;
    while (!share->failed && now() < end) {
        // What could not be serialised is begun again.
        if (transact(share)) {
            share->done++;
        } else if (!run(share->connection, "ROLLBACK")) {
            share->failed = 1;
        }
    }
    return NULL;
}

long long till_postgres_reference_run(till_postgres_reference *reference, double seconds, int rows,
                                      const unsigned char *content, int count) {
    int threads = reference->connection_count, failed = 0;
    share *shares = calloc((size_t)threads, sizeof *shares);
    pthread_t *running = calloc((size_t)threads, sizeof *running);
    long long done = 0;
    for (int index = 0; shares && running && index < threads; index++) {
        shares[index] = (share){reference, reference->connections[index], seconds, rows, content, count, 0, 0};
        if (pthread_create(&running[index], NULL, work, &shares[index])) abort();
    }
    for (int index = 0; shares && running && index < threads; index++) {
        pthread_join(running[index], NULL);
        done += shares[index].done;
        failed |= shares[index].failed;
    }
    free(running);
    free(shares);
    return failed ? -1 : done;
}
