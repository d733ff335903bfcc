package import StoreDatabase

/// Writes as hard as it can, until it is killed, and tells of everything the moment it is acknowledged.
///
/// Each write is several rows and a sum, so that half of one would show. Every writer has at most one write under way.
package struct CrashWriter: Sendable {
    package static let writers = 16
    package static let partCount = 3

    private let database: any Database
    private let acknowledge: @Sendable (String) -> Void

    /// - Parameters:
    ///   - database: one with the schema ``Schema/crash()``.
    ///   - acknowledge: is given `writer number`, and hands it on before it returns.
    package init(_ database: any Database, acknowledge: @escaping @Sendable (String) -> Void) {
        self.database = database
        self.acknowledge = acknowledge
    }

    /// Writes without end.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    var round = 0
                    while true {
                        try await write(as: writer)
                        round += 1
                        // Errors of closures' own are part of the load; nothing of theirs may ever be seen.
                        if round % 3 == 0 { try? await failing(as: writer) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func write(as writer: Int) async throws {
        let number = try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO tally (writer, count) VALUES ($1, 1)
                ON CONFLICT (writer) DO UPDATE SET count = tally.count + 1
                """, writer)
            let number = try transaction.value("SELECT count FROM tally WHERE writer = $1", writer, as: Int.self)
            for part in 1...Self.partCount { try insert(writer, number, part, transaction) }
            return number
        }
        acknowledge("\(writer) \(number)")
    }

    private func failing(as writer: Int) async throws {
        try await database.write { transaction in
            try transaction.execute("UPDATE tally SET count = count + 1000000 WHERE writer = $1", writer)
            try insert(writer, -1, 1, transaction)
            throw Refusal(reason: "own")
        }
    }

    private func insert(_ writer: Int, _ number: Int, _ part: Int, _ transaction: any WriteTransaction) throws {
        let content = [UInt8](repeating: UInt8(part), count: abs(number) * 37 % 2000)
        try transaction.execute(
            "INSERT INTO part (writer, number, part, content) VALUES ($1, $2, $3, $4)", writer, number, part, content)
    }
}

extension Schema {
    /// The tables of a ``CrashWriter``.
    package static func crash() throws -> Schema {
        try Schema(
            "crash",
            [
                Migration(
                    1, "tallies",
                    [
                        """
                        CREATE TABLE tally (
                            writer \(.integer) NOT NULL PRIMARY KEY, count \(.integer) NOT NULL
                        ) \(.table)
                        """
                    ]),
                Migration(
                    2, "parts",
                    [
                        """
                        CREATE TABLE part (
                            writer \(.integer) NOT NULL, number \(.integer) NOT NULL, part \(.integer) NOT NULL,
                            content \(.bytes) NOT NULL, PRIMARY KEY (writer, number, part)
                        ) \(.keyedTable)
                        """
                    ]),
            ])
    }
}
