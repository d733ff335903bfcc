/// Damages bytes the way transport, storage and attackers do.
package struct Mutator: Sendable {
    private enum Damage: CaseIterable {
        case flipBit, changeByte, delete, insert, duplicate, truncate, swap, editLength, splice
    }

    private var random: SplitMix64

    package init(_ random: SplitMix64) {
        self.random = random
    }

    /// The input with one to three damages. `other` lends pieces for splicing.
    package mutating func mutate(_ original: [UInt8], splicing other: [UInt8] = []) -> [UInt8] {
        var bytes = original
        // One damage finds what a single check misses, more find checks that rely on one another.
        for _ in 0..<[1, 1, 1, 2, 3][below(5)] { damage(&bytes, other.isEmpty ? original : other) }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8], _ other: [UInt8]) {
        guard !bytes.isEmpty else {
            bytes = random.bytes(below(8))
            return
        }
        let position = below(bytes.count)
        switch Damage.allCases[below(Damage.allCases.count)] {
        case .flipBit: bytes[position] ^= 1 << UInt8(below(8))
        case .changeByte: bytes[position] = neighbour(of: bytes[position])
        case .delete: bytes.removeSubrange(piece(of: bytes))
        case .insert: bytes.insert(contentsOf: random.bytes(1 + below(4)), at: position)
        case .duplicate: bytes.insert(contentsOf: Array(bytes[piece(of: bytes)]), at: position)
        case .truncate: bytes.removeSubrange(position...)
        case .swap: bytes.swapAt(position, below(bytes.count))
        case .editLength: editLength(&bytes, from: position)
        case .splice: bytes.replaceSubrange(piece(of: bytes), with: other[piece(of: other)])
        }
    }

    /// A value that parsers tend to treat in a special way, or any other.
    private mutating func neighbour(of byte: UInt8) -> UInt8 {
        let special: [UInt8] = [0x00, 0x01, 0x20, 0x2E, 0x3D, 0x7F, 0x80, 0xA0, 0xFF, byte &+ 1, byte &- 1]
        return below(4) == 0 ? UInt8(truncatingIfNeeded: random.next()) : special[below(special.count)]
    }

    /// Changes the length of the ASN.1 value nearest after `start`, or nothing where there is none.
    private mutating func editLength(_ bytes: inout [UInt8], from start: Int) {
        let tags: Set<UInt8> = [0x02, 0x04, 0x05, 0x06, 0x0C, 0x16, 0x24, 0x30, 0x31, 0xA0, 0xA1]
        guard let tag = bytes[start...].firstIndex(where: tags.contains), tag + 1 < bytes.count else { return }
        let lengths: [[UInt8]] = [
            [0x00], [0x01], [0x7F], [0x80], [0x81, 0xFF], [0x82, 0xFF, 0xFF], [0x83, 0xFF, 0xFF, 0xFF],
            [0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xFF],
            [bytes[tag + 1] &+ 1], [bytes[tag + 1] &- 1],
        ]
        bytes.replaceSubrange((tag + 1)...(tag + 1), with: lengths[below(lengths.count)])
    }

    /// A run of bytes, mostly a short one.
    private mutating func piece(of bytes: [UInt8]) -> Range<Int> {
        let start = below(bytes.count)
        let longest = bytes.count - start
        return start..<(start + 1 + below(below(4) == 0 ? longest : min(longest, 8)))
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
