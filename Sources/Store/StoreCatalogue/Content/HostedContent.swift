import Foundation
package import StoreDatabase
package import StoreModel
package import StoreRules

/// One version of the content that the store hosts for a product: a row of `content_version`.
package struct HostedContent: Hashable, Sendable {
    package let item: ItemID
    /// Counts the uploads of the product, from 1 on.
    package let number: Int
    /// What the package says; nil until it was read.
    package let version: ContentVersion?
    package let state: ContentState
    package let packageDigest: BlobID
    package let packageBytes: Int64
    package let partBytes: Int
    package let uploadedBy: String
    package let begunAt: Instant
    /// When the last part came.
    package let touchedAt: Instant
    /// When the last part was there.
    package let uploadedAt: Instant?
    package let processedAt: Instant?
    package let approvedAt: Instant?
    /// What is delivered; nil until it was made, and when it is not kept any more.
    package let archive: Archive?
    /// What the package breaks, if it failed.
    package let findings: [Finding]

    /// What customers get: a zip, and what it takes to fetch it piece by piece.
    package struct Archive: Hashable, Sendable {
        package let blob: BlobID
        package let bytes: Int64
        package let unpackedBytes: Int64
        package let fileCount: Int
        package let chunkBytes: Int
        /// The SHA-256 of each chunk, one after the other.
        package let chunkDigests: [UInt8]
    }

    /// A rule that a package breaks.
    package struct Finding: Codable, Hashable, Sendable {
        /// The file; nil for the package as a whole.
        package let path: String?
        package let rule: String
        package let message: String

        package init(path: String?, rule: String, message: String) {
            self.path = path
            self.rule = rule
            self.message = message
        }
    }

    /// A file of the archive.
    package struct File: Codable, Hashable, Sendable {
        package let path: String
        package let bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    package var partCount: Int { Int((packageBytes + Int64(partBytes) - 1) / Int64(partBytes)) }

    /// How many bytes a part has, by its number from 1 on.
    package func byteCount(ofPart part: Int) -> Int64 {
        part < partCount ? Int64(partBytes) : packageBytes - Int64(partBytes) * Int64(partCount - 1)
    }

    var rules: ContentReview { ContentReview(state: state) }

    /// The SHA-256 of the package, in hexadecimal digits.
    package var packageDigestText: String { packageDigest.text }

    package func isKept(in environment: StoreEnvironment) -> Bool {
        archive != nil && rules.isDelivered(in: environment)
    }

    static let columns: SQL = """
        item_id, number, version, state, package_digest, package_bytes, part_bytes, uploaded_by, begun_at, touched_at,
        uploaded_at, processed_at, approved_at, findings, archive, archive_bytes, unpacked_bytes, file_count, chunk_bytes,
        chunk_digests
        """

    init(_ row: Row) throws {
        var cells = row.cells
        item = try cells.next()
        number = try cells.next()
        version = try cells.next(as: String?.self).flatMap { ContentVersion($0) }
        state = try cells.next()
        packageDigest = try cells.next()
        packageBytes = try cells.next()
        partBytes = try cells.next()
        uploadedBy = try cells.next()
        begunAt = try cells.next()
        touchedAt = try cells.next()
        uploadedAt = try cells.next()
        processedAt = try cells.next()
        approvedAt = try cells.next()
        findings = try cells.next(as: String?.self).map { try Self.decode([Finding].self, $0) } ?? []
        guard let blob = try cells.next(as: BlobID?.self) else {
            archive = nil
            return
        }
        archive = try Archive(
            blob: blob, bytes: cells.next(), unpackedBytes: cells.next(), fileCount: cells.next(),
            chunkBytes: cells.next(), chunkDigests: cells.next())
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}

extension ContentState: ColumnValue {}

/// The limits of hosted content.
package enum HostingLimits {
    /// The largest package (R6.2).
    package static let packageBytes: Int64 = 2_000_000_000
    /// How large the parts of an upload are.
    package static let partBytes = 8 << 20
    /// How many uploads of a product may be open at a time.
    package static let openUploads = 3
    /// How many versions of a product there may ever be.
    package static let versions = 1000
    /// How long the parts of an upload are kept after the last one came.
    package static let uploadLife = Duration.seconds(7 * 24 * 60 * 60)
    /// How long the address of a download is good. A download asks for another as often as it needs.
    package static let linkLife = Duration.seconds(15 * 60)
    /// How long a version stays after a newer one was approved, for those who were told of it and have not finished.
    package static let grace = Duration.seconds(30 * 24 * 60 * 60)
    /// What all packages and archives may have together, unless a setting says otherwise.
    package static let quota: Int64 = 100_000_000_000
    /// How many bytes of blobs are read in a second, on average, to see whether they are what was kept.
    package static let scrubBytesPerSecond: Int64 = 4 << 20
    /// How long after all blobs were looked at the next round begins.
    package static let scrubPause = Duration.seconds(24 * 60 * 60)
}

// MARK: Reading

extension HostedContent {
    /// The versions of a product, the newest upload first.
    package static func list(of item: ItemID, in transaction: any ReadTransaction) throws -> [HostedContent] {
        try transaction.query(
            "SELECT \(columns) FROM content_version WHERE item_id = $1 ORDER BY number DESC", item,
            row: HostedContent.init)
    }

    /// The versions that have an archive and were not withdrawn nor replaced, those of an item one after the other.
    package static func kept(in transaction: any ReadTransaction) throws -> [HostedContent] {
        try transaction.query(
            """
            SELECT \(columns) FROM content_version
            WHERE archive IS NOT NULL AND state IN ('ready_to_submit', 'approved', 'rejected')
            ORDER BY item_id, number
            """, row: HostedContent.init)
    }

    /// The uploads that nothing was added to since a moment.
    package static func uploads(
        untouchedSince moment: Instant, in transaction: any ReadTransaction
    ) throws -> [HostedContent] {
        try transaction.query(
            """
            SELECT \(columns) FROM content_version WHERE state = 'uploading' AND touched_at < $1
            ORDER BY item_id, number
            """, moment, row: HostedContent.init)
    }

    /// The versions of these products, of each the newest upload first.
    static func list(
        ofItems items: some Sequence<ItemID>, in transaction: any ReadTransaction
    ) throws -> [ItemID: [HostedContent]] {
        let found = try transaction.query(
            "SELECT \(columns) FROM content_version WHERE item_id IN \(.numbers) ORDER BY item_id, number DESC",
            of: items,
            row: HostedContent.init)
        return Dictionary(grouping: found, by: \.item)
    }

    /// One version.
    package static func find(
        _ number: Int, of item: ItemID, in transaction: any ReadTransaction
    ) throws -> HostedContent? {
        try transaction.optional(
            "SELECT \(columns) FROM content_version WHERE item_id = $1 AND number = $2", item, number,
            row: HostedContent.init)
    }

    /// One version, or the refusal of a number that none has.
    package static func require(
        _ number: Int, of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> HostedContent {
        guard let found = try find(number, of: product.itemID, in: transaction) else {
            throw CatalogueError(
                .nameUnknown, "\(product.productID) has no content of the number \(number)", field: "number")
        }
        return found
    }

    /// The files of the archive.
    package func files(in transaction: any ReadTransaction) throws -> [File] {
        let text = try transaction.optional(
            "SELECT files FROM content_version WHERE item_id = $1 AND number = $2", item, number
        ) { try $0.value(0, as: String?.self) }
        return try text.flatMap(\.self).map { try Self.decode([File].self, $0) } ?? []
    }

    /// The parts of the package that are there, in order.
    package func parts(in transaction: any ReadTransaction) throws -> [(part: Int, blob: BlobID, bytes: Int64)] {
        try transaction.query(
            "SELECT part, digest, bytes FROM content_part WHERE item_id = $1 AND number = $2 ORDER BY part", item,
            number
        ) { row in
            var cells = row.cells
            return try (cells.next(), cells.next(), cells.next())
        }
    }

    /// Whether a newer one than this is the other. An upload that was begun earlier may come to its end later, so that its
    /// number says nothing of its version.
    package static func isBelow(_ one: HostedContent, _ other: HostedContent) -> Bool {
        guard let version = one.version, let otherVersion = other.version else { return one.number < other.number }
        return version < otherVersion
    }

    /// What an environment delivers of a product to those who ask now; nil if it has nothing.
    package static func newest(
        of item: ItemID, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> HostedContent? {
        let kept = try transaction.query(
            """
            SELECT \(columns) FROM content_version WHERE item_id = $1 AND archive IS NOT NULL
                AND state IN ('ready_to_submit', 'approved', 'rejected') ORDER BY number
            """, item, row: HostedContent.init)
        return kept.filter { $0.isKept(in: environment) }.max(by: isBelow)
    }

    /// How far the content of a product is, for its review.
    static func completeness(
        of item: ItemID, in transaction: any ReadTransaction
    ) throws -> ProductReview.Completeness.Content {
        if try newest(of: item, in: .sandbox, transaction) != nil { return .ready }
        return try isSettled(item, in: transaction) ? .awaited : .processing
    }

    /// Whether no package of a product is being looked at.
    static func isSettled(_ item: ItemID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            "SELECT count(*) FROM content_version WHERE item_id = $1 AND state = 'processing'", item, as: Int.self) == 0
    }

    /// The highest version that a package of a product must exceed; nil if none was ever processed, or hosting was switched off
    /// since.
    static func highest(of item: ItemID, in transaction: any ReadTransaction) throws -> ContentVersion? {
        try transaction.query(
            """
            SELECT version FROM content_version
            WHERE item_id = $1 AND processed_at IS NOT NULL AND state NOT IN ('failed', 'unhosted')
            """, item
        ) { try $0.value(0, as: String?.self) }.compactMap { $0.flatMap { ContentVersion($0) } }.max()
    }

    /// How many bytes of packages and archives are kept, or may come of the uploads that are open.
    static func bytesKept(in transaction: any ReadTransaction) throws -> Int64 {
        try transaction.value(
            """
            SELECT CAST(coalesce(sum(CASE WHEN archive IS NOT NULL THEN archive_bytes
                WHEN state IN ('uploading', 'processing') THEN package_bytes ELSE 0 END), 0) AS \(.integer)) FROM content_version
            """, as: Int64.self)
    }

    /// Whether a blob is a part or an archive of anything; one that is not may be deleted.
    package static func isUsed(_ blob: BlobID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            """
            SELECT (SELECT count(*) FROM content_part WHERE digest = $1)
                + (SELECT count(*) FROM content_version WHERE archive = $1)
            """, blob, as: Int.self) > 0
    }
}

// MARK: Changing

extension HostedContent {
    /// What finds its row.
    var key: RowValues { ["item_id": item, "number": number] }

    /// Takes a version one step on.
    package func advance(
        _ event: ContentReview.Event, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        var rules = rules
        do throws(ReviewError) {
            try rules.handle(event)
        } catch {
            throw CatalogueError(.stateWrong, "content \(version?.text ?? "\(number)"): \(error)")
        }
        let hasEnded = [ContentState.failed, .withdrawn, .replaced, .unhosted].contains(rules.state)
        try transaction.update("content_version", ["state": rules.state, "touched_at": now], where: key)
        if rules.state == .approved {
            try transaction.update("content_version", ["approved_at": now], where: key)
        }
        switch event {
        case .processed: try DeliveredContent(self, in: .sandbox).note(at: now, in: transaction)
        case .approved: try DeliveredContent(self, in: .production).note(at: now, in: transaction)
        default: break
        }
        if hasEnded {
            try transaction.update(
                "content_version",
                ["ended_at": now, "archive": BlobID?.none, "chunk_digests": [UInt8]?.none], where: key)
            if let archive { try BlobRemoval.mark(archive.blob, at: now, in: transaction) }
            try removeParts(at: now, in: transaction)
        }
    }

    /// Forgets the parts of the package, which has become an archive or is not wanted.
    func removeParts(at now: Instant, in transaction: any WriteTransaction) throws {
        for part in try parts(in: transaction) { try BlobRemoval.mark(part.blob, at: now, in: transaction) }
        try transaction.execute("DELETE FROM content_part WHERE item_id = $1 AND number = $2", item, number)
    }

    /// Approves or rejects, with its product, the newest content that waits for it.
    static func review(
        _ event: ContentReview.Event, of item: ItemID, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        guard let newest = try newest(of: item, in: .sandbox, transaction), newest.state != .approved else { return }
        if event == .rejected, newest.state == .rejected { return }
        try newest.advance(event, at: now, in: transaction)
    }

    /// Takes a version back. What production delivers stays.
    package static func withdraw(
        _ number: Int, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let content = try require(number, of: product, in: change.transaction)
        guard content.state != .approved, content.state != .replaced else {
            throw CatalogueError(
                .stateWrong, "content \(content.version?.text ?? "\(number)") was approved, and customers have it",
                field: "number")
        }
        guard content.state != .withdrawn, content.state != .unhosted else { return }
        guard product.state != .inReview, product.state != .waitingForReview else {
            throw CatalogueError(
                .stateWrong, "\(product.productID) is being reviewed with it; withdraw the product from review first")
        }
        try Catalogue.change(
            product, "content \(content.version?.text ?? "\(number)") withdrawn", change
        ) {
            try content.advance(.withdrawn, at: change.at, in: change.transaction)
            try ProductReviews.advance(.edited, product.itemID, change)
        }
    }

    /// Takes back all content of a product, which is not to be hosted. Nobody but testers had any of it.
    static func unhostAll(of item: ItemID, _ change: CatalogueChange) throws {
        for content in try list(of: item, in: change.transaction) where content.state != .unhosted {
            try content.advance(.unhosted, at: change.at, in: change.transaction)
        }
    }
}
