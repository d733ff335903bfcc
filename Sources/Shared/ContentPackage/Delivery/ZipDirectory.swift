import StoreFoundation

/// The directory of a delivered archive, held against everything that can be said of it without unpacking.
///
/// An archive may say many things twice: of each file in the directory and before its bytes, of the directory at the end. Where
/// readers differ in what they believe, attacks begin; so both have to be the same, and what the store never makes is not read:
/// parts, encryption, lengths behind the bytes, bytes that nothing in the directory speaks of before it.
struct ZipDirectory {
    struct Entry {
        let entry: ContentEntry
        let record: ZipRecord
        /// Where the bytes are.
        let data: Range<Int64>
    }

    /// Links are read later: where they point is in the bytes.
    private(set) var entries: [Entry] = []

    private let file: SystemFile
    private let fileBytes: Int64
    private let limits: ContentLimits

    init(_ file: SystemFile, bytes: Int64, limits: ContentLimits) throws {
        (self.file, fileBytes, self.limits) = (file, bytes, limits)
        let (place, count) = try find()
        let directory = try read(at: place.lowerBound, Int(place.upperBound - place.lowerBound))
        var reader = ByteReader(directory)
        var records: [ZipRecord] = []
        for _ in 0..<count { records.append(try record(&reader)) }
        guard reader.isAtEnd else { throw Self.damaged("its directory is longer than it is said to be") }
        // Bytes may belong to one file only; they follow one another in the order of the directory or in any other.
        var end: Int64 = 0
        for record in records.sorted(by: { $0.offset < $1.offset }) {
            let data = try data(of: record, before: place.lowerBound)
            guard record.offset >= end else { throw Self.damaged("the bytes of two files overlap") }
            end = data.upperBound
            entries.append(Entry(entry: try entry(record, data), record: record, data: data))
        }
    }

    static func damaged(_ what: String) -> ContentError {
        ContentError(.damaged, "the archive cannot be read: \(what)")
    }

    private func read(at offset: Int64, _ count: Int) throws -> [UInt8] {
        let bytes = try ContentError.catching { try file.read(at: offset, count: count) }
        guard bytes.count == count else { throw Self.damaged("it ends before its time") }
        return bytes
    }

    // MARK: The end

    /// Where the directory is, and how many entries it has. There is no remark behind the end.
    private func find() throws -> (place: Range<Int64>, count: Int) {
        guard fileBytes >= Int64(ZipRecord.endBytes) else { throw ContentError(.notAPackage, "this is no zip archive") }
        let endPlace = fileBytes - Int64(ZipRecord.endBytes)
        var end = ByteReader(try read(at: endPlace, ZipRecord.endBytes))
        guard try end.number(UInt32.self) == ZipRecord.endSignature else {
            throw ContentError(.notAPackage, "this is no zip archive, or it was cut off")
        }
        let (disk, directoryDisk) = (try end.number(UInt16.self), try end.number(UInt16.self))
        let (here, count) = (try end.number(UInt16.self), try end.number(UInt16.self))
        let (size, start) = (try end.number(UInt32.self), try end.number(UInt32.self))
        guard disk == 0, directoryDisk == 0, here == count, try end.number(UInt16.self) == 0 else {
            throw Self.damaged("it is part of a larger one, or has a remark")
        }
        guard count == .max || size == .max || start == .max else {
            return try checked(start: UInt64(start), size: UInt64(size), count: UInt64(count), end: endPlace)
        }
        return try findWide(endPlace)
    }

