import StoreCatalogue
package import StoreDatabase
import StoreLog
package import StoreModel
import StoreRules
import Synchronization

/// Takes away what nobody can ask for any more: uploads that were given up, versions that newer ones have replaced, promises
/// that were kept, and blobs that nothing refers to. It is work that is always due again.
package final class ContentUpkeep: Sendable {
    package static let work = "content-upkeep"
    private static let subject = "catalogue"
    /// How long it takes until something is looked for again.
    private static let pause = Duration.seconds(60 * 60)
    /// How many promises one turn takes away.
    private static let page = 500

    private let databases: StoreDatabases
    private let blobs: @Sendable () throws -> (any BlobStore)?
    /// Where the search for blobs without a row goes on.
    private let place = Mutex<BlobID?>(nil)

    package init(_ databases: StoreDatabases, blobs: @escaping @Sendable () throws -> (any BlobStore)?) {
        self.databases = databases
        self.blobs = blobs
    }

    /// Has it done from now on, if it is not.
    package static func begin(at wall: Instant, in catalogue: any Database) async throws {
        try await catalogue.write { transaction in
            try WorkTable.ensure(Work(work, subject, dueAt: wall, clock: .wall), in: transaction)
        }
    }

    /// One turn; returns when the next is due.
    package func turn(at wall: Instant) async throws -> Instant {
        for environment in StoreEnvironment.allCases {
            try await Self.forgetPromises(before: wall - HostingLimits.linkLife, in: databases[environment])
        }
        try await endUploads(at: wall)
        try await replaceVersions(at: wall)
        guard let blobs = try blobs() else { return wall + Self.pause }
        let next = try await BlobRemoval.look(
            for: blobs, after: place.withLock { $0 }, of: databases.catalogue, at: wall)
        place.withLock { $0 = next }
        _ = try await BlobRemoval.sweep(blobs, of: databases.catalogue, at: wall)
        try await PartDrafts(blobs).sweep(of: databases.catalogue)
        return wall + (next == nil ? Self.pause : .seconds(60))
    }

    /// Forgets promises of what was finished or taken back. Nobody asks for that again but by a restore, which is another
    /// transaction.
    static func forgetPromises(before moment: Instant, in database: any Database) async throws {
        try await database.write { transaction in
            _ = try transaction.execute(
                """
                DELETE FROM content_promise WHERE transaction_id IN (
                    SELECT content_promise.transaction_id FROM content_promise
                        LEFT JOIN transaction_finish
                            ON transaction_finish.transaction_id = content_promise.transaction_id
                        LEFT JOIN transaction_revocation
                            ON transaction_revocation.transaction_id = content_promise.transaction_id
                    WHERE content_promise.asked_at < $1 AND (transaction_finish.transaction_id IS NOT NULL
                        OR transaction_revocation.transaction_id IS NOT NULL) LIMIT $2)
                """, moment, page)
        }
    }

    private func endUploads(at wall: Instant) async throws {
        try await databases.catalogue.write { transaction in
            let idle = try HostedContent.uploads(untouchedSince: wall - HostingLimits.uploadLife, in: transaction)
            for upload in idle { try upload.advance(.withdrawn, at: wall, in: transaction) }
        }
    }

    /// Ends versions of which a newer one was delivered for a while, and that nobody was promised.
    private func replaceVersions(at wall: Instant) async throws {
        let old = try await databases.catalogue.read { transaction in
            try Self.replaced(among: HostedContent.kept(in: transaction), at: wall)
        }
        for content in old where try await !isPromised(content) {
            try await databases.catalogue.write { transaction in
                guard let current = try HostedContent.find(content.number, of: content.item, in: transaction),
                    current.state == content.state
                else { return }
                try current.advance(.replaced, at: wall, in: transaction)
            }
        }
    }

    /// Which of the kept versions no environment has delivered for a while.
    static func replaced(among kept: [HostedContent], at wall: Instant) -> [HostedContent] {
        Dictionary(grouping: kept, by: \.item).values.flatMap { versions in
            // The sandbox delivers the newest of all, production the newest that was approved.
            let newest = versions.max(by: HostedContent.isBelow)
            let approved = versions.filter { $0.state == .approved }.max(by: HostedContent.isBelow)
            return versions.filter { version in
                guard version.number != newest?.number, version.number != approved?.number else { return false }
                let successor = version.state == .approved ? approved?.approvedAt : newest?.processedAt
                return successor.map { $0 + HostingLimits.grace < wall } ?? false
            }
        }
    }

    private func isPromised(_ content: HostedContent) async throws -> Bool {
        for environment in StoreEnvironment.allCases {
            let count = try await databases[environment].read { transaction in
                try transaction.value(
                    "SELECT count(*) FROM content_promise WHERE item_id = $1 AND number = $2", content.item,
                    content.number, as: Int.self)
            }
            if count > 0 { return true }
        }
        return false
    }
}
