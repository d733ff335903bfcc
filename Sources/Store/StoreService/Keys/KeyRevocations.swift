package import StoreDatabase
package import StoreModel

/// Certificates that are void, as all servers of a database know them, and which servers have taken note.
package enum KeyRevocations {
    static let tables: [SQL] = [
        """
        CREATE TABLE revoked_certificate (
            fingerprint \(.text) NOT NULL PRIMARY KEY, noted_at \(.integer) NOT NULL
        ) \(.table)
        """,
        """
        CREATE TABLE key_server (
            name \(.text) NOT NULL PRIMARY KEY, known \(.integer) NOT NULL, signs \(.integer) NOT NULL,
            seen_at \(.integer) NOT NULL
        ) \(.table)
        """,
    ]

    /// How often a server says that it is there.
    static let heartbeat = Duration.seconds(10)
    /// A server that was not heard of for so long is none any more.
    package static let life = Duration.seconds(30)
    /// The subject of the signal that there are more.
    static let subject = "revoked"

    static func all(in transaction: any ReadTransaction) throws -> Set<String> {
        Set(try transaction.query("SELECT fingerprint FROM revoked_certificate") { try $0.value(0, as: String.self) })
    }

    /// Lets all servers know of certificates that are void; gives all of them.
    package static func publish(
        _ fingerprints: Set<String>, at wall: Instant, in database: any Database
    ) async throws -> Set<String> {
        let known = try await database.read { try all(in: $0) }
        guard !fingerprints.isSubset(of: known) else { return known }
        return try await database.write { transaction in
            for fingerprint in fingerprints.sorted() {
                _ = try transaction.insertIfNew(
                    into: "revoked_certificate", ["fingerprint": fingerprint, "noted_at": wall])
            }
            try transaction.signal(Signal(.keys, subject: subject))
            return try all(in: transaction)
        }
    }

    /// What becomes of a revocation on a server.
    package struct Server: Hashable, Sendable {
        package let name: String
        /// How many revocations it knows.
        package let known: Int
        /// Whether it has keys that are not revoked.
        package let signs: Bool
    }

    static func note(_ server: Server, at wall: Instant, in transaction: any WriteTransaction) throws {
        try transaction.insertOrUpdate(
            "key_server", ["known": server.known, "signs": server.signs, "seen_at": wall], key: ["name": server.name])
        try transaction.execute("DELETE FROM key_server WHERE seen_at < $1", wall - life * 10)
    }

    static func forget(_ name: String, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM key_server WHERE name = $1", name)
    }

    /// The servers that are there, by name.
    package static func servers(at wall: Instant, in transaction: any ReadTransaction) throws -> [Server] {
        try transaction.query(
            "SELECT name, known, signs FROM key_server WHERE seen_at > $1 ORDER BY name", wall - life
        ) { row in
            var cells = row.cells
            return try Server(name: cells.next(), known: cells.next(), signs: cells.next())
        }
    }

    /// Waits until every server that is there knows so many revocations, or is not there any more; gives how they are then.
    ///
    /// - Parameter pause: waits between two looks.
    package static func wait(
        for count: Int, in database: any Database, wall: @Sendable () -> Instant,
        pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(100)) }
    ) async throws -> [Server] {
        // A server that hangs and still says that it is there is named, and waited for no more.
        let end = wall() + life * 2
        while true {
            let now = wall()
            let servers = try await database.read { try Self.servers(at: now, in: $0) }
            guard servers.contains(where: { $0.known < count }), now < end else { return servers }
            try await pause()
        }
    }
}

extension SignalTopic {
    /// Certificates were revoked.
    package static let keys = SignalTopic("keys")
}