    private func findWide(_ endPlace: Int64) throws -> (place: Range<Int64>, count: Int) {
        let locatorPlace = endPlace - Int64(ZipRecord.wideLocatorBytes)
        let place = locatorPlace - Int64(ZipRecord.wideEndBytes)
        guard place >= 0 else { throw Self.damaged("its long end is missing") }
        var end = ByteReader(try read(at: place, ZipRecord.wideEndBytes + ZipRecord.wideLocatorBytes))
        guard try end.number(UInt32.self) == ZipRecord.wideEndSignature,
            try end.number(UInt64.self) == UInt64(ZipRecord.wideEndBytes - 12)
        else { throw Self.damaged("its long end is missing") }
        try end.skip(4)
        let (disk, directoryDisk) = (try end.number(UInt32.self), try end.number(UInt32.self))
        let (here, count) = (try end.number(UInt64.self), try end.number(UInt64.self))
        let (size, start) = (try end.number(UInt64.self), try end.number(UInt64.self))
        guard disk == 0, directoryDisk == 0, here == count,
            try end.number(UInt32.self) == ZipRecord.wideLocatorSignature,
            try end.number(UInt32.self) == 0, try end.number(UInt64.self) == UInt64(place)
        else { throw Self.damaged("its long end contradicts itself") }
        return try checked(start: start, size: size, count: count, end: place)
    }

    private func checked(start: UInt64, size: UInt64, count: UInt64, end: Int64) throws -> (
        place: Range<Int64>, count: Int
    ) {
        guard count <= UInt64(limits.entries) else {
            throw ContentError(.tooLarge, "the archive has \(count) entries, and may have \(limits.entries)")
        }
        guard size <= UInt64(limits.tableBytes) else {
            throw ContentError(
                .tooLarge, "the directory of the archive has \(size) bytes, and may have \(limits.tableBytes)")
        }
        guard start <= UInt64(end), start + size == UInt64(end) else {
            throw Self.damaged("its directory is not where it is said to be")
        }
        return (Int64(start)..<end, Int(count))
    }

    // MARK: Entries

    private func record(_ reader: inout ByteReader) throws -> ZipRecord {
        guard try reader.number(UInt32.self) == ZipRecord.directorySignature else {
            throw Self.damaged("its directory")
        }
        let system = try reader.number(UInt16.self) >> 8
        var common = try Common(&reader)
        let (nameBytes, fieldBytes) = (Int(try reader.number(UInt16.self)), Int(try reader.number(UInt16.self)))
        let (remarkBytes, disk) = (Int(try reader.number(UInt16.self)), try reader.number(UInt16.self))
        try reader.skip(2)
        let attributes = try reader.number(UInt32.self)
        var offset = UInt64(try reader.number(UInt32.self))
        let name = try Self.name(reader.bytes(nameBytes), common.flags)
        let field = try reader.bytes(fieldBytes)
        try reader.skip(remarkBytes)
        guard disk == 0 else { throw Self.damaged("it is part of a larger one") }
        try common.widen(field, &offset)
        let isFolder = name.utf8.last == ContentPath.separator
        // Modes are said by Unix only; elsewhere there are files and folders.
        let mode =
            system == 3 && attributes >> 16 != 0
            ? attributes >> 16 : isFolder ? ZipRecord.folderMode : ZipRecord.fileMode
        guard let start = Int64(exactly: offset), let stored = Int64(exactly: common.storedBytes),
            let bytes = Int64(exactly: common.bytes)
        else { throw Self.damaged("a number in it is too large") }
        return ZipRecord(
            name: name, mode: mode, isDeflated: common.method == 8, crc: common.crc, storedBytes: stored, bytes: bytes,
            offset: start)
    }

    private static func name(_ bytes: ArraySlice<UInt8>, _ flags: UInt16) throws -> String {
        let isPlain = bytes.allSatisfy { $0 < 0x80 }
        guard isPlain || flags & ZipRecord.unicodeFlag != 0, let name = String(validating: bytes, as: UTF8.self) else {
            throw damaged("a name in it is not UTF-8")
        }
        return name
    }

