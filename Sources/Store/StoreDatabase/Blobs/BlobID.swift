import StoreSigning

/// The name of a blob: the SHA-256 of its content, in 64 small hexadecimal digits.
package struct BlobID: Hashable, Sendable {
    package let text: String

    /// Reads the name of a blob; nil if it is none.
    package init?(_ text: String) {
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }

    init(digest: [UInt8]) {
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
