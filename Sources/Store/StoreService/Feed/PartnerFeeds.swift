package import StoreCatalogue
package import StoreDatabase
import StoreFoundation
import StoreLog
package import StoreModel
import StoreSigning

/// The partner feed of an environment: dumps of what it sells, which approved partners fetch.
///
/// One is begun by somebody, or by the calendar as soon as there is a partner: a full one each week, on the other days what changed
/// since. All tables are written in one transaction that reads, and packed after that, some of them in each turn of work; so a store
/// sells on meanwhile, and a process that takes over from one that was killed goes on with the next table.
package struct PartnerFeeds: Sendable {
    /// The kind of work that makes a feed.
    package static let work = "partner-feed"
    /// The kind of work that begins one each day.
    package static let calendar = "partner-feeds"
    /// How long a full feed stays the newest.
    private static let week = Duration.seconds(7 * 24 * 60 * 60)
    private static let day: Int64 = 24 * 60 * 60 * 1000
    /// At what time of the day they are begun: UTC, in milliseconds.
    private static let hour: Int64 = 2 * 60 * 60 * 1000

    /// How often one is tried to be made.
    package static let retries = RetrySchedule.doubling(from: 5_000, upTo: 300_000, attempts: 8)

    /// What the work of making one is about: the environment, and the number of the feed.
    package static func subject(_ text: String) -> (environment: StoreEnvironment, number: Int64)? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let environment = StoreEnvironment(rawValue: String(parts[0])),
            let number = Int64(parts[1])
        else { return nil }
        return (environment, number)
    }

    /// How many random bytes name what was written at one time.
    private static let nameBytes = 16

    private let store: EnvironmentStore
    private let blobs: @Sendable () throws -> (any BlobStore)?

    /// - Parameter blobs: where packed tables are kept; nil where none is open.
    package init(_ store: EnvironmentStore, blobs: @escaping @Sendable () throws -> (any BlobStore)? = { nil }) {
        self.store = store
        self.blobs = blobs
    }

    /// A feed with its tables.
    package struct Details: Hashable, Sendable {
        package let feed: PartnerFeed
        package let files: [PartnerFeed.File]
    }

    // MARK: For those who look after the store

    /// The feeds there are, the newest first.
    package func list(limit: Int, for actor: Actor) async throws -> [PartnerFeed] {
        try Partners(store).require(actor, change: false)
        let environment = store.environment
        return try await store.catalogue.read { try PartnerFeed.list(of: environment, limit: limit, in: $0) }
    }

    package func details(of number: Int64, for actor: Actor) async throws -> Details {
        try Partners(store).require(actor, change: false)
        let environment = store.environment
        return try await store.catalogue.read { transaction in
            guard let feed = try PartnerFeed.find(number, in: transaction), feed.environment == environment else {
                throw ServiceError(.nameUnknown, "there is no feed \(number)", parameter: "number")
            }
            return Details(feed: feed, files: try PartnerFeed.files(of: number, in: transaction))
        }
    }

    /// Begins a feed; gives the one that is being made, if there is one.
    ///
    /// - Parameter mode: nil for what the calendar would begin.
    package func make(_ mode: FeedMode?, for actor: Actor) async throws -> PartnerFeed {
        try Partners(store).require(actor, change: true)
        return try await begin(mode, by: actor, at: store.clocks.wall())
    }

    private func begin(_ mode: FeedMode?, by actor: Actor, at now: Instant) async throws -> PartnerFeed {
        let (environment, numbers) = (store.environment, Numbers(store.catalogue))
        let number = try await numbers.next(.partnerFeeds)
        return try await store.catalogue.write { transaction in
            let mode = try mode ?? Self.mode(of: environment, at: now, in: transaction)
            let feed = try PartnerFeed.begin(
                mode, of: environment, as: number, by: actor, at: now, in: transaction)
            try WorkTable.ensure(
                Work(Self.work, "\(environment) \(feed.number)", dueAt: now, clock: .wall), in: transaction)
            try transaction.signal(Signal(ContentProcessing.topic, subject: ContentProcessing.topic.name))
            return feed
        }
    }

    /// What is due: a full feed once the last one is a week old.
    private static func mode(
        of environment: StoreEnvironment, at now: Instant, in transaction: any ReadTransaction
    ) throws -> FeedMode {
        let last = try PartnerFeed.ready(of: environment, in: transaction).first { $0.mode == .full }
        return last.map { $0.begunAt + week > now } ?? false ? .incremental : .full
    }

    // MARK: Work

    /// Has feeds begun by the calendar from now on.
    package func followCalendar(at wall: Instant) async throws {
        let environment = store.environment
        try await store.catalogue.write { transaction in
            try WorkTable.ensure(
                Work(Self.calendar, environment.rawValue, dueAt: Self.nextHour(after: wall), clock: .wall),
                in: transaction)
        }
    }

    /// Begins the feed of a day, if anybody reads it; gives when the next is due.
    package func beginDaily(at wall: Instant) async throws -> Instant {
        if try await Partners(store).areThereReaders() { _ = try await begin(nil, by: .store, at: wall) }
        return Self.nextHour(after: wall)
    }

    private static func nextHour(after wall: Instant) -> Instant {
        let days = (wall.millisecondsSinceEpoch - hour) / day + 1
        return Instant(millisecondsSinceEpoch: days * day + hour)
    }

    /// One turn of making a feed; says whether there is more to do.
    ///
    /// - Parameter address: where the pages of the environment are.
    package func turn(_ number: Int64, at wall: Instant, address: StoreAddress?) async throws -> Bool {
        guard let blobs = try blobs() else {
            throw ServiceError(.storeUnavailable, "no folder for the feed is open in this process")
        }
        let found = try await store.catalogue.read { try PartnerFeed.find(number, in: $0) }
        guard let feed = found, feed.state == .making else { return false }
        let draft = FeedDraft(feed, in: blobs)
        let written = await OwnThread.run(named: "feed") { draft.written() }
        guard let written, written.draft == feed.draft else {
            try await write(feed, draft, at: wall, address)
            return true
        }
        let tables = written.tables
        let done = try await store.catalogue.read { try PartnerFeed.files(of: number, in: $0) }
        let waiting = tables.filter { table in !done.contains { $0.name == table.name } }
        var bytes: Int64 = 0
        for table in waiting {
            guard bytes == 0 || bytes + table.bytes <= FeedLimits.bytesPerTurn else { return true }
            let file = try await OwnThread.run(named: "feed") { try draft.pack(table) }
            try await store.catalogue.write { try feed.add(file, of: written.draft, in: $0) }
            bytes += table.bytes
        }
        try await store.catalogue.write { try feed.end(written.draft, at: wall, in: $0) }
        store.log.info(
            "feed.ready", "A partner feed is ready.",
            [
                "environment": .text(store.environment.rawValue), "mode": .text(feed.mode.rawValue),
                "date": .text(feed.date), "tables": .number(Int64(tables.count)),
                "records": .number(Int64(tables.reduce(0) { $0 + $1.records })),
            ])
        let others = try await store.catalogue.read { try PartnerFeed.making(in: $0) }
        await OwnThread.run(named: "feed") { FeedDraft.sweep(keeping: others, in: blobs) }
        return false
    }

    /// Notes that a feed could not be made.
    package func fail(_ number: Int64, because problem: String, at wall: Instant, in transaction: any WriteTransaction)
        throws
    {
        guard let feed = try PartnerFeed.find(number, in: transaction), feed.state == .making else { return }
        try feed.fail(problem, at: wall, in: transaction)
    }

    private func write(
        _ feed: PartnerFeed, _ draft: FeedDraft, at wall: Instant, _ address: StoreAddress?
    ) async throws {
        let popularity = try await popularity(at: store.clocks.commerce())
        let view = FeedView(
            store.environment,
            at: CatalogueMoment(
                commerce: store.clocks.commerce(), wall: wall, delay: store.policy.propagation),
            address: address, popularity: popularity)
        let name = Hexadecimal.encode(try store.random(Self.nameBytes))
        let former = try await store.catalogue.write { transaction in
            try feed.write(name, at: wall, in: transaction)
            return try feed.base.map { try PartnerFeed.files(of: $0, in: transaction) } ?? []
        }
        do {
            try await store.catalogue.read { try draft.write(name, view, former: former, in: $0) }
        } catch {
            // What is half written is of no use, and may be what has filled the disk.
            await OwnThread.run(named: "feed") { draft.remove() }
            throw error
        }
    }

    /// Of each storefront so many items are counted as there are ranks, and so many times: the most popular apps are among them.
    private static let counted = 5 * FeedLimits.ranks

    /// What was bought most often lately in each storefront, the most popular first.
    private func popularity(at now: Instant) async throws -> [StorefrontCode: [FeedView.Popularity]] {
        let items = ItemShelf.productPrefix + "%"
        return try await store.database.read { transaction in
            var popular: [StorefrontCode: [FeedView.Popularity]] = [:]
            try transaction.forEachRow(
                """
                SELECT storefront, item_id, is_free FROM (
                    SELECT storefront, item_id, is_free,
                        row_number() OVER (PARTITION BY storefront ORDER BY sold DESC, item_id) AS place
                    FROM (SELECT storefront, item_id, count(*) AS sold,
                            CAST(CASE WHEN unit_price = 0 THEN 1 ELSE 0 END AS \(.integer)) AS is_free
                        FROM sale_order WHERE ordered_at >= $1 AND origin = 'purchase' AND product_id LIKE $2
                        GROUP BY storefront, item_id, CASE WHEN unit_price = 0 THEN 1 ELSE 0 END) AS counted
                ) AS ranked WHERE place <= $3 ORDER BY storefront, place
                """,
                binding: [
                    (now - FeedLimits.popularity).databaseValue, .text(items), .integer(Int64(Self.counted)),
                ]
            ) { row in
                var cells = row.cells
                let storefront = try cells.next(as: StorefrontCode.self)
                popular[storefront, default: []].append(
                    try FeedView.Popularity(item: cells.next(), isFree: cells.next()))
            }
            return popular
        }
    }
}

