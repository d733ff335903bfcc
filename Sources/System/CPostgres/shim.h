#ifndef TILL_CPOSTGRES_H
#define TILL_CPOSTGRES_H

#include <libpq-fe.h>

// Swift would see the letters that name the fields of an error as numbers of another width than the function takes.

static inline const char *till_postgres_sql_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
static inline const char *till_postgres_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *till_postgres_constraint(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

// What the server says beside its answers is of no use to anybody; libpq would print it.

static void till_postgres_ignore(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}
static inline void till_postgres_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, till_postgres_ignore, 0);
}

#endif
