import StoreFoundation
import StoreModel
import StoreSigning

/// The form in which content reaches devices: a zip archive with `ContentInfo.plist` and `Contents` at its root.
package enum DeliveredArchive {
    /// Makes the archive of a package, and hands it out piece by piece. The same package gives the same bytes.
    ///
    /// Deflated files are copied as they are, since both formats deflate; every file is decompressed once to check it. The
    /// package is held against the rules again on the way: a package that breaks one throws, and what the sink has got by
    /// then is to be given up.
    package static func write(
        from path: String, limits: ContentLimits = ContentLimits(), work: ContentWork = ContentWork(),
        to sink: ([UInt8]) throws -> Void
    ) throws -> ContentManifest {
        try withoutActuallyEscaping(sink) { sink in
            try write(
                from: path, limits: limits, work: work, threshold: Int64(UInt32.max), countThreshold: 0xFFFF, to: sink)
        }
    }

    /// - Parameters:
    ///   - threshold: from which number on the long form is needed.
    ///   - countThreshold: the same for the number of entries.
    static func write(
        from path: String, limits: ContentLimits, work: ContentWork = ContentWork(), threshold: Int64,
        countThreshold: Int, to sink: @escaping ([UInt8]) throws -> Void
    ) throws -> ContentManifest {
        let validation = try ContentValidation.ofPackage(
            path, limits: limits,
            work: ContentWork(progress: { work.progress($0, $1 * 2) }, isCancelled: work.isCancelled))
        guard validation.isValid, let version = validation.info?.version, let product = validation.info?.product else {
            throw ContentError.refused(validation.findings)
        }
        let reader = try PackageReader(path, limits: limits)
        var rows: [[UInt8]: PackageTable.Row] = [:]
        for row in reader.table.rows { row.path.map { rows[Array($0.utf8)] = row } }
        let output = try ArchiveOutput(sink)
        let archiving = Archiving(reader: reader, output: output, threshold: threshold, work: work)
        var records: [ZipRecord] = []
        for entry in validation.entries.sorted(by: isBefore) {
            guard let row = rows[Array(entry.path.utf8)] else {
                throw ContentError(.damaged, "the package was changed")
            }
            records.append(try archiving.add(entry, row))
        }
        let start = output.byteCount
        for record in records { try output.add(record.directory(threshold: threshold)) }
        try output.add(
            ZipRecord.end(
                count: records.count, directory: start..<output.byteCount, threshold: threshold,
                countThreshold: countThreshold))
        let digests = try output.finish()
        guard output.byteCount <= limits.packageBytes else {
            throw ContentError(
                .tooLarge, "the archive has \(output.byteCount) bytes, and may have \(limits.packageBytes)")
        }
        let files = validation.entries.sorted(by: isBefore).filter(\.isFile)
        return ContentManifest(
            contentVersion: version, product: product, byteCount: output.byteCount, digest: digests.whole,
            chunkLength: ContentManifest.chunkLength, chunkDigests: digests.chunks,
            files: files.map { ContentManifest.File(path: $0.path, bytes: $0.bytes) },
            unpackedBytes: validation.unpackedBytes)
    }

    /// The description first, then by the bytes of the paths, whatever the order in the package was. Folders so come before
    /// what is in them.
    private static func isBefore(_ one: ContentEntry, _ other: ContentEntry) -> Bool {
        let (isFirst, isSecond) = (one.path == ContentRoot.info, other.path == ContentRoot.info)
        return isFirst != isSecond ? isFirst : ContentPath.precedes(one.path, other.path)
    }
}

/// What is handed out, with digests of the whole and of each chunk.
private final class ArchiveOutput {
    private let sink: ([UInt8]) throws -> Void
    private let whole: RunningDigest
    private var chunk: [UInt8] = []
    private var chunks: [UInt8] = []
    private(set) var byteCount: Int64 = 0

    init(_ sink: @escaping ([UInt8]) throws -> Void) throws {
        self.sink = sink
        whole = try RunningDigest(.sha256)
        chunk.reserveCapacity(ContentManifest.chunkLength)
    }

