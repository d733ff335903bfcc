import StoreSigning

/// The beginning of a record, which is repeated at its end: all that has to be known before the key is.
struct VaultHeader: Hashable, Sendable {
    private static let version: UInt8 = 1
    static let identityBytes = 16
    static let placeBytes = 32
    /// The bytes before the recovery: version, key place, identity, generation, count, place, length.
    private static let fixedBytes = 2 + identityBytes + 8 + 4 + placeBytes + 2

    /// Names the vault, whatever it is called and wherever it lies.
    var identity: [UInt8]
    /// Grows with each change.
    var generation: UInt64 = 0
    /// Where the key of the device is.
    var keyPlace: VaultKeyPlace = .file
    /// Which file of which machine the record was last written beside.
    var place = [UInt8](repeating: 0, count: placeBytes)
    /// The key under the recovery passphrase, if there is one.
    var recovery: [UInt8] = []
    /// How many entries follow.
    var count: UInt32 = 0

    var bytes: [UInt8] {
        [Self.version, keyPlace == .secretService ? 1 : 0] + identity + BigEndian.bytes(generation)
            + BigEndian.bytes(count) + place + BigEndian.bytes(UInt16(recovery.count)) + recovery
    }

    init(identity: [UInt8]) { self.identity = identity }

    /// Reads what ``bytes`` wrote; nil if it is nothing that this version reads.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.fixedBytes, bytes.first == Self.version else { return nil }
        var rest = bytes.dropFirst()
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        keyPlace = take(1) == [1] ? .secretService : .file
        identity = take(Self.identityBytes)
        generation = BigEndian.number(take(8))
        count = UInt32(truncatingIfNeeded: BigEndian.number(take(4)))
        place = take(Self.placeBytes)
        let length = Int(BigEndian.number(take(2)))
        guard rest.count == length, count <= VaultLimits.entries else { return nil }
        recovery = Array(rest)
    }
}

/// A record as bytes: a header, an entry after the other, the header again.
///
/// ```
/// "TVh1"        length   header and its seal
/// "TVe1" index  length   an entry, sealed
/// …
/// "TVh1"        length   the same header
/// ```
///
/// Each entry is sealed by itself, in the context of the vault, the generation, its index and the count of all. So an entry of
/// another vault or of an earlier record is none, one that is missing is missed, and a byte that is changed costs one entry.
/// What is damaged is passed over to the next mark that opens.
enum VaultRecord {
    /// "TVh1", and "TVe1".
    private static let headerMark: UInt32 = 0x5456_6831
    private static let entryMark: UInt32 = 0x5456_6531
    private static let entryHead = 12
    private static let sealBytes = AESGCM.nonceBytes + AESGCM.tagBytes
    private static let largestHeader = 1024
    private static let contextBytes = VaultHeader.identityBytes + 8 + 4 + 4

    struct Reading {
        var header: VaultHeader
        var contents: VaultContents
        /// How many bytes are not what was written.
        var damagedBytes: Int
    }

    // MARK: Writing

    static func bytes(_ header: VaultHeader, _ contents: VaultContents, key: AESGCM) throws -> [UInt8] {
        var header = header
        let entries = VaultEntry.all(of: contents)
        header.count = UInt32(entries.count)
        let body = header.bytes
        let sealed = try body + key.seal([], context: body)
        let frame = BigEndian.bytes(headerMark) + BigEndian.bytes(UInt32(sealed.count)) + sealed
        var bytes = frame
        bytes.reserveCapacity(frame.count * 2 + entries.count * 80)
        var context = Self.context(of: header)
        for (index, entry) in entries.enumerated() {
            context.replaceSubrange(contextBytes - 4..<contextBytes, with: BigEndian.bytes(UInt32(index)))
            let sealed = try key.seal(entry, context: context)
            bytes += BigEndian.bytes(entryMark) + BigEndian.bytes(UInt32(index))
            bytes += BigEndian.bytes(UInt32(sealed.count)) + sealed
        }
        return bytes + frame
    }

