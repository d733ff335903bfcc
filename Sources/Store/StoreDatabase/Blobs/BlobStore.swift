import StoreFoundation
import StoreSigning

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

    /// Whether others see to it that the bytes stay as they are, and want to be paid for reading them.
    var isCheckedElsewhere: Bool { get }

    /// The folder of contents that are on their way. Files in it are gone when the blobs are opened again; folders stay.
    var drafts: String { get }

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

    /// Deletes a blob; false if there is none. A reader that has it open may still read it to its end.
    @discardableResult
    func delete(_ id: BlobID) throws -> Bool
}

extension BlobStore {
    /// Throws unless bytes that come leave as many free on the disk of the drafts as the limit says. Blocks.
    package func requireRoom(for bytes: Int64) throws {
        guard let free = try? SystemFile(reading: drafts).freeBytes, free - bytes < limits.bytesLeftFree else { return }
        throw BlobError(
            .full, "the disk has \(free) bytes left, of which packages leave \(limits.bytesLeftFree) free")
    }
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

    /// The content of a blob that is small, as a whole; throws unless it is what its name says.
    package func content(of id: BlobID, bytes: Int64) throws -> [UInt8] {
        do {
            let content = try read(id, 0..<bytes)
            guard try BlobID(of: content) == id else { throw BlobError(damaged: id) }
            return content
        } catch let error as BlobError {
            throw error.of(id)
        }
    }
}

/// The name of a blob: the SHA-256 of its content, in 64 small hexadecimal digits.
package struct BlobID: Hashable, Sendable {
    package let text: String

    /// Reads the name of a blob; nil if it is none.
    package init?(_ text: String) {
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }

    package init(digest: [UInt8]) {
        text = digest.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// The name of some content.
    package init(of content: [UInt8]) throws {
        self.init(digest: try DigestAlgorithm.sha256.digest(content))
    }
}

extension BlobID: CustomStringConvertible {
    package var description: String { text }
}

extension BlobID: Comparable {
    package static func < (lower: BlobID, higher: BlobID) -> Bool { lower.text < higher.text }
}

extension BlobID: ColumnValue {
    package var databaseValue: DatabaseValue { .text(text) }

    package init(databaseValue: DatabaseValue) throws {
        guard let id = BlobID(try String(databaseValue: databaseValue)) else {
            throw DatabaseError.unexpected(databaseValue, insteadOf: "the name of a blob")
        }
        self = id
    }
}

/// How much a store of blobs takes on.
package struct BlobLimits: Hashable, Sendable {
    /// How many bytes one blob may have.
    package var bytesPerBlob: Int64 = 4 << 30
    /// How many bytes one read gives.
    package var bytesPerRead = 16 << 20
    /// How many bytes of the disk are left free where packages come: sales need them.
    package var bytesLeftFree = Self.leastFree

    /// With fewer free bytes a store does no business.
    package static let leastFree: Int64 = 100 << 20

    package init() {}
}

/// Why a blob could not be kept or had.
package struct BlobError: Error, Hashable, Sendable {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no such blob.
        package static let missing = Code(rawValue: "missing")
        /// The content is longer than the limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The content is not what its name says.
        package static let damaged = Code(rawValue: "damaged")
        /// The range lies outside the content.
        package static let outOfRange = Code(rawValue: "out_of_range")
        /// There is no room left.
        package static let full = Code(rawValue: "full")
        /// The disk failed, or does not let us.
        package static let inputOutput = Code(rawValue: "input_output")
        /// The content was kept or given up already.
        package static let ended = Code(rawValue: "ended")
    }

    package let code: Code
    /// One sentence that is safe to log.
    package let message: String
    /// The blob that could not be had; nil where the error is of none, or does not say of which.
    package private(set) var blob: BlobID?

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package init(damaged id: BlobID) {
        self.init(.damaged, "the content of the blob \(id) is not what its name says")
        blob = id
    }

    /// The same error, of a blob.
    package func of(_ id: BlobID) -> BlobError {
        var error = self
        error.blob = id
        return error
    }
}

extension BlobError: CustomStringConvertible {
    package var description: String { message }
}