    func add(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try add($0) } }

    func add(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(ContentManifest.chunkLength - chunk.count)
            chunk += UnsafeRawBufferPointer(rebasing: piece)
            rest = rest[piece.endIndex...]
            if chunk.count == ContentManifest.chunkLength { try endChunk() }
        }
        byteCount += Int64(bytes.count)
    }

    private func endChunk() throws {
        try whole.update(chunk)
        chunks += try DigestAlgorithm.sha256.digest(chunk)
        try sink(chunk)
        chunk.removeAll(keepingCapacity: true)
    }

    func finish() throws -> (whole: [UInt8], chunks: [UInt8]) {
        if !chunk.isEmpty { try endChunk() }
        return (try whole.finish(), chunks)
    }
}

/// The making of one archive.
private struct Archiving {
    let reader: PackageReader
    let output: ArchiveOutput
    let threshold: Int64
    let work: ContentWork

    func add(_ entry: ContentEntry, _ row: PackageTable.Row) throws -> ZipRecord {
        var record = ZipRecord(name: entry.path, mode: ZipRecord.fileMode, offset: output.byteCount)
        switch entry.kind {
        case .folder:
            record.name += "/"
            record.mode = ZipRecord.folderMode
            try output.add(record.local(threshold: threshold))
        case .link(let target):
            record.mode = ZipRecord.linkMode
            let bytes = Array(target.utf8)
            var crc = CRC32()
            bytes.withUnsafeBytes { crc.update($0) }
            (record.crc, record.bytes, record.storedBytes) = (crc.value, Int64(bytes.count), Int64(bytes.count))
            try output.add(record.local(threshold: threshold) + bytes)
        case .file: try addFile(&record, row.extent)
        case .other(let name): throw ContentError(.refused, "\(entry.path) is \(name)")
        }
        return record
    }

    /// Reads a file twice: its header says what is known after the first time only.
    private func addFile(_ record: inout ZipRecord, _ extent: PackageTable.Extent?) throws {
        guard let extent, extent.bytes > 0 || extent.storedBytes > 0 else {
            return try output.add(record.local(threshold: threshold))
        }
        let isDeflated = PackageReader.encoding(extent) == .deflated
        // What another tool stored without need is deflated here.
        let compressor = isDeflated || Compression.isCompressed(record.name) ? nil : try Compressor(.bare)
        var crc = CRC32()
        var compressed: Int64 = 0
        try reader.read(extent) { piece in
            crc.update(piece)
            try compressor?.add(piece) { compressed += Int64($0.count) }
            try advance()
        }
        try compressor?.finish { compressed += Int64($0.count) }
        let isWorthIt = compressor != nil && Compression.gains(compressed, from: extent.bytes)
        let wrapping = DeflateForm.bytesBefore + DeflateForm.bytesBehind
        record.crc = crc.value
        record.bytes = extent.bytes
        record.isDeflated = isDeflated || isWorthIt
        record.storedBytes = isDeflated ? extent.storedBytes - wrapping : isWorthIt ? compressed : extent.bytes
        try output.add(record.local(threshold: threshold))
        let start = output.byteCount
        try copy(extent, isDeflated: isDeflated, compressor: isWorthIt ? try Compressor(.bare) : nil)
        // The file under the reader may have been changed meanwhile.
        guard output.byteCount - start == record.storedBytes else {
            throw ContentError(.damaged, "the package was changed")
        }
    }

    private func copy(_ extent: PackageTable.Extent, isDeflated: Bool, compressor: Compressor?) throws {
        let checksum = try RunningChecksum(extent.storedChecksum)
        var place: Int64 = 0
        // What is stored as it is may be shorter than what surrounds deflated bytes.
        let end = isDeflated ? extent.storedBytes - DeflateForm.bytesBehind : DeflateForm.bytesBefore
        guard end >= DeflateForm.bytesBefore else {
            throw ContentError(.damaged, "a file is too short to be compressed")
        }
        let bare = DeflateForm.bytesBefore..<end
        try reader.readStored(extent) { piece in
            try checksum.update(piece)
            if let compressor {
                try compressor.add(piece) { try output.add($0) }
            } else if isDeflated {
                let range = bare.clamped(to: place..<(place + Int64(piece.count)))
                let part = piece[Int(range.lowerBound - place)..<Int(range.upperBound - place)]
                try output.add(UnsafeRawBufferPointer(rebasing: part))
            } else {
                try output.add(piece)
            }
            place += Int64(piece.count)
            try advance()
        }
        try compressor?.finish { try output.add($0) }
        try checksum.finish()
    }

    private func advance() throws {
        try work.advance(to: min(reader.byteCount + output.byteCount, reader.byteCount * 2), of: reader.byteCount * 2)
    }
}
