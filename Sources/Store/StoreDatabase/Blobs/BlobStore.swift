/// Large immutable contents, each under the digest of itself: hosted packages, screenshots, content files.
///
/// ```swift
/// let draft = try blobs.begin()
/// for try await piece in upload { try draft.append(piece) }
/// let blob = try draft.keep()
/// ```
///
/// The same content is there once, whoever keeps it and how often. A blob outlives whatever refers to it until somebody
/// who knows all references deletes it. Calls block; they belong on threads that may.
package protocol BlobStore: Sendable {
    var limits: BlobLimits { get }

    /// Begins a content that comes in pieces.
    func begin() throws -> any BlobDraft

    /// How many bytes a blob has; nil if there is none.
    func byteCount(of id: BlobID) throws -> Int64?

    /// Some bytes of a blob. The range lies within it, and has at most as many bytes as the limit.
    func read(_ id: BlobID, _ range: Range<Int64>) throws -> [UInt8]

    /// Throws unless the blob is there and its content is what its name says.
    func verify(_ id: BlobID) throws

    /// Every blob, in order of names, after a given one; at most `limit`.
    func list(after id: BlobID?, limit: Int) throws -> [BlobID]

    /// Forgets a blob; false if there is none. Whoever reads it meanwhile may still read it to its end.
    @discardableResult
    func delete(_ id: BlobID) throws -> Bool
}

/// A content that is on its way into a ``BlobStore``. One that is neither kept nor given up is given up with the object.
package protocol BlobDraft: AnyObject {
    /// Adds bytes; throws once the content is longer than the limit.
    func append(_ bytes: some Collection<UInt8>) throws

    /// Keeps the content, durably. If the name is known already, it has to be that.
    func keep(expecting id: BlobID?) throws -> BlobID

    /// Gives the content up.
    func discard()
}

extension BlobDraft {
    /// Keeps the content, durably; gives its name.
    package func keep() throws -> BlobID { try keep(expecting: nil) }
}

extension BlobStore {
    /// Keeps a content that is there as a whole.
    package func keep(_ content: [UInt8]) throws -> BlobID {
        let draft = try begin()
        try draft.append(content)
        return try draft.keep()
    }
}