    /// Identity, generation, count of all, and room for the index.
    private static func context(of header: VaultHeader) -> [UInt8] {
        header.identity + BigEndian.bytes(header.generation) + BigEndian.bytes(header.count) + [0, 0, 0, 0]
    }

    // MARK: Reading

    /// The headers that a record may have: two that are alike, unless one is damaged.
    static func headers(in bytes: [UInt8]) -> [VaultHeader] {
        bytes.withUnsafeBytes { bytes in frames(in: bytes).compactMap { header(in: $0, of: bytes) } }
    }

    /// Whether a key is that of a record.
    static func opens(_ bytes: [UInt8], key: VaultKey) throws -> Bool {
        let reader = try AESGCMReader(key: key.bytes)
        return bytes.withUnsafeBytes { authenticHeader(of: $0, reader) != nil }
    }

    /// Reads all that opens under a key; nil if no header does.
    static func read(_ bytes: [UInt8], key: VaultKey) throws -> Reading? {
        let reader = try AESGCMReader(key: key.bytes)
        return bytes.withUnsafeBytes { bytes in
            authenticHeader(of: bytes, reader).map { entries(of: $0.header, at: $0.frame, in: bytes, reader) }
        }
    }

    /// Where a header may be, its mark included, if one begins at a position.
    private static func frame(at position: Int, in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard bytes.count - position > 8 + sealBytes,
            bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self).bigEndian == headerMark
        else { return nil }
        let length = Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self).bigEndian)
        guard (sealBytes...largestHeader).contains(length), position + 8 + length <= bytes.count else { return nil }
        return position..<position + 8 + length
    }

    private static func frames(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        (0..<max(0, bytes.count - 3)).compactMap { frame(at: $0, in: bytes) }
    }

    private static func header(in frame: Range<Int>, of bytes: UnsafeRawBufferPointer) -> VaultHeader? {
        VaultHeader(Array(bytes[frame.lowerBound + 8..<frame.upperBound - sealBytes])[...])
    }

    /// The first header that a key seals. It is the one at the beginning, and nothing is searched for, unless that is damaged.
    private static func authenticHeader(
        of bytes: UnsafeRawBufferPointer, _ reader: AESGCMReader
    ) -> (header: VaultHeader, frame: Range<Int>)? {
        func authentic(_ frame: Range<Int>) -> (header: VaultHeader, frame: Range<Int>)? {
            guard let header = header(in: frame, of: bytes) else { return nil }
            let seal = UnsafeRawBufferPointer(rebasing: bytes[frame.upperBound - sealBytes..<frame.upperBound])
            let body = UnsafeRawBufferPointer(rebasing: bytes[frame.lowerBound + 8..<frame.upperBound - sealBytes])
            var output = [UInt8](repeating: 0, count: sealBytes)
            let isSealed = output.withUnsafeMutableBytes { reader.open(seal, context: body, into: $0) == 0 }
            return isSealed ? (header, frame) : nil
        }
        if let first = frame(at: 0, in: bytes).flatMap(authentic) { return first }
        return frames(in: bytes).lazy.compactMap(authentic).first
    }

    private static func entries(
        of header: VaultHeader, at frame: Range<Int>, in bytes: UnsafeRawBufferPointer, _ reader: AESGCMReader
    ) -> Reading {
        var contents = VaultContents()
        var isFound = [Bool](repeating: false, count: Int(header.count))
        contents.unlocks.reserveCapacity(isFound.count)
        let copy = Array(bytes[frame])
        var (position, damaged, headers, found) = (0, 0, 0, 0)
        withUnsafeTemporaryAllocation(byteCount: contextBytes + VaultLimits.entryBytes, alignment: 8) { room in
            let context = UnsafeMutableRawBufferPointer(rebasing: room[..<contextBytes])
            let output = UnsafeMutableRawBufferPointer(rebasing: room[contextBytes...])
            context.copyBytes(from: Self.context(of: header))
            while position < bytes.count {
                if let (index, sealed) = entry(at: position, in: bytes), index < isFound.count, !isFound[index] {
                    context.storeBytes(of: UInt32(index).bigEndian, toByteOffset: contextBytes - 4, as: UInt32.self)
                    let body = UnsafeRawBufferPointer(rebasing: bytes[sealed])
                    if let count = reader.open(body, context: UnsafeRawBufferPointer(context), into: output) {
                        VaultEntry.read(UnsafeRawBufferPointer(rebasing: output[..<count]), into: &contents)
                        isFound[index] = true
                        found += 1
                        position = sealed.upperBound
                        continue
                    }
                }
                let isHeader =
                    headers < 2 && self.frame(at: position, in: bytes).map { bytes[$0].elementsEqual(copy) } == true
                if isHeader { headers += 1 } else { damaged += 1 }
                position += isHeader ? copy.count : 1
            }
        }
        contents.lostEntries = isFound.count - found
        // A header that is missing altogether is damage too.
        let missing = (2 - headers) * copy.count
        return Reading(header: header, contents: contents, damagedBytes: max(damaged, missing))
    }

    /// The index and the sealed bytes of the entry that a position may be the beginning of.
    private static func entry(at position: Int, in bytes: UnsafeRawBufferPointer) -> (Int, Range<Int>)? {
        guard bytes.count - position >= entryHead + sealBytes else { return nil }
        func number(_ offset: Int) -> UInt32 {
            bytes.loadUnaligned(fromByteOffset: position + offset, as: UInt32.self).bigEndian
        }
        guard number(0) == entryMark else { return nil }
        let (index, length, start) = (Int(number(4)), Int(number(8)), position + entryHead)
        guard (sealBytes...VaultLimits.entryBytes).contains(length), start + length <= bytes.count else { return nil }
        return (index, start..<start + length)
    }
}

