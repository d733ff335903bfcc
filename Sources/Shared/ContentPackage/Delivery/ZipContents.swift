/// What is in a zip archive that somebody else made, such as a book: the names of its files, and which of them are programs, do
/// something as pages, or would leave the folder that they are unpacked to.
///
/// It reads more than ``DeliveredArchive`` does, because many tools make such archives, and unpacks nothing.
package struct ZipContents {
    /// In the order of the directory of the archive.
    package private(set) var names: [String] = []
    /// Files that are programs, or otherwise nothing to be sold, or that cannot be read.
    package private(set) var findings: [ContentFinding] = []

    /// How many bytes of a file are looked at, as they are stored.
    private static let lookedAt = 512
    private static let longestRemark = 0xFFFF

    /// Reads the directory of an archive, and how each file begins.
    ///
    /// - Parameters:
    ///   - bytes: how many bytes the archive has.
    ///   - most: how many files it may have.
    ///   - read: gives some bytes of the archive.
    package init(
        bytes: Int64, atMost most: Int, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
    ) throws {
        let tail = Int(min(bytes, Int64(ZipRecord.endBytes + Self.longestRemark)))
        let end = try read(bytes - Int64(tail), tail)
        let places = stride(from: end.count - ZipRecord.endBytes, through: 0, by: -1)
        let place = places.first { Self.number(end, $0, UInt32.self) == ZipRecord.endSignature }
        guard let place else { throw ContentError(.notAPackage, "this is no zip archive, or it was cut off") }
        let count = Int(Self.number(end, place + 10, UInt16.self))
        let size = Int(Self.number(end, place + 12, UInt32.self))
        let start = Int64(Self.number(end, place + 16, UInt32.self))
        guard count <= most, size < .init(UInt32.max), start + Int64(size) <= bytes else {
            throw ContentError(.tooLarge, "the archive has more than \(most) files, or is longer than it says")
        }
        let directory = try read(start, size)
        var position = 0
        for _ in 0..<count {
            guard position + 46 <= directory.count,
                Self.number(directory, position, UInt32.self) == ZipRecord.directorySignature
            else { throw ZipDirectory.damaged("its directory ends before its time") }
            let lengths = [28, 30, 32].map { Int(Self.number(directory, position + $0, UInt16.self)) }
            let name = directory[(position + 46)...].prefix(lengths[0])
            let path = String(decoding: name, as: UTF8.self)
            names.append(path)
            if let finding = try Self.finding(path, directory[position...], bytes, read) { findings.append(finding) }
            position += 46 + lengths.reduce(0, +)
        }
    }

    /// What is wrong with a file; nil if nothing is.
    private static func finding(
        _ path: String, _ record: ArraySlice<UInt8>, _ bytes: Int64, _ read: (Int64, Int) throws -> [UInt8]
    ) throws -> ContentFinding? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.hasPrefix("/"), !path.contains("\\"), !names.contains("..") else {
            return ContentFinding(path, .pathUnsafe, "its name leads out of the folder of the book")
        }
        let record = Array(record.prefix(46))
        let unreadable = ContentFinding(path, .executableCode, "it cannot be looked into")
        let (flags, method) = (number(record, 8, UInt16.self), number(record, 10, UInt16.self))
        let stored = Int64(number(record, 20, UInt32.self))
        let offset = Int64(number(record, 42, UInt32.self))
        guard flags & 1 == 0, method == 0 || method == 8, offset + 30 <= bytes else { return unreadable }
        guard stored > 0 else { return nil }
        let local = try read(offset, 30)
        guard number(local, 0, UInt32.self) == ZipRecord.localSignature else { return unreadable }
        let skipped = Int64(number(local, 26, UInt16.self)) + Int64(number(local, 28, UInt16.self))
        let data = offset + 30 + skipped
        guard data + stored <= bytes else { return unreadable }
        let beginning = try read(data, Int(min(stored, Int64(lookedAt))))
        let plain = method == 0 ? beginning : (try? inflated(beginning))
        guard let plain else { return unreadable }
        if let program = ExecutableCode.name(of: plain) {
            return ContentFinding(
                path, .executableCode, "this is \(program), and what is sold here may not contain programs")
        }
        guard ActiveMarkup.isMarkup(plain) else { return nil }
        guard stored <= ActiveMarkup.mostBytes, let page = page(try read(data, Int(stored)), method == 8) else {
            return unreadable
        }
        return ActiveMarkup.found(in: page).map {
            ContentFinding(path, .executableCode, "it has \($0) in it, and books that do something are not sold")
        }
    }

    /// How some deflated bytes begin.
    private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        let decompressor = try Decompressor(.bare)
        var made: [UInt8] = []
        try bytes.withUnsafeBytes { stored in
            try decompressor.add(stored) { piece in
                made += piece.prefix(ExecutableCode.bytesNeeded - made.count)
            }
        }
        return made
    }

    /// A whole file; nil if it cannot be read, or is longer than is looked at.
    private static func page(_ stored: [UInt8], _ isDeflated: Bool) -> [UInt8]? {
        isDeflated ? Inflation.bytes(of: stored, .bare, atMost: ActiveMarkup.mostBytes) : stored
    }

    private static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ bytes: [UInt8], _ place: Int, _ type: Number.Type
    ) -> Number {
        guard place >= 0, place + Number.bitWidth / 8 <= bytes.count else { return 0 }
        return bytes[place..<(place + Number.bitWidth / 8)].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
