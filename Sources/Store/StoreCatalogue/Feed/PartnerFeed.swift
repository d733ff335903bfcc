package import StoreDatabase
package import StoreModel

/// A dump of the catalogue for partners: everything that an environment sells on one day, or what changed since the last of those.
package struct PartnerFeed: Hashable, Sendable {
    package let number: Int64
    package let environment: StoreEnvironment
    package let mode: FeedMode
    /// The day in the names of its folders: `20261126`.
    package let date: String
    /// The full feed beside which an incremental one tells what changed.
    package let base: Int64?
    package internal(set) var state: State
    /// Why it could not be made; nil unless it failed.
    package internal(set) var problem: String?
    package let begunAt: Instant
    package internal(set) var endedAt: Instant?
    /// Who asked for it.
    package let actor: String
    /// What tells the tables that are being packed from those that another server has written; nil before any are.
    package let draft: String?

    /// How far a feed is; more may be added.
    package struct State: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is being made, or waits for that.
        package static let making = State(rawValue: "making")
        /// Partners can fetch it.
        package static let ready = State(rawValue: "ready")
        package static let failed = State(rawValue: "failed")

        package static let known: Set<State> = [.making, .ready, .failed]
    }

    /// A table of a feed, packed.
    package struct File: Hashable, Sendable {
        package let group: FeedGroup
        /// The table.
        package let name: String
        package let blob: BlobID
        package let bytes: Int64
        /// Of the archive, in hexadecimal digits.
        package let md5: String
        package let records: Int
    }

    static let tables: [SQL] = [
        """
        CREATE TABLE partner_feed (
            number \(.integer) NOT NULL PRIMARY KEY, environment \(.text) NOT NULL, mode \(.text) NOT NULL,
            date \(.text) NOT NULL, base \(.integer), state \(.text) NOT NULL, problem \(.text),
            begun_at \(.integer) NOT NULL, ended_at \(.integer), actor \(.text) NOT NULL, draft \(.text)
        ) \(.table)
        """,
        "CREATE INDEX partner_feed_of_environment ON partner_feed (environment, number)",
        // One is made at a time.
        "CREATE UNIQUE INDEX partner_feed_making ON partner_feed (environment) WHERE state = 'making'",
        """
        CREATE TABLE partner_feed_file (
            feed \(.integer) NOT NULL REFERENCES partner_feed (number), name \(.text) NOT NULL,
            feed_group \(.text) NOT NULL, digest \(.text) NOT NULL, bytes \(.integer) NOT NULL, md5 \(.text) NOT NULL,
            records \(.integer) NOT NULL,
            PRIMARY KEY (feed, name)
        ) \(.keyedTable)
        """,
        "CREATE INDEX partner_feed_file_digest ON partner_feed_file (digest)",
    ]

    private static let columns: SQL =
        "number, environment, mode, date, base, state, problem, begun_at, ended_at, actor, draft"

    private init(_ row: Row) throws {
        var cells = row.cells
        (number, environment) = (try cells.next(), try cells.next())
        mode = try cells.nextWord()
        (date, base) = (try cells.next(), try cells.next())
        state = State(rawValue: try cells.next())
        (problem, begunAt, endedAt, actor) = (
            try cells.next(), try cells.next(), try cells.next(), try cells.next()
        )
        draft = try cells.next()
    }

    // MARK: Reading

    package static func find(_ number: Int64, in transaction: any ReadTransaction) throws -> PartnerFeed? {
        try transaction.optional(
            "SELECT \(columns) FROM partner_feed WHERE number = $1", number, row: PartnerFeed.init)
    }

    /// The feeds of an environment, the newest first.
    package static func list(
        of environment: StoreEnvironment, limit: Int, in transaction: any ReadTransaction
    ) throws -> [PartnerFeed] {
        try transaction.query(
            "SELECT \(columns) FROM partner_feed WHERE environment = $1 ORDER BY number DESC LIMIT $2", environment,
            limit, row: PartnerFeed.init)
    }

    /// The feeds that partners can fetch, the newest first.
    package static func ready(
        of environment: StoreEnvironment, in transaction: any ReadTransaction
    ) throws -> [PartnerFeed] {
        try transaction.query(
            """
            SELECT \(columns) FROM partner_feed WHERE environment = $1 AND state = 'ready' ORDER BY number DESC
            """, environment, row: PartnerFeed.init)
    }

    /// The tables of a feed, in order of their names.
    package static func files(of number: Int64, in transaction: any ReadTransaction) throws -> [File] {
        try transaction.query(
            """
            SELECT feed_group, name, digest, bytes, md5, records FROM partner_feed_file WHERE feed = $1 ORDER BY name
            """, number
        ) { row in
            var cells = row.cells
            return try File(
                group: cells.nextWord(), name: cells.next(), blob: cells.next(), bytes: cells.next(), md5: cells.next(),
                records: cells.next())
        }
    }

    /// The numbers of those that are being made.
    package static func making(in transaction: any ReadTransaction) throws -> [Int64] {
        try transaction.query("SELECT number FROM partner_feed WHERE state = 'making'") { try $0.value(0) }
    }

    /// Whether a feed has this blob.
    static func isUsed(_ blob: BlobID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.optional("SELECT 1 FROM partner_feed_file WHERE digest = $1 LIMIT 1", blob) { _ in true }
            ?? false
    }

    // MARK: Writing

    /// Begins a feed; gives the one that is being made, if there is one.
    ///
    /// - Parameter number: of the new one, drawn before.
    package static func begin(
        _ mode: FeedMode, of environment: StoreEnvironment, as number: Int64, by actor: Actor, at now: Instant,
        in transaction: any WriteTransaction
    ) throws -> PartnerFeed {
        let known = try transaction.optional(
            "SELECT number FROM partner_feed WHERE environment = $1 AND state = 'making'", environment
        ) { try $0.value(0, as: Int64.self) }
        if let known, let feed = try find(known, in: transaction) { return feed }
        let base = try ready(of: environment, in: transaction).first { $0.mode == .full }
        guard mode == .full || base != nil else {
            throw CatalogueError(.stateWrong, "there is no full feed yet beside which an incremental one could be made")
        }
        let origin: Int64? = mode == .full ? nil : base?.number
        try transaction.insert(
            into: "partner_feed",
            [
                "number": number, "environment": environment, "mode": mode.rawValue, "date": FeedForm.date(now),
                "base": origin, "state": State.making.rawValue, "begun_at": now,
                "actor": actor.text,
            ])
        guard let begun = try find(number, in: transaction) else {
            throw DatabaseError(.noSuchRow, "the feed \(number) was not written")
        }
        return begun
    }

    /// Begins to write its tables, in the place of whatever was written of it before, which is of another moment.
    ///
    /// - Parameter draft: a name that nothing else has.
    package func write(_ draft: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try removeFiles(at: now, in: transaction)
        try transaction.update("partner_feed", ["draft": draft], where: ["number": number])
    }

    /// Notes a table that was packed; one that is noted already stays. Throws once another server writes the feed anew.
    package func add(_ file: File, of draft: String, in transaction: any WriteTransaction) throws {
        try require(draft, in: transaction)
        try BlobRemoval.claim(file.blob, in: transaction)
        _ = try transaction.insertIfNew(
            into: "partner_feed_file",
            [
                "feed": number, "name": file.name, "feed_group": file.group.rawValue, "digest": file.blob,
                "bytes": file.bytes, "md5": file.md5, "records": file.records,
            ])
    }

    private func require(_ draft: String, in transaction: any ReadTransaction) throws {
        guard try Self.find(number, in: transaction)?.draft == draft else {
            throw CatalogueError(.stateWrong, "another server makes the feed \(number)")
        }
    }

    /// Lets partners fetch it, in the place of one of the same day, and removes those that are too old.
    package func end(_ draft: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try require(draft, in: transaction)
        try transaction.update(
            "partner_feed", ["state": State.ready.rawValue, "ended_at": now], where: ["number": number])
        let all = try Self.ready(of: environment, in: transaction)
        let full = all.filter { $0.mode == .full }
        // What an earlier one of the same day had counts no more, and with a full feed go those that tell what changed since.
        let kept = full.filter { $0.number == number || $0.date != date || mode == .incremental }
            .prefix(FeedLimits.fullFeeds).map(\.number)
        for feed in all where feed.number != number {
            let isReplaced = feed.mode == .incremental && mode == .incremental && feed.date == date && feed.base == base
            let isWithout = feed.base.map { !kept.contains($0) } ?? !kept.contains(feed.number)
            if isReplaced || isWithout { try feed.remove(at: now, in: transaction) }
        }
        try Self.removeFailed(of: environment, before: number, in: transaction)
    }

    /// Notes that it could not be made. What was packed of it goes.
    package func fail(_ problem: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try removeFiles(at: now, in: transaction)
        try transaction.update(
            "partner_feed",
            ["state": State.failed.rawValue, "problem": String(problem.prefix(FeedLimits.problem)), "ended_at": now],
            where: ["number": number])
    }

    private func remove(at now: Instant, in transaction: any WriteTransaction) throws {
        try removeFiles(at: now, in: transaction)
        try transaction.execute("DELETE FROM partner_feed WHERE number = $1", number)
    }

    /// Forgets the tables, whose blobs are deleted a while later: somebody may be fetching one.
    private func removeFiles(at now: Instant, in transaction: any WriteTransaction) throws {
        let files = try Self.files(of: number, in: transaction)
        try transaction.execute("DELETE FROM partner_feed_file WHERE feed = $1", number)
        for file in files { try BlobRemoval.mark(file.blob, at: now, in: transaction) }
    }

    private static func removeFailed(
        of environment: StoreEnvironment, before number: Int64, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            "DELETE FROM partner_feed WHERE environment = $1 AND state = 'failed' AND number < $2", environment, number)
    }
}

/// How much a partner feed takes on.
package enum FeedLimits {
    /// Full feeds that are kept, each with the incremental ones beside it.
    package static let fullFeeds = 3
    /// Ranks of each list of popular apps.
    package static let ranks = 200
    /// Over how long sales are counted for those.
    package static let popularity = Duration.seconds(7 * 24 * 60 * 60)
    /// Items that are read at a time: all prices that each of them may have are no more rows than one query gives.
    static let page = 200
    /// How many bytes one turn of work packs before others have theirs.
    package static let bytesPerTurn: Int64 = 64 << 20
    /// Of the reason why one could not be made, in characters.
    static let problem = 300
}

extension NumberSeries {
    package static let partnerFeeds = NumberSeries("partner_feed", block: 1)
}
