package import StoreDatabase
import StoreFoundation
package import StoreModel

/// A version of hosted content as it is shown: which environments deliver it, and what is in it.
package struct ContentDetails: Hashable, Sendable {
    package let content: HostedContent
    package let delivered: DeliveredVersions
    /// Only where one version is asked for.
    package let files: [HostedContent.File]?
}

/// The numbers of the versions that each environment delivers now.
package struct DeliveredVersions: Hashable, Sendable {
    package let sandbox: Int?
    package let production: Int?

    package init(of item: ItemID, in transaction: any ReadTransaction) throws {
        sandbox = try HostedContent.newest(of: item, in: .sandbox, transaction)?.number
        production = try HostedContent.newest(of: item, in: .production, transaction)?.number
    }
}

/// An upload that is open, and the parts of it that are there.
package struct ContentUploadDetails: Hashable, Sendable {
    package let content: HostedContent
    package let received: [Int]
    /// How many bytes are there of the parts that have come in part, by their numbers.
    package private(set) var begun: [Int: Int64] = [:]

    init(_ content: HostedContent, in transaction: any ReadTransaction) throws {
        self.content = content
        received = try content.parts(in: transaction).map(\.part)
    }

    /// The same with what lies among the drafts of this process.
    fileprivate func with(_ blobs: (any BlobStore)?) async -> ContentUploadDetails {
        guard let blobs else { return self }
        let content = content
        var details = self
        let begun = await OwnThread.run(named: "content") { PartDrafts(blobs).byteCounts(of: content) }
        details.begun = begun.filter { !received.contains($0.key) }
        return details
    }
}

extension CatalogueEditing {
    /// All versions of a product's content.
    package func contents(of path: ProductPath) async throws -> [ContentDetails] {
        try await read { transaction in
            let product = try product(path, in: transaction)
            let delivered = try DeliveredVersions(of: product.itemID, in: transaction)
            return try HostedContent.list(of: product.itemID, in: transaction).map {
                ContentDetails(content: $0, delivered: delivered, files: nil)
            }
        }
    }

    /// One version, with its table of contents.
    package func content(_ number: Int, of path: ProductPath) async throws -> ContentDetails {
        try await read { try details(number, of: product(path, in: $0), in: $0) }
    }

    /// What customers get of a version.
    package func archive(
        of number: Int, _ path: ProductPath
    ) async throws -> (blob: BlobID, bytes: Int64) {
        try await read { transaction in
            let content = try HostedContent.require(number, of: product(path, in: transaction), in: transaction)
            guard let archive = content.archive else {
                throw CatalogueError(.nameUnknown, "the bytes of content \(number) are not kept", field: "number")
            }
            try BlobDamage.requireNone(of: archive.blob, in: transaction)
            return (archive.blob, archive.bytes)
        }
    }

    package func withdrawContent(_ number: Int, of path: ProductPath) async throws -> ContentDetails {
        try await write { change in
            let product = try product(path, in: change.transaction)
            try HostedContent.withdraw(number, of: product, change)
            return try details(number, of: product, in: change.transaction)
        }
    }

    private func details(
        _ number: Int, of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> ContentDetails {
        let content = try HostedContent.require(number, of: product, in: transaction)
        return ContentDetails(
            content: content, delivered: try DeliveredVersions(of: product.itemID, in: transaction),
            files: try content.files(in: transaction))
    }
}

// MARK: Uploads

extension CatalogueEditing {
    /// Begins an upload of a package, or goes on with the one of its digest.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of the package, in hexadecimal digits.
    ///   - blobs: where its parts come to; nil where none are open in this process.
    package func beginUpload(
        of path: ProductPath, digest: String, bytes: Int64, quota: Int64, in blobs: (any BlobStore)? = nil
    ) async throws -> (upload: ContentUploadDetails, isNew: Bool) {
        guard let digest = BlobID(digest) else {
            throw CatalogueError(
                .valueInvalid, "it is a SHA-256 in 64 small hexadecimal digits", field: "packageDigest")
        }
        let (begun, isNew) = try await write { change in
            let (content, isNew) = try ContentUploads.begin(
                product(path, in: change.transaction), digest: digest, bytes: bytes, quota: quota, change)
            return (try ContentUploadDetails(content, in: change.transaction), isNew)
        }
        return (await begun.with(blobs), isNew)
    }

