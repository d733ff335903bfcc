import ContentPackage
import Foundation
package import StoreDatabase
import StoreFoundation
package import StoreLog
package import StoreModel
import StoreRules
import StoreSigning

/// Looks at uploaded packages and makes the archives that are delivered. What the tool said of a package counts for nothing
/// here.
///
/// A turn is idempotent: an archive is named by its bytes, and the row is changed once, with the parts that are not needed
/// any more.
package struct ContentProcessing: Sendable {
    package static let work = "content"
    /// Signalled when a package waits.
    package static let topic = SignalTopic("content")
    private static let retries = RetrySchedule.doubling(from: 5_000, upTo: 600_000, attempts: 1000)

    private let catalogue: any Database
    private let blobs: @Sendable () throws -> (any BlobStore)?
    private let folder: String
    private let wall: @Sendable () -> Instant
    private let log: Log

    /// - Parameter folder: where packages are put together; it is made if it is missing.
    package init(
        _ catalogue: any Database, blobs: @escaping @Sendable () throws -> (any BlobStore)?, folder: String,
        wall: @escaping @Sendable () -> Instant, log: Log
    ) {
        self.catalogue = catalogue
        self.blobs = blobs
        self.folder = folder
        self.wall = wall
        self.log = log
    }

    static func subject(of content: HostedContent) -> String { "\(content.item.number)/\(content.number)" }

    /// The handler of the work that complete uploads leave behind.
    package var handler: WorkHandler {
        WorkHandler(Self.work, retries: Self.retries) { turn in
            let parts = turn.work.subject.split(separator: "/")
            guard parts.count == 2, let item = Int64(parts[0]), let number = Int(parts[1]) else { return .done }
            try await process(number, of: try ItemID(number: item))
            return .done
        }
    }

    /// Looks at what waits and is due, one after the other: for commands, when no store runs that would do it.
    package func processAll() async throws {
        let now = wall()
        let waiting = try await catalogue.read { transaction in
            try transaction.query(
                """
                SELECT content_version.item_id, content_version.number FROM content_version JOIN work
                    ON work.kind = 'content' AND work.due_at <= $1
                WHERE content_version.state = 'processing'
                GROUP BY content_version.item_id, content_version.number ORDER BY 1, 2
                """, now
            ) { row in
                var cells = row.cells
                return try (cells.next(as: ItemID.self), cells.next(as: Int.self))
            }
        }
        for (item, number) in waiting { try await process(number, of: item) }
    }

    /// Looks at one package, unless that was done already.
    func process(_ number: Int, of item: ItemID) async throws {
        let found = try await catalogue.read { transaction -> Waiting? in
            guard let content = try HostedContent.find(number, of: item, in: transaction),
                let product = try Catalogue.product(item, in: transaction), content.state == .processing
            else { return nil }
            return try Waiting(
                content: content, product: product, parts: content.parts(in: transaction).map(\.blob),
                highest: HostedContent.highest(of: item, in: transaction))
        }
        guard let found else { return }
        guard let blobs = try blobs() else { throw BlobError(.missing, "no store of blobs is open") }
        let folder = folder
        let outcome = try await OwnThread.run(named: "content") { () throws -> Outcome in
            try Self.work(on: found, blobs: blobs, in: folder)
        }
        if case .made(_, let archive) = outcome {
            try await BlobRemoval.hold([archive], in: blobs, of: catalogue, at: wall())
        }
        try await keep(outcome, of: found)
    }

    private struct Waiting: Sendable {
        let content: HostedContent
        let product: CatalogueProduct
        let parts: [BlobID]
        let highest: ContentVersion?
    }

    private enum Outcome: Sendable {
        case made(ContentManifest, BlobID)
        case broken([HostedContent.Finding])
        /// Parts of it are not what came.
        case damaged(BlobError)
    }

    // MARK: On a thread of its own

    private static func work(on waiting: Waiting, blobs: any BlobStore, in folder: String) throws -> Outcome {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileFailure("making the folder", folder) }
        let path = "\(folder)/\(waiting.content.item.number)-\(waiting.content.number)-\(UUID().uuidString).pkg"
        defer { unlink(path) }
        let digest: BlobID
        do {
            digest = try assemble(waiting.parts, from: blobs, at: path)
        } catch let error as BlobError where BlobDamage.Kind(error) != nil {
            return .damaged(error)
        }
        guard digest == waiting.content.packageDigest else {
            return .broken([
                HostedContent.Finding(
                    path: nil, rule: "digest", message: "the parts together are not the package that was announced")
            ])
        }
        let validation = try ContentValidation.ofPackage(
            path,
            expecting: ContentExpectation(product: waiting.product.productID, previousVersion: waiting.highest))
        guard validation.isValid else {
            return .broken(
                validation.findings.map {
                    HostedContent.Finding(path: $0.path, rule: $0.rule.rawValue, message: $0.message)
                })
        }
        let draft = try blobs.begin()
        let manifest = try DeliveredArchive.write(from: path) { try draft.append($0) }
        return .made(manifest, try draft.keep())
    }

    /// Puts the parts of a package together; gives the digest of all.
    private static func assemble(_ parts: [BlobID], from blobs: any BlobStore, at path: String) throws -> BlobID {
        let file = try SystemFile(making: path)
        let digest = try RunningDigest(.sha256)
        for part in parts {
            let own = try RunningDigest(.sha256)
            guard let count = try blobs.byteCount(of: part) else {
                throw BlobError(.missing, "the part \(part) of the package is gone")
            }
            for start in stride(from: 0, to: count, by: Int(pieceBytes)) {
                let piece = try blobs.read(part, start..<min(start + pieceBytes, count))
                try file.write(piece)
                try digest.update(piece)
                try own.update(piece)
            }
            guard BlobID(digest: try own.finish()) == part else { throw BlobError(damaged: part) }
        }
        return BlobID(digest: try digest.finish())
    }

    private static let pieceBytes: Int64 = 1 << 20

    // MARK: In the catalogue

    private func keep(_ outcome: Outcome, of waiting: Waiting) async throws {
        let now = wall()
        let (item, number) = (waiting.content.item, waiting.content.number)
        let cause = CatalogueCause(.store, at: now)
        try await catalogue.write { transaction in
            guard let content = try HostedContent.find(number, of: item, in: transaction), content.state == .processing,
                let product = try Catalogue.product(item, in: transaction)
            else { return }
            let highest = try HostedContent.highest(of: item, in: transaction)
            switch outcome {
            case .made(let manifest, let blob):
                // Another package of the same product may have been faster.
                guard highest.map({ $0 < manifest.contentVersion }) ?? true else {
                    let finding = HostedContent.Finding(
                        path: "ContentInfo.plist", rule: ContentRule.versionNotRaised.rawValue,
                        message:
                            "version \(manifest.contentVersion) is not above \(highest?.text ?? ""), which came meanwhile"
                    )
                    return try Self.fail(content, product, [finding], cause.change(in: transaction))
                }
                try BlobRemoval.claim(blob, in: transaction)
                try Catalogue.change(
                    product, "content \(manifest.contentVersion) processed", cause.change(in: transaction)
                ) {
                    try content.keep(manifest, as: blob, at: now, in: transaction)
                    try ProductReviews.advance(.edited, item, cause.change(in: transaction))
                }
            case .broken(let findings): try Self.fail(content, product, findings, cause.change(in: transaction))
            case .damaged:
                let finding = HostedContent.Finding(
                    path: nil, rule: "damaged", message: "the store has lost a part of the package; push it once more")
                try Self.fail(content, product, [finding], cause.change(in: transaction))
            }
        }
        tell(outcome, waiting)
    }

    private static func fail(
        _ content: HostedContent, _ product: CatalogueProduct, _ findings: [HostedContent.Finding],
        _ change: CatalogueChange
    ) throws {
        try Catalogue.change(product, "content refused", change) {
            try change.transaction.update(
                "content_version", ["findings": HostedContent.encode(Array(findings.prefix(mostFindings)))],
                where: content.key)
            try content.advance(.failed, at: change.at, in: change.transaction)
            if !product.review.isLive { try ProductReviews.advance(.edited, product.itemID, change) }
        }
    }

    /// How many findings of a package are kept.
    private static let mostFindings = 200

    private func tell(_ outcome: Outcome, _ waiting: Waiting) {
        let product = waiting.product.productID.text
        switch outcome {
        case .made(let manifest, _):
            log.info(
                "content.processed", "The hosted content of \(product) is ready.",
                [
                    "product": .text(product), "version": .text(manifest.contentVersion.text),
                    "bytes": .number(manifest.byteCount),
                ])
        case .broken(let findings):
            log.warning(
                "content.refused", "A package of hosted content breaks a rule; till content status says which.",
                ["product": .text(product), "findings": .number(Int64(findings.count))])
        case .damaged(let error):
            log.error(
                "blob.damaged", "A part of a package is damaged; its developer is asked to push it once more.",
                ["product": .text(product), "reason": "\(error)"])
        }
    }
}

