package import StoreDatabase
import StoreFoundation

/// Where pictures and hosted content are; opened when the first of them is needed.
package struct BlobSource: Sendable {
    private let opened: @Sendable () throws -> (any BlobStore)?

    /// - Parameter open: gives the same store each time; nil where there is none.
    package init(_ open: @escaping @Sendable () throws -> (any BlobStore)?) {
        opened = open
    }

    /// Where nothing is kept.
    package static let none = BlobSource { nil }

    /// The store, opened; nil where there is none.
    package func callAsFunction() throws -> (any BlobStore)? { try opened() }

    /// The store, opened; throws where there is none.
    package func require(or error: @autoclosure () -> any Error) throws -> any BlobStore {
        guard let store = try opened() else { throw error() }
        return store
    }

    /// The content of a blob; nil where there is no store.
    ///
    /// - Parameter bytes: how many it has, as the database knows.
    package func content(of id: BlobID, bytes: Int64) throws -> BlobContent? {
        try opened().map { BlobContent(id, bytes: bytes, in: $0) }
    }
}

/// The content of a blob, for an answer that sends it.
package struct BlobContent: Sendable {
    /// The same for the same content, and for no other.
    package let tag: String
    package let bytes: Int64
    private let id: BlobID
    private let store: any BlobStore

    init(_ id: BlobID, bytes: Int64, in store: any BlobStore) {
        (self.id, self.bytes, self.store) = (id, bytes, store)
        tag = id.text
    }

    /// The path of its file; nil where it is none on this machine.
    package var path: String? { (store as? FolderBlobStore)?.path(of: id) }

    /// Why it cannot be sent if its file is not there, or not of its length.
    package var missing: any Error { BlobError(.missing, "the blob \(id) is not where it was kept").of(id) }

    /// Throws unless some bytes are those that were kept.
    package func require(_ bytes: [UInt8]) throws {
        guard try BlobID(of: bytes) == id else { throw BlobError(damaged: id) }
    }

    /// Some of its bytes.
    package func read(_ range: Range<Int64>) async throws -> [UInt8] {
        let (id, store) = (id, store)
        return try await OwnThread.run(named: "blobs") { try store.read(id, range) }
    }
}