// MARK: For partners

extension PartnerFeeds {
    /// What is at a place of the feed.
    // Closed: a route answers each of them.
    package enum Place: Sendable {
        /// A folder, with what is in it; the names of folders end with a slash.
        case folder([String])
        case archive(PartnerFeed.File)
        /// The checksum beside an archive.
        case checksum(PartnerFeed.File)
    }

    /// What is at a path below the root of the feed; nil if nothing is.
    ///
    /// | path | what is there |
    /// |---|---|
    /// | `` | `current/` and each full feed by its date |
    /// | `20261126/` | its groups, and `incremental/` |
    /// | `20261126/itunes20261126/` | archives and checksums |
    /// | `20261126/incremental/` | `current/` and each incremental feed by its date, with groups as above |
    package func place(at path: [String]) async throws -> Place? {
        let environment = store.environment
        let ready = try await store.catalogue.read { try PartnerFeed.ready(of: environment, in: $0) }
        let full = ready.filter { $0.mode == .full }
        guard let first = path.first else { return .folder(Self.names(of: full)) }
        guard let base = Self.named(first, among: full) else { return nil }
        let changes = ready.filter { $0.base == base.number }
        let rest = path.dropFirst()
        guard rest.first == "incremental" else { return try await self.place(in: base, at: rest, beside: changes) }
        guard rest.count > 1 else { return changes.isEmpty ? nil : .folder(Self.names(of: changes)) }
        guard let feed = Self.named(rest[rest.startIndex + 1], among: changes) else { return nil }
        return try await self.place(in: feed, at: rest.dropFirst(2), beside: [])
    }

