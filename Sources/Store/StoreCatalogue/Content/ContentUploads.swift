package import StoreDatabase
import StoreFoundation
package import StoreModel
import StoreRules
import StoreSigning

/// Packages on their way into the store, in parts that may come again, in any order, through any server.
///
/// Each part is a blob. A package that is complete is looked at later, by ``ContentProcessing``.
package enum ContentUploads {
    /// Announces a package, or finds the upload of the same package that was begun before.
    ///
    /// - Parameter quota: how many bytes all hosted content may have.
    package static func begin(
        _ product: CatalogueProduct, digest: BlobID, bytes: Int64, quota: Int64 = HostingLimits.quota,
        _ change: CatalogueChange
    ) throws -> (content: HostedContent, isNew: Bool) {
        guard (1...HostingLimits.packageBytes).contains(bytes) else {
            throw CatalogueError(
                .valueInvalid, "a package has 1 to \(HostingLimits.packageBytes) bytes (R6.2: at most 2 GB)",
                field: "packageBytes")
        }
        try requireOpen(product)
        let all = try HostedContent.list(of: product.itemID, in: change.transaction)
        let open = all.filter { $0.state == .uploading }
        if let same = open.first(where: { $0.packageDigest == digest && $0.packageBytes == bytes }) {
            return (same, false)
        }
        guard open.count < HostingLimits.openUploads else {
            throw CatalogueError(
                .limitReached,
                "\(product.productID) has \(open.count) uploads under way; finish or remove one of them first")
        }
        guard all.count < HostingLimits.versions else {
            throw CatalogueError(.limitReached, "a product has at most \(HostingLimits.versions) uploads of content")
        }
        let kept = try HostedContent.bytesKept(in: change.transaction)
        guard kept + bytes <= quota else {
            throw CatalogueError(
                .limitReached,
                "hosted content has \(kept) of \(quota) bytes, and this package has \(bytes); remove versions that nobody needs, "
                    + "or raise --content-quota", field: "packageBytes")
        }
        let number = (all.map(\.number).max() ?? 0) + 1
        try change.transaction.insert(
            into: "content_version",
            [
                "item_id": product.itemID, "number": number, "state": ContentState.uploading, "package_digest": digest,
                "package_bytes": bytes, "part_bytes": HostingLimits.partBytes, "uploaded_by": change.actor.text,
                "begun_at": change.at, "touched_at": change.at,
            ])
        return (try HostedContent.require(number, of: product, in: change.transaction), true)
    }

    /// Throws unless content of a product may come and be looked at now.
    package static func requireOpen(_ product: CatalogueProduct) throws(CatalogueError) {
        guard product.hostsContent else {
            throw CatalogueError(
                .stateWrong,
                "the store hosts no content of \(product.productID); switch it on first: till products hosting BUNDLE "
                    + "\(product.productID) on")
        }
        let busy: [ProductState] = [.waitingForReview, .inReview, .pendingBinaryApproval, .removedFromSale]
        guard !busy.contains(product.state) else {
            throw CatalogueError(
                .stateWrong,
                "\(product.productID) is \(product.state.rawValue.replacing("_", with: " ")), and its content stays as it is "
                    + "meanwhile")
        }
    }

    /// An upload that takes parts, or the refusal of one that does not.
    package static func requireOpen(
        _ number: Int, of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> HostedContent {
        let content = try HostedContent.require(number, of: product, in: transaction)
        guard content.state == .uploading else {
            throw CatalogueError(
                .stateWrong,
                "upload \(number) takes no parts: it is \(content.state.rawValue.replacing("_", with: " "))",
                field: "uploadId")
        }
        return content
    }

    /// Throws unless there is such a part, and what is said of its bytes fits its number.
    static func check(_ part: Int, _ bytes: ComingPart, of content: HostedContent) throws(CatalogueError) {
        guard (1...content.partCount).contains(part) else {
            throw CatalogueError(
                .valueInvalid, "upload \(content.number) has the parts 1 to \(content.partCount)", field: "partNumber")
        }
        let wanted = content.byteCount(ofPart: part)
        guard bytes.total ?? wanted == wanted, (0..<wanted).contains(bytes.offset) else {
            throw CatalogueError(
                .valueInvalid,
                "part \(part) has \(wanted) bytes, and the rest of it goes as bytes FIRST-\(wanted - 1)/\(wanted)",
                field: "Content-Range")
        }
    }

    /// Notes a part that is a blob already. The same part may come again.
    package static func note(
        _ part: Int, _ blob: BlobID, of content: HostedContent, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try BlobRemoval.claim(blob, in: transaction)
        try transaction.insertOrUpdate(
            "content_part", ["digest": blob, "bytes": content.byteCount(ofPart: part)],
            key: ["item_id": content.item, "number": content.number, "part": part])
        try transaction.update("content_version", ["touched_at": now], where: content.key)
    }

    /// Hands a complete package over to be looked at.
    ///
    /// - Parameter delay: how long that is put off, as if there were a queue.
    package static func complete(
        _ number: Int, of product: CatalogueProduct, delay: Duration, _ change: CatalogueChange
    ) throws -> HostedContent {
        let content = try HostedContent.require(number, of: product, in: change.transaction)
        // Said again: the answer was lost.
        guard content.state == .uploading else { return content }
        try requireOpen(product)
        let there = Set(try content.parts(in: change.transaction).map(\.part))
        let missing = (1...content.partCount).filter { !there.contains($0) }
        guard missing.isEmpty else {
            throw CatalogueError(
                .stateWrong,
                "upload \(number) lacks \(missing.count) of \(content.partCount) parts, the first of them \(missing[0])",
                field: "uploadId")
        }
        try Catalogue.change(product, "content uploaded", change) {
            try content.advance(.completed, at: change.at, in: change.transaction)
            try change.transaction.update("content_version", ["uploaded_at": change.at], where: content.key)
            if !product.review.isLive { try ProductReviews.advance(.edited, product.itemID, change) }
            try WorkTable.schedule(
                Work(
                    ContentProcessing.work, ContentProcessing.subject(of: content), dueAt: change.at + delay,
                    clock: .wall),
                in: change.transaction)
        }
        return try HostedContent.require(number, of: product, in: change.transaction)
    }

    /// Gives an upload up.
    package static func abandon(
        _ number: Int, of product: CatalogueProduct, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        let content = try requireOpen(number, of: product, in: transaction)
        try content.advance(.withdrawn, at: now, in: transaction)
    }
}

/// What the sender of a part says of it.
package struct ComingPart: Sendable {
    /// Where in the part the bytes begin that come; those before are there already.
    let offset: Int64
    /// How many bytes the part has; nil if nothing was said of that.
    let total: Int64?
    /// The SHA-256 of the whole part.
    let digest: BlobID

    package init(from offset: Int64 = 0, of total: Int64? = nil, digest: [UInt8]) {
        (self.offset, self.total, self.digest) = (offset, total, BlobID(digest: digest))
    }

    /// The field that has the digest.
    package var digestField: String { offset > 0 ? "Repr-Digest" : "Content-Digest" }
}

/// A package that arrives as one stream, as from a form: it becomes parts on the way, and an upload once all of it is there.
package struct ContentReceiver {
    /// What arrived.
    package struct Received: Sendable {
        let parts: [BlobID]
        let digest: BlobID
        let bytes: Int64
    }

    private let blobs: any BlobStore
    private let catalogue: any Database
    private let wall: @Sendable () -> Instant
    private let digest: RunningDigest
    private var parts: [BlobID] = []
    /// When all parts were last kept from being swept.
    private var heldAt: Instant
    private var bytes: Int64 = 0
    private var pending: [UInt8] = []

    package init(
        _ blobs: any BlobStore, of catalogue: any Database, wall: @escaping @Sendable () -> Instant
    ) throws {
        self.blobs = blobs
        self.catalogue = catalogue
        self.wall = wall
        heldAt = wall()
        digest = try RunningDigest(.sha256)
    }

    /// Takes the next piece.
    package mutating func add(_ piece: [UInt8]) async throws {
        bytes += Int64(piece.count)
        guard bytes <= HostingLimits.packageBytes else {
            throw CatalogueError(
                .valueInvalid, "a package has at most \(HostingLimits.packageBytes) bytes (R6.2: at most 2 GB)",
                field: "file")
        }
        try digest.update(piece)
        pending += piece
        while pending.count >= HostingLimits.partBytes {
            try await keep(Array(pending[..<HostingLimits.partBytes]))
            pending.removeFirst(HostingLimits.partBytes)
        }
    }

    /// Keeps what is left; all of it is there.
    package mutating func finish() async throws -> Received {
        if !pending.isEmpty { try await keep(pending) }
        pending = []
        try await BlobRemoval.hold(parts, in: blobs, of: catalogue, at: wall())
        return Received(parts: parts, digest: BlobID(digest: try digest.finish()), bytes: bytes)
    }

    private mutating func keep(_ part: [UInt8]) async throws {
        let blobs = blobs
        parts.append(
            try await OwnThread.run(named: "content") { () throws in
                try blobs.requireRoom(for: Int64(part.count))
                return try blobs.keep(part)
            })
        // Nothing refers to them until all have come, which may take longer than a sweep waits.
        let now = wall()
        guard now >= heldAt + Self.holdAgain else { return }
        try await BlobRemoval.hold(parts, in: blobs, of: catalogue, at: now)
        heldAt = now
    }

    private static let holdAgain = Duration.seconds(15 * 60)
}

extension ContentUploads {
    /// Makes an upload of what arrived as a stream, and hands it over.
    package static func enter(
        _ received: ContentReceiver.Received, for product: CatalogueProduct, intake: ContentIntake,
        _ change: CatalogueChange
    ) throws -> HostedContent {
        let content = try begin(
            product, digest: received.digest, bytes: received.bytes, quota: intake.quota, change
        ).content
        for (index, blob) in received.parts.enumerated() {
            try note(index + 1, blob, of: content, at: change.at, in: change.transaction)
        }
        let complete = try complete(content.number, of: product, delay: intake.delay, change)
        try change.transaction.signal(Signal(ContentProcessing.topic, subject: ContentProcessing.topic.name))
        return complete
    }
}