    /// An upload that is open.
    ///
    /// - Parameter blobs: where its parts come to; nil where none are open in this process.
    package func upload(
        _ number: Int, of path: ProductPath, in blobs: (any BlobStore)? = nil
    ) async throws -> ContentUploadDetails {
        try await read { transaction in
            try ContentUploadDetails(
                ContentUploads.requireOpen(number, of: product(path, in: transaction), in: transaction),
                in: transaction)
        }.with(blobs)
    }

    /// Gives an upload up.
    ///
    /// - Parameter blobs: where its parts came to; nil where none are open in this process.
    package func abandonUpload(
        _ number: Int, of path: ProductPath, in blobs: (any BlobStore)? = nil
    ) async throws {
        try actor.require(.catalogue, in: .both)
        if let blobs {
            // Before the rest, for which a full disk may have no room.
            let content = try await upload(number, of: path).content
            await OwnThread.run(named: "content") { PartDrafts(blobs).remove(all: content) }
        }
        try await write { change in
            try ContentUploads.abandon(
                number, of: product(path, in: change.transaction), at: change.at, in: change.transaction)
        }
    }

    /// Takes a part of an upload, or what was missing of one, that has the SHA-256 that its sender says. What came of it is kept
    /// if the rest does not come, but on a disk that is full.
    ///
    /// - Parameter next: the next bytes; nil at the end of the part.
    package func takePart(
        _ part: Int, _ coming: ComingPart, of number: Int, _ path: ProductPath, in blobs: any BlobStore,
        _ next: () async throws -> [UInt8]?
    ) async throws {
        try actor.require(.catalogue, in: .both)
        let content = try await upload(number, of: path).content
        try ContentUploads.check(part, coming, of: content)
        let drafts = PartDrafts(blobs)
        let blob: BlobID
        do {
            let draft = try await drafts.receive(part, of: content, from: coming.offset, next)
            // The bytes are there before anything says so; bytes that nothing says are found and removed.
            blob = try await OwnThread.run(named: "content") {
                try draft.keep(content.byteCount(ofPart: part), expecting: coming.digest)
            }
        } catch let error as BlobError where [.damaged, .full].contains(error.code) {
            drafts.remove(part, of: content)
            guard error.code == .damaged else { throw error }
            throw CatalogueError(
                .valueInvalid, "the part is not what its digest says; send all of it again",
                field: coming.digestField)
        }
        try await BlobRemoval.hold([blob], in: blobs, of: database, at: now())
        try await write { change in
            let open = try ContentUploads.requireOpen(
                number, of: product(path, in: change.transaction), in: change.transaction)
            try ContentUploads.note(part, blob, of: open, at: change.at, in: change.transaction)
        }
        drafts.remove(part, of: content)
    }

    /// Hands a package over to be looked at, once all its parts are there.
    package func completeUpload(_ number: Int, of path: ProductPath, _ intake: ContentIntake) async throws
        -> ContentDetails
    {
        let delay = intake.delay
        let handed = try await write { change in
            let product = try product(path, in: change.transaction)
            _ = try ContentUploads.complete(number, of: product, delay: delay, change)
            try change.transaction.signal(Signal(ContentProcessing.topic, subject: ContentProcessing.topic.name))
            return try details(number, of: product, in: change.transaction)
        }
        // Where no store runs, nobody else would look at it.
        guard let processing = intake.processing else { return handed }
        try await processing.processAll()
        return try await content(number, of: path)
    }
}