/// One of the things that a vault keeps, as bytes: its kind, then an amount where it has one, then its name, and of a text the
/// length of that before it and the text after it.
private enum VaultEntry {
    private static let unlock: UInt8 = 1
    private static let delivery: UInt8 = 2
    private static let balance: UInt8 = 3
    private static let staleBalance: UInt8 = 4
    private static let text: UInt8 = 5

    /// In an order that tells nothing about when they came.
    static func all(of contents: VaultContents) -> [[UInt8]] {
        contents.unlocks.sorted().map { [unlock] + Array($0.utf8) }
            + contents.balances.sorted { $0.key < $1.key }.map { name, kept in
                [kept.isStale ? staleBalance : balance] + BigEndian.bytes(UInt64(bitPattern: kept.amount))
                    + Array(name.utf8)
            }
            + contents.deliveries.sorted().map { [delivery] + Array($0.utf8) }
            + contents.texts.sorted { $0.key < $1.key }.map { name, kept in
                [text] + BigEndian.bytes(UInt16(name.utf8.count)) + Array(name.utf8) + Array(kept.utf8)
            } + contents.others
    }

    static func read(_ bytes: UnsafeRawBufferPointer, into contents: inout VaultContents) {
        switch bytes.first {
        case unlock: contents.unlocks.insert(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case delivery: contents.deliveries.insert(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case balance where bytes.count > 9, staleBalance where bytes.count > 9:
            let amount = Int64(bitPattern: BigEndian.number(bytes.dropFirst().prefix(8)))
            let name = String(decoding: bytes.dropFirst(9), as: UTF8.self)
            contents.balances[name] = Balance(amount, isStale: bytes.first == staleBalance)
        case text where bytes.count > 3:
            let nameEnd = 3 + Int(BigEndian.number(bytes.dropFirst().prefix(2)))
            guard nameEnd <= bytes.count else { return contents.others.append(Array(bytes)) }
            let name = String(decoding: bytes[3..<nameEnd], as: UTF8.self)
            contents.texts[name] = String(decoding: bytes[nameEnd...], as: UTF8.self)
        default: contents.others.append(Array(bytes))
        }
    }
}

/// Numbers as bytes, the highest first.
enum BigEndian {
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
