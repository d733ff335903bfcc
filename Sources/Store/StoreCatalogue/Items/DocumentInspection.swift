import ContentPackage
import Foundation
import StoreModel

/// Looks at a PDF that is to be sold: that it is whole, and that nothing in it does something.
///
/// Names are looked at as readers see them, without their escapes, and so is what is packed into streams of objects. What is
/// encrypted, or packed in another way, cannot be looked at and is refused.
struct DocumentInspection {
    /// What a reader would run or start if a document asked it to.
    private static let active = ["/JavaScript", "/Launch", "/EmbeddedFile", "/RichMedia"]
    private static let (objects, encrypted) = ("/ObjStm", "/Encrypt")
    /// Filters that a stream of objects has nowhere but where something is hidden.
    private static let otherFilters = ["ASCIIHexDecode", "ASCII85Decode", "LZWDecode", "RunLengthDecode", "/Crypt"]

    private static let pieceBytes = 1 << 20
    /// More than the longest word that is looked for has, each letter of it escaped.
    private static let overlap = 64
    /// How far the beginning of a dictionary, and its end, are from a word in it.
    private static let dictionaryBytes = 1 << 10
    private static let mostObjectBytes = 64 << 20

    private let file: MediaBytes

    static func check(_ file: MediaBytes) throws {
        try DocumentInspection(file: file).check()
    }

    private func check() throws {
        let tail = Data(try file.read(max(0, file.count - 2048), 2048))
        guard ["startxref", "%%EOF"].allSatisfy({ tail.range(of: Data($0.utf8)) != nil }) else {
            throw MediaInspection.damaged
        }
        var (offset, rest) = (Int64(0), [UInt8]())
        while offset < file.count {
            let next = try file.read(offset, Self.pieceBytes)
            guard !next.isEmpty else { throw MediaInspection.damaged }
            let piece = rest + next
            try look(at: piece, from: offset - Int64(rest.count), known: rest.count)
            offset += Int64(next.count)
            rest = Array(piece.suffix(Self.overlap))
        }
    }

    /// - Parameter known: how many of its first bytes were looked at before.
    private func look(at piece: [UInt8], from start: Int64, known: Int) throws {
        let plain = try Self.requireNothing(in: piece)
        let (shown, raw) = (Self.places(of: Self.objects, in: plain), Self.places(of: Self.objects, in: piece))
        guard shown.count == raw.count else { throw Self.closed("escapes the letters of names") }
        for place in raw where place + Self.objects.utf8.count > known {
            try lookInside(at: start + Int64(place))
        }
    }

    /// Refuses bytes with a word of what does something. Gives them without escapes in names.
    private static func requireNothing(in bytes: [UInt8]) throws -> [UInt8] {
        let plain = unescaped(bytes)
        let data = Data(plain)
        if let found = active.first(where: { data.range(of: Data($0.utf8)) != nil }) {
            throw CatalogueError(
                .valueInvalid, "it has \(found) in it, and documents that do something are not sold", field: "file")
        }
        guard data.range(of: Data(encrypted.utf8)) == nil else { throw closed("is encrypted") }
        return plain
    }

    private static func closed(_ reason: String) -> CatalogueError {
        CatalogueError(.valueInvalid, "it \(reason), so that nobody can look into it", field: "file")
    }

    /// Looks at the objects of the stream in whose dictionary a place is.
    private func lookInside(at place: Int64) throws {
        let start = max(0, place - Int64(Self.dictionaryBytes))
        let around = Data(try file.read(start, 2 * Self.dictionaryBytes))
        let middle = Int(place - start)
        let first = around[..<middle].range(of: Data("obj".utf8), options: .backwards)?.upperBound ?? 0
        guard let word = around[middle...].range(of: Data("stream".utf8)) else {
            throw Self.closed("has a stream of objects without a beginning")
        }
        let dictionary = String(decoding: Self.unescaped(Array(around[first..<word.lowerBound])), as: UTF8.self)
        // What is not packed was looked at as it lies.
        guard dictionary.contains("/Filter") else { return }
        guard !Self.otherFilters.contains(where: dictionary.contains), !dictionary.contains("/Predictor") else {
            throw Self.closed("packs its objects in a way of its own")
        }
        var begin = start + Int64(word.upperBound)
        while begin < file.count, [10, 13].contains(try file.big(begin, 1)) { begin += 1 }
        let packed = try file.read(begin, Int(min(file.count - begin, Int64(Self.mostObjectBytes))))
        guard let objects = Inflation.bytes(of: packed, atMost: Self.mostObjectBytes) else {
            throw Self.closed("packs its objects in a way of its own")
        }
        _ = try Self.requireNothing(in: objects)
    }

    /// Bytes with each `#` and two digits as the one byte that they stand for in a name.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "#")) else { return bytes }
        var made: [UInt8] = []
        made.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "#"), place + 2 < bytes.count, let high = digit(bytes[place + 1]),
                let low = digit(bytes[place + 2])
            {
                made.append(high << 4 | low)
                place += 3
            } else {
                made.append(bytes[place])
                place += 1
            }
        }
        return made
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static func places(of word: String, in bytes: [UInt8]) -> [Int] {
        let (data, wanted) = (Data(bytes), Data(word.utf8))
        var (places, start) = ([Int](), data.startIndex)
        while let found = data[start...].range(of: wanted) {
            places.append(found.lowerBound)
            start = found.upperBound
        }
        return places
    }
}
