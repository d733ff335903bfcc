import Foundation
import StoreFoundation
import StoreSigning

/// Makes a package of a folder: the same folder gives the same bytes, wherever and whenever it is packed.
///
/// What other tools write into the table of contents, and what differs from one machine and day to the next, is left out or
/// fixed: times, owners, inodes, devices, modes. Entries are sorted.
package struct PackageWriter {
    package let limits: ContentLimits
    /// Where the bytes of the files are collected, until the table of contents that goes before them is known.
    package let workingFolder: String?
    package let work: ContentWork

    package init(
        limits: ContentLimits = ContentLimits(), workingFolder: String? = nil, work: ContentWork = ContentWork()
    ) {
        self.limits = limits
        self.workingFolder = workingFolder
        self.work = work
    }

    /// Packs a folder that keeps to the rules; throws with all findings if it does not. The package appears when it is
    /// complete, and takes the place of what was there.
    ///
    /// - Returns: what was looked at before.
    @discardableResult
    package func write(
        _ folder: String, to path: String, expecting expectation: ContentExpectation = ContentExpectation()
    ) throws -> ContentValidation {
        let validation = try ContentValidation.ofFolder(folder, expecting: expectation, limits: limits)
        guard validation.isValid else { throw ContentError.refused(validation.findings) }
        let output = (path as NSString).deletingLastPathComponent
        let spoolFolder = workingFolder ?? (output.isEmpty ? "." : output)
        try requireRoom(validation, output: output, spool: spoolFolder)
        return try ContentError.catching {
            let heap = try Spool(in: spoolFolder, upTo: limits.packageBytes)
            var packing = Packing(folder: folder, heap: heap, work: work, total: validation.unpackedBytes)
            for entry in validation.entries { try packing.add(entry) }
            let table = try packing.table()
            try finish(table, heap, at: path)
            return validation
        }
    }

    /// Fails before the work rather than at its end.
    private func requireRoom(_ validation: ContentValidation, output: String, spool: String) throws {
        // What does not become shorter is stored as it is; the table of contents takes some hundred bytes a file.
        let bytes =
            validation.unpackedBytes + validation.unpackedBytes / 1000 + Int64(validation.entries.count) * 1024 + 65536
        if DiskRoom.isSame(output.isEmpty ? "." : output, spool) {
            try DiskRoom.require(bytes * 2, in: spool, for: "packing")
        } else {
            try DiskRoom.require(bytes, in: spool, for: "collecting the files")
            try DiskRoom.require(bytes, in: output, for: "the package")
        }
    }

    /// Header, table, checksum, and the heap behind them.
    private func finish(_ table: String, _ heap: Spool, at path: String) throws {
        let xml = Array(table.utf8)
        let stored = try Compressor.compress(xml)
        let header = PackageHeader(storedTableBytes: Int64(stored.count), tableBytes: Int64(xml.count))
        let checksum = try DigestAlgorithm.sha1.digest(stored)
        let bytes = header.heapStart + Int64(checksum.count) + heap.byteCount
        guard bytes <= limits.packageBytes, xml.count <= limits.tableBytes, stored.count <= limits.storedTableBytes
        else {
            throw ContentError(.tooLarge, "the package would have \(bytes) bytes, and may have \(limits.packageBytes)")
        }
        let draft = path + ".draft"
        unlink(draft)
        do {
            let file = try SystemFile(making: draft)
            try file.write(header.encoded + stored + checksum)
            try heap.copy(to: file)
            guard fchmod(file.descriptor, 0o644) == 0 else { throw FileFailure("writing", draft) }
            try file.synchronize()
            try SystemFile.rename(draft, to: path)
            try SystemFile.synchronizeFolder(of: path)
        } catch {
            unlink(draft)
            throw error
        }
    }
}

/// A file without a name that holds bytes for a while; it is gone with the object.
private final class Spool {
    private let file: SystemFile
    private(set) var byteCount: Int64 = 0
    private let most: Int64

