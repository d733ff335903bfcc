import Foundation
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
    private static let headerMark = Array("TVh1".utf8)
    private static let entryMark: UInt32 = 0x5456_6531
    private static let entryHead = 12
    private static let sealBytes = AESGCM.nonceBytes + AESGCM.tagBytes
    private static let largestHeader = 1024

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
        let frame = headerMark + BigEndian.bytes(UInt32(sealed.count)) + sealed
        var bytes = frame
        bytes.reserveCapacity(frame.count * 2 + entries.count * 80)
        var context = Self.context(of: header)
        for (index, entry) in entries.enumerated() {
            write(UInt32(index), to: &context)
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

    private static func write(_ index: UInt32, to context: inout [UInt8]) {
        for place in 0..<4 { context[context.count - 1 - place] = UInt8(truncatingIfNeeded: index >> (8 * place)) }
    }

    // MARK: Reading

    /// The headers that a record may have: two that are alike, unless one is damaged.
    static func headers(in bytes: [UInt8]) -> [VaultHeader] {
        frames(in: bytes).compactMap { VaultHeader(bytes[$0].dropLast(sealBytes).dropFirst(8)) }
    }

    /// Where headers may be, their marks included.
    private static func frames(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBytes { bytes in
            var (found, position): ([Range<Int>], Int) = ([], 0)
            while let start = bytes.baseAddress, bytes.count - position > 8 + sealBytes,
                let next = memchr(start + position, Int32(headerMark[0]), bytes.count - position - 8 - sealBytes)
            {
                let first = UnsafeRawPointer(next) - start
                position = first + 1
                guard bytes[first..<first + 4].elementsEqual(headerMark) else { continue }
                let length = Int(BigEndian.number(bytes[first + 4..<first + 8]))
                guard (sealBytes...largestHeader).contains(length), first + 8 + length <= bytes.count else { continue }
                found.append(first..<first + 8 + length)
            }
            return found
        }
    }

    /// Whether a key is that of a record.
    static func opens(_ bytes: [UInt8], key: VaultKey) throws -> Bool {
        try header(of: bytes, AESGCMReader(key: key.bytes)) != nil
    }

    /// Reads all that opens under a key; nil if no header does.
    static func read(_ bytes: [UInt8], key: VaultKey) throws -> Reading? {
        let reader = try AESGCMReader(key: key.bytes)
        guard let (header, frame) = header(of: bytes, reader) else { return nil }
        return entries(of: header, bytes[frame], in: bytes, reader)
    }

    private static func header(of bytes: [UInt8], _ reader: AESGCMReader) -> (VaultHeader, Range<Int>)? {
        for frame in frames(in: bytes) {
            let body = bytes[frame].dropFirst(8).dropLast(sealBytes)
            if let header = VaultHeader(body), isSealed(frame, in: bytes, by: reader) { return (header, frame) }
        }
        return nil
    }

    private static func isSealed(_ frame: Range<Int>, in bytes: [UInt8], by reader: AESGCMReader) -> Bool {
        var output = [UInt8](repeating: 0, count: sealBytes)
        return bytes.withUnsafeBytes { bytes in
            output.withUnsafeMutableBytes { output in
                let seal = UnsafeRawBufferPointer(rebasing: bytes[frame.upperBound - sealBytes..<frame.upperBound])
                let body = UnsafeRawBufferPointer(rebasing: bytes[frame.lowerBound + 8..<frame.upperBound - sealBytes])
                return reader.open(seal, context: body, into: output) == 0
            }
        }
    }

    private static func entries(
        of header: VaultHeader, _ frame: ArraySlice<UInt8>, in bytes: [UInt8], _ reader: AESGCMReader
    ) -> Reading {
        var contents = VaultContents()
        var isFound = [Bool](repeating: false, count: Int(header.count))
        contents.unlocks.reserveCapacity(isFound.count)
        var context = Self.context(of: header)
        var output = [UInt8](repeating: 0, count: VaultLimits.entryBytes)
        var (position, damaged, headers, found) = (0, 0, 0, 0)
        while position < bytes.count {
            if let (index, sealed) = entry(at: position, in: bytes), index < isFound.count, !isFound[index] {
                write(UInt32(index), to: &context)
                if let count = open(sealed, of: bytes, context, into: &output, reader) {
                    VaultEntry.read(output[..<count], into: &contents)
                    isFound[index] = true
                    found += 1
                    position = sealed.upperBound
                    continue
                }
            }
            if headers < 2, bytes[position] == headerMark[0], bytes[position...].starts(with: frame) {
                headers += 1
                position += frame.count
                continue
            }
            damaged += 1
            position += 1
        }
        contents.lostEntries = isFound.count - found
        // A header that is missing altogether is damage too.
        let missing = (2 - headers) * frame.count
        return Reading(header: header, contents: contents, damagedBytes: max(damaged, missing))
    }

    /// The index and the sealed bytes of the entry that a position may be the beginning of.
    private static func entry(at position: Int, in bytes: [UInt8]) -> (Int, Range<Int>)? {
        guard bytes.count - position >= entryHead + sealBytes else { return nil }
        return bytes.withUnsafeBytes { bytes in
            func number(_ offset: Int) -> Int {
                Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position + offset, as: UInt32.self)))
            }
            guard number(0) == Int(entryMark) else { return nil }
            let (index, length, start) = (number(4), number(8), position + entryHead)
            guard (sealBytes...VaultLimits.entryBytes).contains(length), start + length <= bytes.count else {
                return nil
            }
            return (index, start..<start + length)
        }
    }

    private static func open(
        _ sealed: Range<Int>, of bytes: [UInt8], _ context: [UInt8], into output: inout [UInt8], _ reader: AESGCMReader
    ) -> Int? {
        bytes.withUnsafeBytes { bytes in
            context.withUnsafeBytes { context in
                output.withUnsafeMutableBytes { output in
                    reader.open(UnsafeRawBufferPointer(rebasing: bytes[sealed]), context: context, into: output)
                }
            }
        }
    }
}

/// One of the things that a vault keeps, as bytes: its kind, then an amount where it has one, then its name.
private enum VaultEntry {
    private static let unlock: UInt8 = 1
    private static let delivery: UInt8 = 2
    private static let balance: UInt8 = 3
    private static let staleBalance: UInt8 = 4

    /// In an order that tells nothing about when they came.
    static func all(of contents: VaultContents) -> [[UInt8]] {
        contents.unlocks.sorted().map { [unlock] + Array($0.utf8) }
            + contents.balances.sorted { $0.key < $1.key }.map { name, kept in
                [kept.isStale ? staleBalance : balance] + BigEndian.bytes(UInt64(bitPattern: kept.amount))
                    + Array(name.utf8)
            }
            + contents.deliveries.sorted().map { [delivery] + Array($0.utf8) } + contents.others
    }

    static func read(_ bytes: ArraySlice<UInt8>, into contents: inout VaultContents) {
        switch bytes.first {
        case unlock: contents.unlocks.insert(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case delivery: contents.deliveries.insert(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case balance where bytes.count > 9, staleBalance where bytes.count > 9:
            let amount = Int64(bitPattern: BigEndian.number(bytes.dropFirst().prefix(8)))
            let name = String(decoding: bytes.dropFirst(9), as: UTF8.self)
            contents.balances[name] = Balance(amount, isStale: bytes.first == staleBalance)
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
