import StoreDatabase

/// The tables of what developers' servers are told.
///
/// A notification is a row that is written in the transaction of what it tells of, and never written again but for how its
/// delivery stands. What was tried is written once.
enum NotificationTables {
    static let statements: [SQL] = [
        // Where the notifications of an app go; types are words between spaces, NULL for all.
        """
        CREATE TABLE notification_setting (
            app_id \(.integer) NOT NULL PRIMARY KEY, url \(.text) NOT NULL, version \(.integer) NOT NULL,
            types \(.text), retries \(.integer) NOT NULL, set_at \(.integer) NOT NULL, actor \(.text) NOT NULL
        ) \(.table)
        """,
        // Content is what is signed, as it was when it happened, in JSON; signed_at is signedDate. A stream is a subscription,
        // a transaction or an app: its first attempts go out in order.
        """
        CREATE TABLE notification (
            stream \(.text) NOT NULL, number \(.integer) NOT NULL, uuid \(.text) NOT NULL,
            app_id \(.integer) NOT NULL, customer_id \(.integer), clock_id \(.integer) NOT NULL,
            transaction_id \(.integer), original_id \(.integer), type \(.text) NOT NULL, subtype \(.text),
            content \(.bytes) NOT NULL, signed_at \(.integer) NOT NULL, written_at \(.integer) NOT NULL,
            state \(.text) NOT NULL, version \(.integer) NOT NULL, attempts \(.integer) NOT NULL,
            attempted_at \(.integer), next_at \(.integer), lease \(.text), leased_until \(.integer),
            PRIMARY KEY (stream, number)
        ) \(.keyedTable)
        """,
        "CREATE UNIQUE INDEX notification_uuid ON notification (uuid)",
        "CREATE INDEX notification_waiting ON notification (app_id, written_at) WHERE state IN ('waiting', 'due')",
        "CREATE INDEX notification_of_app ON notification (app_id, signed_at, uuid)",
        "CREATE INDEX notification_written ON notification (written_at, uuid)",
        "CREATE INDEX notification_of_customer ON notification (customer_id, signed_at, uuid)",
        // What a receiver answered; at is by the clock of whom it concerns.
        """
        CREATE TABLE notification_attempt (
            stream \(.text) NOT NULL, notification_number \(.integer) NOT NULL, receiver \(.text) NOT NULL,
            number \(.integer) NOT NULL, at \(.integer) NOT NULL, wall_at \(.integer) NOT NULL,
            result \(.text) NOT NULL, status \(.integer), detail \(.text), milliseconds \(.integer) NOT NULL,
            PRIMARY KEY (stream, notification_number, receiver, number)
        ) \(.keyedTable)
        """,
        // Receivers on developers' machines that ask by themselves, for as long as they are heard of. Without an app they
        // hear of all that their team has.
        """
        CREATE TABLE notification_listener (
            id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer), name \(.text), actor \(.text) NOT NULL,
            begun_at \(.integer) NOT NULL, leased_until \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX notification_listener_lease ON notification_listener (leased_until)",
        // What a listener has not answered yet.
        """
        CREATE TABLE notification_for_listener (
            listener_id \(.integer) NOT NULL, stream \(.text) NOT NULL, notification_number \(.integer) NOT NULL,
            written_at \(.integer) NOT NULL,
            PRIMARY KEY (listener_id, stream, notification_number)
        ) \(.keyedTable)
        """,
    ]

    /// First attempts before later ones, and whose listeners there are; a listener of whoever sees all teams has none.
    static let turns: [SQL] = [
        "DROP INDEX notification_waiting",
        """
        CREATE INDEX notification_waiting ON notification (app_id, state DESC, written_at)
        WHERE state IN ('waiting', 'due')
        """,
        "ALTER TABLE notification_listener ADD COLUMN team_id \(.text)",
    ]

    /// Lists of an app in the order of writing.
    static let lists: [SQL] = [
        "CREATE INDEX notification_of_app_written ON notification (app_id, written_at, uuid)"
    ]
}
