import Glibc
import StoreFoundation
import StoreSigning

/// The first bytes of a package, which say how long its table of contents is.
struct PackageHeader: Hashable {
    static let magic = Array("xar!".utf8)
    static let byteCount = 28
    /// How long a header may be: later versions of the format say more in it.
    static let mostBytes = 512
    /// SHA-1, the one checksum that every reader of the format knows.
    static let sha1: UInt32 = 1

    var headerBytes = PackageHeader.byteCount
    var storedTableBytes: Int64
    var tableBytes: Int64
    var checksum = PackageHeader.sha1

    var heapStart: Int64 { Int64(headerBytes) + storedTableBytes }

    var encoded: [UInt8] {
        Self.magic + BigEndian.bytes(UInt16(Self.byteCount)) + BigEndian.bytes(UInt16(1))
            + BigEndian.bytes(UInt64(storedTableBytes)) + BigEndian.bytes(UInt64(tableBytes))
            + BigEndian.bytes(checksum)
    }
}

extension PackageHeader {
    /// Reads the header of a file of so many bytes, and holds it against the limits before anything else is read.
    init(_ bytes: [UInt8], fileBytes: Int64, limits: ContentLimits) throws {
        guard bytes.starts(with: Self.magic) else {
            throw ContentError(.notAPackage, "this is no package of hosted content, which begins with xar!")
        }
        guard bytes.count >= Self.byteCount else { throw ContentError(.damaged, "the package ends in its header") }
        headerBytes = Int(BigEndian.number(bytes[4..<6]))
        let version = BigEndian.number(bytes[6..<8])
        let (stored, plain) = (BigEndian.number(bytes[8..<16]), BigEndian.number(bytes[16..<24]))
        checksum = UInt32(BigEndian.number(bytes[24..<28]))
        guard version == 1, (Self.byteCount...Self.mostBytes).contains(headerBytes) else {
            throw ContentError(.notAPackage, "the package is of version \(version) of its format, and 1 is read")
        }
        guard stored > 0, plain > 0, stored <= UInt64(limits.storedTableBytes), plain <= UInt64(limits.tableBytes)
        else {
            throw ContentError(
                .tooLarge,
                "the table of contents has \(plain) bytes, stored as \(stored), and may have \(limits.tableBytes)")
        }
        (storedTableBytes, tableBytes) = (Int64(stored), Int64(plain))
        guard heapStart <= fileBytes else { throw ContentError(.damaged, "the package ends in its table of contents") }
    }
}

/// Numbers with the most significant byte first.
enum BigEndian {
    static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The checksums that a package may have.
enum PackageChecksum {
    static func algorithm(_ style: String?) -> DigestAlgorithm? {
        switch style {
        case "sha1": .sha1
        case "sha256": .sha256
        case "sha384": .sha384
        default: nil
        }
    }

    static func digits(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
