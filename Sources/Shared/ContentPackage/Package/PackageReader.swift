import Glibc
import StoreFoundation
import StoreSigning

/// Reads a package, whoever made it: `.pkg` files are xar archives, which are a header, a compressed table of contents in XML
/// and a heap with the bytes of the files.
///
/// Nothing in it is believed: lengths are held against limits before anything of that length is read, what a file has lies
/// within the heap and belongs to no other, and every checksum is computed anew.
package final class PackageReader {
    /// How the bytes of a file are stored.
    enum Encoding {
        case stored, deflated
    }

    package let path: String
    package let limits: ContentLimits
    /// The bytes of the whole package.
    package let byteCount: Int64
    let file: SystemFile
    let header: PackageHeader
    let table: PackageTable
    private let buffer = PieceBuffer()

    package init(_ path: String, limits: ContentLimits = ContentLimits()) throws {
        self.path = path
        self.limits = limits
        (file, byteCount) = try SystemFile.opening(path)
        guard byteCount <= limits.packageBytes else {
            throw ContentError(.tooLarge, "the package has \(byteCount) bytes, and may have \(limits.packageBytes)")
        }
        header = try ContentError.catching { [file, byteCount] in
            try PackageHeader(file.read(count: PackageHeader.byteCount), fileBytes: byteCount, limits: limits)
        }
        let stored = try ContentError.catching { [file, header] in
            try file.read(at: Int64(header.headerBytes), count: Int(header.storedTableBytes))
        }
        let xml = try Decompressor.decompress(stored, byteCount: Int(header.tableBytes))
        table = try PackageTableReader.read(xml, limits: limits)
        try checkTable(stored)
    }

    /// The bytes behind the table of contents.
    var heapBytes: Int64 { byteCount - header.heapStart }

    private func checkTable(_ stored: [UInt8]) throws {
        guard let algorithm = PackageChecksum.algorithm(table.checksumStyle),
            header.checksum != PackageHeader.sha1 || algorithm == .sha1
        else {
            throw ContentError(
                .damaged, "the table of contents has no checksum that Till knows; it knows sha1 and sha256")
        }
        guard table.checksumBytes == Int64(algorithm.byteCount), isInHeap(table.checksumOffset, table.checksumBytes)
        else {
            throw ContentError(.damaged, "the checksum of the table of contents lies outside of the package")
        }
        let digest = try ContentError.catching {
            try file.read(at: header.heapStart + table.checksumOffset, count: algorithm.byteCount)
        }
        guard try algorithm.digest(stored) == digest else {
            throw ContentError(.damaged, "the checksum of the table of contents is wrong")
        }
    }

    func isInHeap(_ offset: Int64, _ count: Int64) -> Bool {
        offset >= 0 && count >= 0 && count <= heapBytes && offset <= heapBytes - count
    }

    // MARK: Files

    /// What a row of the table is.
    static func entry(_ row: PackageTable.Row, path: String) -> ContentEntry {
        let kind: ContentEntry.Kind =
            switch row.type {
            case "file": .file(bytes: row.extent?.bytes ?? 0)
            case "directory": .folder
            case "symlink": .link(target: row.target ?? "")
            case "hardlink": .other("a hard link")
            case "fifo": .other("a pipe")
            case "socket": .other("a socket")
            case "character special", "block special", "whiteout": .other("a device")
            default: .other("of a kind that is not known")
            }
        let entry = ContentEntry(path, kind)
        return entry.isFile && row.isExecutable ? ContentEntry(path, kind, isExecutable: true) : entry
    }

    /// How a file is stored; nil if Till does not know the compression.
    static func encoding(_ extent: PackageTable.Extent) -> Encoding? {
        switch extent.encoding {
        case nil, "application/octet-stream": .stored
        case "application/x-gzip": .deflated
        default: nil
        }
    }

    /// Hands out the bytes of a file as they are stored.
    func readStored(_ extent: PackageTable.Extent, _ sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        let start = header.heapStart + extent.offset
        try file.forEachPiece(of: start..<(start + extent.storedBytes), in: buffer, sink)
    }

    /// Hands out the bytes of a file, and throws unless lengths and checksums are right. A caller that uses bytes before the end
    /// has to give them up then.
    ///
    /// - Parameter stored: gets the bytes as they are stored.
    func read(
        _ extent: PackageTable.Extent, stored: (UnsafeRawBufferPointer) throws -> Void = { _ in },
        _ sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let encoding = Self.encoding(extent) else {
            throw ContentError(
                .damaged, "it is compressed in a way that Till does not read; make the package with gzip")
        }
        guard isInHeap(extent.offset, extent.storedBytes) else {
            throw ContentError(.damaged, "it lies outside of the package")
        }
        guard encoding == .deflated || extent.storedBytes == extent.bytes else {
            throw ContentError(.damaged, "it is not as long as it is said to be")
        }
        let storedSum = try RunningChecksum(extent.storedChecksum)
        // Stored bytes have one checksum, if it is of one style.
        let isOne = encoding == .stored && extent.checksum?.style == extent.storedChecksum?.style
        let sum = isOne ? nil : try RunningChecksum(extent.checksum)
        var made: Int64 = 0
        func take(_ piece: UnsafeRawBufferPointer) throws {
            made += Int64(piece.count)
            guard made <= extent.bytes else { throw ContentError(.damaged, "it is longer than it is said to be") }
            try sum?.update(piece)
            try sink(piece)
        }
        let decompressor = encoding == .deflated ? try Decompressor(.zlib) : nil
        try readStored(extent) { piece in
            try storedSum.update(piece)
            try stored(piece)
            if let decompressor { try decompressor.add(piece, take) } else { try take(piece) }
        }
        guard made == extent.bytes, decompressor?.isComplete ?? true else {
            throw ContentError(.damaged, "it is shorter than it is said to be")
        }
        try storedSum.finish()
        try sum?.finish()
        if isOne, extent.checksum != extent.storedChecksum { throw RunningChecksum.wrong }
    }
}

/// The checksum of a file, as it is computed beside the one that the table says.
final class RunningChecksum {
    static let wrong = ContentError(.damaged, "its checksum is wrong: the package was damaged")

    private let digest: RunningDigest
    private let expected: String

    init(_ expected: PackageTable.Checksum?) throws {
        guard let expected, let algorithm = PackageChecksum.algorithm(expected.style) else {
            throw ContentError(.damaged, "it has no checksum that Till knows; it knows sha1 and sha256")
        }
        digest = try RunningDigest(algorithm)
        self.expected = expected.digits
    }

    func update(_ piece: UnsafeRawBufferPointer) throws { try digest.update(piece) }

    func finish() throws {
        guard PackageChecksum.digits(try digest.finish()) == expected else { throw Self.wrong }
    }
}
