/// One file, folder or link of a zip archive, and the records that describe it there.
///
/// The format is PKWARE's: a header before the bytes of each file, and a directory of all at the end. Numbers have the least
/// significant byte first; those that do not fit in 32 bits are in an extra field (zip64).
struct ZipRecord: Hashable, Sendable {
    static let localSignature: UInt32 = 0x0403_4B50
    static let directorySignature: UInt32 = 0x0201_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    static let wideEndSignature: UInt32 = 0x0606_4B50
    static let wideLocatorSignature: UInt32 = 0x0706_4B50
    static let localBytes = 30
    static let endBytes = 22
    static let wideEndBytes = 56
    static let wideLocatorBytes = 20
    static let wideField: UInt16 = 1

    /// Names are UTF-8.
    static let unicodeFlag: UInt16 = 1 << 11
    /// 1 January 1980, the first day of the format.
    static let date: UInt16 = 0x21

    static let fileMode: UInt32 = 0o100644
    static let folderMode: UInt32 = 0o040755
    static let linkMode: UInt32 = 0o120777

    /// A folder's ends with a slash.
    var name: String
    var mode: UInt32
    var isDeflated = false
    var crc: UInt32 = 0
    var storedBytes: Int64 = 0
    var bytes: Int64 = 0
    var offset: Int64 = 0

    /// - Parameter threshold: from which number on one does not fit; what the format says, but in tests.
    func local(threshold: Int64) -> [UInt8] {
        let isWide = max(storedBytes, bytes) >= threshold
        var field: [UInt8] = []
        if isWide { field = LittleEndian.bytes(Self.wideField, UInt16(16), UInt64(bytes), UInt64(storedBytes)) }
        return LittleEndian.bytes(Self.localSignature) + common(isWide: isWide, isWideField: isWide)
            + LittleEndian.bytes(UInt16(name.utf8.count), UInt16(field.count)) + Array(name.utf8) + field
    }

    func directory(threshold: Int64) -> [UInt8] {
        let isWide = max(storedBytes, bytes) >= threshold
        let isFar = offset >= threshold
        var field: [UInt8] = []
        if isWide { field += LittleEndian.bytes(UInt64(bytes), UInt64(storedBytes)) }
        if isFar { field += LittleEndian.bytes(UInt64(offset)) }
        if !field.isEmpty { field = LittleEndian.bytes(Self.wideField, UInt16(field.count)) + field }
        // Made by Unix, whose modes are in the upper half of the attributes; the lowest bits are those of DOS.
        let attributes = mode << 16 | (mode == Self.folderMode ? 0x10 : 0)
        return LittleEndian.bytes(Self.directorySignature, UInt16(3 << 8 | 45))
            + common(isWide: isWide, isWideField: isWide || isFar)
            + LittleEndian.bytes(
                UInt16(name.utf8.count), UInt16(field.count), UInt16(0), UInt16(0), UInt16(0), attributes)
            + LittleEndian.bytes(isFar ? UInt32.max : UInt32(offset)) + Array(name.utf8) + field
    }

    private func common(isWide: Bool, isWideField: Bool) -> [UInt8] {
        LittleEndian.bytes(
            UInt16(isWideField ? 45 : 20), Self.unicodeFlag, UInt16(isDeflated ? 8 : 0), UInt16(0), Self.date, crc,
            isWide ? UInt32.max : UInt32(storedBytes), isWide ? UInt32.max : UInt32(bytes))
    }

    /// What stands behind the directory.
    static func end(count: Int, directory: Range<Int64>, threshold: Int64, countThreshold: Int) -> [UInt8] {
        let size = directory.upperBound - directory.lowerBound
        let isWide = count >= countThreshold || directory.lowerBound >= threshold || size >= threshold
        var made: [UInt8] = []
        if isWide {
            made += LittleEndian.bytes(
                wideEndSignature, UInt64(wideEndBytes - 12), UInt16(3 << 8 | 45), UInt16(45), UInt32(0), UInt32(0),
                UInt64(count), UInt64(count), UInt64(size), UInt64(directory.lowerBound))
            made += LittleEndian.bytes(wideLocatorSignature, UInt32(0), UInt64(directory.upperBound), UInt32(1))
        }
        let shortCount = isWide ? UInt16.max : UInt16(count)
        return made
            + LittleEndian.bytes(
                endSignature, UInt16(0), UInt16(0), shortCount, shortCount, isWide ? UInt32.max : UInt32(size),
                isWide ? UInt32.max : UInt32(directory.lowerBound), UInt16(0))
    }
}

/// Numbers with the least significant byte first.
enum LittleEndian {
    static func bytes<each Number: FixedWidthInteger>(_ number: repeat each Number) -> [UInt8] {
        var made: [UInt8] = []
        for number in repeat each number { withUnsafeBytes(of: number.littleEndian) { made += $0 } }
        return made
    }
}
