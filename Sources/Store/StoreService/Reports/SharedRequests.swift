import StoreCatalogue
package import StoreDatabase
import StoreModel

/// The newest requests of all servers of a database, in a table that each of them fills.
package struct SharedRequests: Sendable {
    private let database: any Database
    /// How this server is called among them.
    private let server: String

    package init(_ database: any Database, as server: String) {
        (self.database, self.server) = (database, server)
    }

    /// The table, for a migration. It never changes.
    static let statements: [SQL] = [
        """
        CREATE TABLE request_log (
            number \(.integer) NOT NULL, server \(.text) NOT NULL, request_id \(.text) NOT NULL,
            last_id \(.text) NOT NULL, at \(.integer) NOT NULL, last_at \(.integer) NOT NULL,
            repeats \(.integer) NOT NULL, method \(.text) NOT NULL, path \(.text) NOT NULL,
            status \(.integer) NOT NULL, peer \(.text) NOT NULL, bearer \(.bytes), code \(.text), message \(.text),
            verification \(.bytes), request_body \(.bytes), response_body \(.bytes),
            PRIMARY KEY (number, server)
        ) \(.keyedTable)
        """,
        "CREATE INDEX request_log_id ON request_log (request_id)",
        "CREATE INDEX request_log_last_id ON request_log (last_id)",
    ]

    private static let columns: SQL =
        "number, request_id, last_id, at, last_at, repeats, method, path, status, peer, bearer, code, message"

    /// Writes requests, or what has become of them, and forgets what is more than is kept.
    func write(_ entries: [RequestHistory.Entry]) async throws {
        try await database.write(isolation: .snapshot) { [server] transaction in
            for entry in entries {
                try transaction.insertOrUpdate(
                    "request_log",
                    [
                        "request_id": entry.id, "last_id": entry.lastId, "at": entry.at, "last_at": entry.lastAt,
                        "repeats": entry.repeats, "method": entry.method, "path": entry.path, "status": entry.status,
                        "peer": entry.peer, "bearer": entry.bearer, "code": entry.code, "message": entry.message,
                        "verification": entry.verification.flatMap { ShownBody.verification($0) },
                        "request_body": entry.request, "response_body": entry.response,
                    ], key: ["number": entry.number, "server": server])
            }
            let oldest = try transaction.optional(
                "SELECT number FROM request_log ORDER BY number DESC LIMIT 1 OFFSET $1", RequestHistory.most
            ) { try $0.value(0, as: Int.self) }
            // What two servers forget at once is gone either way.
            if let oldest { try transaction.execute("DELETE FROM request_log WHERE number <= $1", oldest) }
        }
    }

    /// The newest, the newest first, without their bodies.
    func newest(_ limit: Int) async throws -> [RequestHistory.Entry] {
        try await database.read { transaction in
            try transaction.query(
                "SELECT \(Self.columns) FROM request_log ORDER BY number DESC, server LIMIT $1", limit
            ) { row in
                var cells = row.cells
                return try RequestHistory.Entry(&cells)
            }
        }
    }

    /// The one with an id, with its bodies.
    func entry(_ id: String) async throws -> RequestHistory.Entry? {
        try await database.read { transaction in
            try transaction.query(
                """
                SELECT \(Self.columns), verification, request_body, response_body FROM request_log
                WHERE request_id = $1 OR last_id = $1 ORDER BY number LIMIT 1
                """, id
            ) { row in
                var cells = row.cells
                var entry = try RequestHistory.Entry(&cells)
                (entry.verification, entry.request, entry.response) = try (cells.next(), cells.next(), cells.next())
                return entry
            }.first
        }
    }
}

extension RequestHistory.Entry {
    fileprivate init(_ cells: inout RowCells) throws {
        let (number, id, lastId) = try (
            cells.next(as: Int.self), cells.next(as: String.self), cells.next(as: String.self)
        )
        let (at, lastAt, repeats) = try (
            cells.next(as: Instant.self), cells.next(as: Instant.self), cells.next(as: Int.self)
        )
        self.init(
            number: number, id: id, at: at, method: try cells.next(), path: try cells.next(), status: try cells.next(),
            peer: try cells.next(), bearer: try cells.next(), code: try cells.next(), message: try cells.next(),
            lastAt: lastAt, lastId: lastId)
        self.repeats = repeats
    }
}