extension HostedContent {
    /// Notes the archive that was made of the package, whose parts are not needed any more.
    fileprivate func keep(
        _ manifest: ContentManifest, as blob: BlobID, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try advance(.processed, at: now, in: transaction)
        try removeParts(at: now, in: transaction)
        try transaction.update(
            "content_version",
            [
                "version": manifest.contentVersion.text, "processed_at": now, "archive": blob,
                "archive_bytes": manifest.byteCount, "unpacked_bytes": manifest.unpackedBytes,
                "file_count": manifest.files.count, "chunk_bytes": manifest.chunkLength,
                "chunk_digests": manifest.chunkDigests,
                "files": Self.encode(manifest.files.map { File(path: $0.path, bytes: $0.bytes) }),
            ], where: key)
    }
}

/// How packages of hosted content are taken in.
package struct ContentIntake: Sendable {
    /// How long it takes until a package is looked at, as if there were a queue.
    package let delay: Duration
    /// How many bytes all hosted content may have.
    package let quota: Int64
    /// Looks at packages in the request that completes them; nil where a running store does.
    package let processing: ContentProcessing?

    package init(
        delay: Duration = .zero, quota: Int64 = HostingLimits.quota, processing: ContentProcessing? = nil
    ) {
        self.delay = delay
        self.quota = quota
        self.processing = processing
    }
}