    /// Where the bytes of a file are; what stands before them is the same as in the directory.
    private func data(of record: ZipRecord, before end: Int64) throws -> Range<Int64> {
        let fixed = Int64(ZipRecord.localBytes)
        guard record.offset <= end - fixed else { throw Self.damaged("a file lies behind its directory") }
        var reader = ByteReader(try read(at: record.offset, ZipRecord.localBytes))
        guard try reader.number(UInt32.self) == ZipRecord.localSignature else {
            throw Self.damaged("a file has no header")
        }
        var common = try Common(&reader)
        let (nameBytes, fieldBytes) = (Int(try reader.number(UInt16.self)), Int(try reader.number(UInt16.self)))
        let start = record.offset + fixed + Int64(nameBytes + fieldBytes)
        guard start <= end, record.storedBytes <= end - start else { throw Self.damaged("a file is longer than it") }
        let rest = try read(at: record.offset + fixed, nameBytes + fieldBytes)
        var offset: UInt64 = 0
        try common.widen(rest[nameBytes...], &offset)
        let isSame =
            rest[..<nameBytes].elementsEqual(record.name.utf8) && (common.method == 8) == record.isDeflated
            && common.crc == record.crc && common.storedBytes == UInt64(record.storedBytes)
            && common.bytes == UInt64(record.bytes)
        guard isSame else { throw Self.damaged("a file is not what its directory says") }
        return start..<(start + record.storedBytes)
    }

    private func entry(_ record: ZipRecord, _ data: Range<Int64>) throws -> ContentEntry {
        let isFolder = record.name.utf8.last == ContentPath.separator
        let path = isFolder ? String(record.name.utf8.dropLast()) ?? "" : record.name
        guard record.isDeflated || record.storedBytes == record.bytes, !isFolder || record.bytes == 0 else {
            throw Self.damaged("the lengths of a file contradict each other")
        }
        switch record.mode & 0o170000 {
        case 0o120000 where !isFolder:
            guard !record.isDeflated, record.bytes <= 1024 else { throw Self.damaged("a link is too long") }
            let target = try read(at: data.lowerBound, Int(record.bytes))
            guard let text = String(validating: target, as: UTF8.self) else {
                throw Self.damaged("a link is not UTF-8")
            }
            var crc = CRC32()
            target.withUnsafeBytes { crc.update($0) }
            guard crc.value == record.crc else { throw Self.damaged("the checksum of a link is wrong") }
            return ContentEntry(path, .link(target: text))
        case 0o040000 where isFolder, 0 where isFolder: return ContentEntry(path, .folder)
        case 0o100000 where !isFolder, 0 where !isFolder:
            return ContentEntry(path, .file(bytes: record.bytes), isExecutable: record.mode & 0o111 != 0)
        default: return ContentEntry(path, .other("of a kind that content does not have"))
        }
    }
}

extension ZipDirectory {
    /// What is said of a file both in the directory and before its bytes.
    private struct Common {
        let flags: UInt16
        let method: UInt16
        let crc: UInt32
        var storedBytes: UInt64
        var bytes: UInt64

        init(_ reader: inout ByteReader) throws {
            try reader.skip(2)
            flags = try reader.number(UInt16.self)
            method = try reader.number(UInt16.self)
            try reader.skip(4)
            crc = try reader.number(UInt32.self)
            storedBytes = UInt64(try reader.number(UInt32.self))
            bytes = UInt64(try reader.number(UInt32.self))
            guard flags & 1 == 0, flags & 1 << 6 == 0 else { throw ZipDirectory.damaged("a file in it is encrypted") }
            guard flags & 1 << 3 == 0 else { throw ZipDirectory.damaged("a length stands behind the bytes") }
            guard method == 0 || method == 8 else {
                throw ZipDirectory.damaged("a file is neither stored nor deflated")
            }
        }

        /// Takes the numbers that did not fit from the extra field.
        mutating func widen(_ field: ArraySlice<UInt8>, _ offset: inout UInt64) throws {
            var fields = ByteReader(Array(field))
            let short = UInt64(UInt32.max)
            while !fields.isAtEnd {
                let (kind, count) = (try fields.number(UInt16.self), Int(try fields.number(UInt16.self)))
                var content = ByteReader(Array(try fields.bytes(count)))
                guard kind == ZipRecord.wideField else { continue }
                if bytes == short { bytes = try content.number(UInt64.self) }
                if storedBytes == short { storedBytes = try content.number(UInt64.self) }
                if offset == short { offset = try content.number(UInt64.self) }
            }
        }
    }
}

/// Numbers and bytes one after the other; throws where there are too few.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw ZipDirectory.damaged("it ends before its time") }
        position += count
        return bytes[(position - count)..<position]
    }

    mutating func skip(_ count: Int) throws { _ = try bytes(count) }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) throws -> Number {
        try bytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
