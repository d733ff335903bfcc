/// The SQL of the ledger of fulfilments, for programs in other languages.
public enum FulfilmentSQL {
    /// The tables and statements for an engine, with comments that say how a program uses them.
    ///
    /// Each statement has a name, in a line `-- name: …`, and ends with a semicolon, of which it has no others.
    public static func text(_ dialect: SQLDialect) -> String {
        """
        -- Exactly-once fulfilment, in the database of your own server.
        --
        -- Not to be run as a whole: the tables (1) are made once, and a program runs each of the others with its parameters.
        --
        -- Each statement has the parameters that its name lists, $1 first, in the order in which it uses them:
        --   environment     'production' or 'sandbox'
        --   transaction_id  the id of the transaction, as text
        --   is_held         1, or 0 if the transaction has a revocation date or was upgraded
        --   stated_at       when the store signed that, in milliseconds since 1970
        --   fulfilled_at    now, in milliseconds since 1970

        -- 1. The tables, made once.
        \(named(["table_of_transactions", "table_of_revisions"], tables(dialect)))

        -- 2. Begin the transaction in which you give what was bought, and note what the store says. A statement that is
        --    older than the one that is known changes nothing.
        -- name: begin
        \(begin(dialect));

        -- name: state (environment, transaction_id, is_held, stated_at)
        \(state);

        -- 3. Ask whether it is yours to fulfil. A row: do what its act says in this transaction, and keep a result.
        --    If the act is null, there is nothing to do: it was taken back before you heard of it. No row: it was done.
        -- name: claim (fulfilled_at, environment, transaction_id)
        \(claim);

        -- name: keep (result, environment, transaction_id, revision)
        \(keep);

        -- 4. Write it. If the connection breaks meanwhile, begin again at 2, which finds it or does it.
        -- name: commit
        COMMIT;

        -- What was done last, with its result.
        -- name: newest (environment, transaction_id)
        \(newest);

        -- Everything that was done, oldest first.
        -- name: history (environment, transaction_id)
        \(history);

        """
    }

    private static func named(_ names: [String], _ texts: [String]) -> String {
        zip(names, texts).map { "-- name: \($0)\n\($1);" }.joined(separator: "\n\n")
    }

    static func begin(_ dialect: SQLDialect) -> String {
        switch dialect {
        // The lock is taken at once: a transaction that reads first may not be let write later.
        case .sqlite: "BEGIN IMMEDIATE"
        // The row of a transaction is locked by the first statement, which is all that is needed.
        case .postgres: "BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    }

    static func tables(_ dialect: SQLDialect) -> [String] {
        let (number, end) =
            switch dialect {
            case .sqlite: ("INTEGER", " STRICT, WITHOUT ROWID")
            case .postgres: ("BIGINT", "")
            }
        return [
            """
            CREATE TABLE IF NOT EXISTS till_fulfilment (
                environment TEXT NOT NULL, transaction_id TEXT NOT NULL,
                revision \(number) NOT NULL, is_held \(number) NOT NULL, stated_at \(number) NOT NULL,
                PRIMARY KEY (environment, transaction_id)
            )\(end)
            """,
            """
            CREATE TABLE IF NOT EXISTS till_fulfilment_revision (
                environment TEXT NOT NULL, transaction_id TEXT NOT NULL, revision \(number) NOT NULL,
                act TEXT CHECK (act IN ('grant', 'take_back')), result TEXT,
                is_held \(number) NOT NULL, stated_at \(number) NOT NULL, fulfilled_at \(number) NOT NULL,
                PRIMARY KEY (environment, transaction_id, revision)
            )\(end)
            """,
        ]
    }

    /// Notes what the store says if it is newer, and locks the row in any case.
    static let state = """
        INSERT INTO till_fulfilment (environment, transaction_id, revision, is_held, stated_at)
        VALUES ($1, $2, 1, $3, $4)
        ON CONFLICT (environment, transaction_id) DO UPDATE SET
            revision = till_fulfilment.revision
                + CASE WHEN excluded.is_held = till_fulfilment.is_held THEN 0 ELSE 1 END,
            is_held = excluded.is_held, stated_at = excluded.stated_at
        WHERE excluded.stated_at > till_fulfilment.stated_at
            OR (excluded.stated_at = till_fulfilment.stated_at AND excluded.is_held < till_fulfilment.is_held)
        """

    /// Makes the newest revision the caller's, unless it was somebody's before.
    static let claim = """
        INSERT INTO till_fulfilment_revision
            (fulfilled_at, environment, transaction_id, revision, act, is_held, stated_at)
        SELECT CAST($1 AS BIGINT), environment, transaction_id, revision,
            CASE WHEN is_held = 1 THEN 'grant' WHEN revision > 1 THEN 'take_back' END, is_held, stated_at
        FROM till_fulfilment WHERE environment = $2 AND transaction_id = $3
        ON CONFLICT (environment, transaction_id, revision) DO NOTHING
        RETURNING revision, act
        """

    static let keep = """
        UPDATE till_fulfilment_revision SET result = $1
        WHERE environment = $2 AND transaction_id = $3 AND revision = $4
        """

    static let newest = """
        SELECT revision, act, result, head.is_held, head.stated_at
        FROM till_fulfilment AS head JOIN till_fulfilment_revision AS done USING (environment, transaction_id, revision)
        WHERE environment = $1 AND transaction_id = $2
        """

    static let history = """
        SELECT revision, act, result, is_held, stated_at FROM till_fulfilment_revision
        WHERE environment = $1 AND transaction_id = $2 ORDER BY revision
        """
}