    private func place(
        in feed: PartnerFeed, at path: ArraySlice<String>, beside changes: [PartnerFeed]
    ) async throws -> Place? {
        let files = try await store.catalogue.read { try PartnerFeed.files(of: feed.number, in: $0) }
        let groups = FeedGroup.allCases.filter { group in files.contains { $0.group == group } }
        guard let folder = path.first else {
            return .folder(groups.map { "\($0.rawValue)\(feed.date)/" } + (changes.isEmpty ? [] : ["incremental/"]))
        }
        guard let group = groups.first(where: { "\($0.rawValue)\(feed.date)" == folder }) else { return nil }
        let own = files.filter { $0.group == group }
        guard path.count > 1, let name = path.last else {
            return .folder(own.flatMap { [$0.archiveName, $0.archiveName + ".md5"] })
        }
        guard path.count == 2 else { return nil }
        if let file = own.first(where: { $0.archiveName == name }) { return .archive(file) }
        return own.first { $0.archiveName + ".md5" == name }.map(Place.checksum)
    }

    private static func names(of feeds: [PartnerFeed]) -> [String] {
        feeds.isEmpty ? [] : ["current/"] + feeds.map { "\($0.date)/" }
    }

    private static func named(_ name: String, among feeds: [PartnerFeed]) -> PartnerFeed? {
        name == "current" ? feeds.first : feeds.first { $0.date == name }
    }
}

extension PartnerFeed.File {
    /// What the archive is called.
    package var archiveName: String { name + ".tbz" }
    /// What the file beside it says.
    package var checksumText: String { "MD5 (\(archiveName)) = \(md5)\n" }
}