    /// - Parameter most: how many bytes it may have.
    init(in folder: String, upTo most: Int64) throws {
        self.most = most
        var template = Array((folder + "/.till-pack-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw FileFailure("making a file in", folder) }
        close(descriptor)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        file = try SystemFile(path, O_RDWR | O_NOFOLLOW, for: "collecting the files in")
    }

    func append(_ piece: UnsafeRawBufferPointer) throws {
        byteCount += Int64(piece.count)
        guard byteCount <= most else {
            throw ContentError(.tooLarge, "the package would have more than the \(most) bytes that it may have")
        }
        try file.write(piece)
    }

    /// Takes back what was added behind a place.
    func cut(to count: Int64) throws {
        guard ftruncate(file.descriptor, off_t(count)) == 0,
            lseek(file.descriptor, off_t(count), SEEK_SET) == off_t(count)
        else { throw FileFailure("collecting the files in", file.path) }
        byteCount = count
    }

    func copy(to output: SystemFile) throws {
        try file.forEachPiece(of: 0..<byteCount, in: PieceBuffer()) { try output.write($0) }
    }
}

/// The packing of one folder.
private struct Packing {
    let folder: String
    let heap: Spool
    let work: ContentWork
    let total: Int64
    private var done: Int64 = 0
    private var xml = TableText()
    private let buffer = PieceBuffer()

    init(folder: String, heap: Spool, work: ContentWork, total: Int64) {
        (self.folder, self.heap, self.work, self.total) = (folder, heap, work, total)
    }

    mutating func add(_ entry: ContentEntry) throws {
        switch entry.kind {
        case .folder: xml.add(entry, mode: "0755", type: "directory")
        case .link(let target): xml.add(entry, mode: "0755", type: "symlink", target: target)
        case .file(let bytes):
            let extent = try store(entry.path, bytes)
            xml.add(entry, mode: "0644", type: "file", extent: extent)
        case .other(let name): throw ContentError(.refused, "\(entry.path) is \(name)")
        }
    }

    mutating func table() throws -> String { xml.finish() }

    private mutating func store(_ path: String, _ bytes: Int64) throws -> PackageTable.Extent {
        let file = try SystemFile(reading: folder + "/" + path)
        let start = heap.byteCount
        var extent = PackageTable.Extent()
        extent.offset = Int64(DigestAlgorithm.sha1.byteCount) + start
        extent.bytes = bytes
        if !Compression.isCompressed(path), bytes > 0 {
            let sum = try RunningDigest(.sha1)
            let compressor = try Compressor(.zlib)
            let plain = try RunningDigest(.sha1)
            let keep: (UnsafeRawBufferPointer) throws -> Void = { [heap] piece in
                try sum.update(piece)
                try heap.append(piece)
            }
            try forEachPiece(of: file, bytes) { piece in
                try plain.update(piece)
                try compressor.add(piece, keep)
            }
            try compressor.finish(keep)
            extent.storedBytes = heap.byteCount - start
            if Compression.gains(extent.storedBytes, from: bytes) {
                extent.encoding = "application/x-gzip"
                extent.storedChecksum = .init(style: "sha1", digits: PackageChecksum.digits(try sum.finish()))
                extent.checksum = .init(style: "sha1", digits: PackageChecksum.digits(try plain.finish()))
                done += bytes
                return extent
            }
            try heap.cut(to: start)
        }
        let sum = try RunningDigest(.sha1)
        try forEachPiece(of: file, bytes) { [heap] piece in
            try sum.update(piece)
            try heap.append(piece)
        }
        done += bytes
        extent.encoding = "application/octet-stream"
        extent.storedBytes = bytes
        extent.checksum = .init(style: "sha1", digits: PackageChecksum.digits(try sum.finish()))
        extent.storedChecksum = extent.checksum
        return extent
    }

    /// Reads a file that must be as long as it was when it was looked at.
    private func forEachPiece(
        of file: SystemFile, _ bytes: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard try file.status().st_size == off_t(bytes) else {
            throw ContentError(.damaged, "\(file.path) was changed while it was packed")
        }
        var read: Int64 = 0
        try file.forEachPiece(of: 0..<bytes, in: buffer) { piece in
            try body(piece)
            read += Int64(piece.count)
            try work.advance(to: done + read, of: total)
        }
    }
}

/// The text of a table of contents, as entries come in their order.
private struct TableText {
    private var text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xar>
         <toc>
          <checksum style="sha1">
           <offset>0</offset>
           <size>20</size>
          </checksum>
          <creation-time>2009-06-17T00:00:00Z</creation-time>

        """
    /// The folders that are open.
    private var open: [String] = []
    private var count = 0

    mutating func add(
        _ entry: ContentEntry, mode: String, type: String, target: String? = nil, extent: PackageTable.Extent? = nil
    ) {
        let names = ContentPath(entry.path).names
        close(to: names.count - 1)
        count += 1
        line("<file id=\"\(count)\">")
        open.append(names[names.count - 1])
        if let extent { data(extent) }
        if let target { line("<link type=\"broken\">\(escaped(target))</link>") }
        line("<mode>\(mode)</mode>")
        line("<type>\(type)</type>")
        line("<name>\(escaped(open[open.count - 1]))</name>")
        // What is in a folder comes next, and closes it.
    }

    mutating func finish() -> String {
        close(to: 0)
        return text + " </toc>\n</xar>\n"
    }

    private mutating func data(_ extent: PackageTable.Extent) {
        line("<data>")
        line(" <length>\(extent.storedBytes)</length>")
        line(" <offset>\(extent.offset)</offset>")
        line(" <size>\(extent.bytes)</size>")
        line(" <encoding style=\"\(extent.encoding ?? "application/octet-stream")\"/>")
        if let sum = extent.storedChecksum {
            line(" <archived-checksum style=\"\(sum.style)\">\(sum.digits)</archived-checksum>")
        }
        if let sum = extent.checksum {
            line(" <extracted-checksum style=\"\(sum.style)\">\(sum.digits)</extracted-checksum>")
        }
        line("</data>")
    }

    private mutating func close(to depth: Int) {
        while open.count > depth {
            open.removeLast()
            line("</file>")
        }
    }

    private mutating func line(_ line: String) {
        text += String(repeating: " ", count: open.count + 2) + line + "\n"
    }

    private func escaped(_ value: String) -> String {
        value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
