/// Base64 as signed data needs it: strict, and fast beside the cost of a signature.
///
/// Foundation knows only the standard alphabet and decodes through an intermediate string; a JWS needs the other
/// alphabet, and a receipt a reason why it could not be read.
package enum Base64 {
    /// How many characters `count` bytes take.
    static func encodedCount(_ count: Int, _ alphabet: Base64Alphabet) -> Int {
        switch alphabet {
        case .standard: (count + 2) / 3 * 4
        case .url: (count * 4 + 2) / 3
        }
    }

    package static func encode(_ bytes: some Sequence<UInt8>, _ alphabet: Base64Alphabet = .standard) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: encodedCount(bytes.count, alphabet)) { output in
            bytes.withUnsafeBytes { encode($0, alphabet, into: UnsafeMutableRawBufferPointer(output)) }
        }
    }

    /// Writes the text of `input` and returns how long it is; `output` must have room for `encodedCount`.
    @discardableResult
    static func encode(
        _ input: UnsafeRawBufferPointer, _ alphabet: Base64Alphabet, into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(output.count >= encodedCount(input.count, alphabet))  // Safe: every caller sizes by encodedCount.
        return alphabet.characters.withUnsafeBufferPointer { characters in
            var read = 0
            var written = 0
            func put(_ value: UInt32) {
                output[written] = characters[Int(value & 63)]
                written += 1
            }
            while read + 3 <= input.count {
                let group = UInt32(input[read]) << 16 | UInt32(input[read + 1]) << 8 | UInt32(input[read + 2])
                put(group >> 18)
                put(group >> 12)
                put(group >> 6)
                put(group)
                read += 3
            }
            let rest = input.count - read
            guard rest > 0 else { return written }
            let group = UInt32(input[read]) << 16 | (rest == 2 ? UInt32(input[read + 1]) << 8 : 0)
            put(group >> 18)
            put(group >> 12)
            if rest == 2 { put(group >> 6) }
            if alphabet == .standard {
                for _ in rest..<3 {
                    output[written] = UInt8(ascii: "=")
                    written += 1
                }
            }
            return written
        }
    }

    /// Reads text strictly: no white space, exact padding, no stray bits. Returns nil otherwise.
    package static func decode(_ text: some StringProtocol, _ alphabet: Base64Alphabet = .standard) -> [UInt8]? {
        let result = text.utf8.withContiguousStorageIfAvailable { decode(UnsafeRawBufferPointer($0), alphabet) }
        return result ?? Array(text.utf8).withUnsafeBytes { decode($0, alphabet) }
    }

    /// Reads text in its place, as strictly.
    package static func decode(_ input: UnsafeRawBufferPointer, _ alphabet: Base64Alphabet = .standard) -> [UInt8]? {
        guard let count = unpaddedCount(input, alphabet), count % 4 != 1 else { return nil }
        let decodedCount = count / 4 * 3 + max(0, count % 4 - 1)
        var valid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: decodedCount) { output, written in
            alphabet.shares.withUnsafeBufferPointer { shares in
                valid = decode(input, count: count, shares, into: output)
            }
            written = decodedCount
        }
        return valid ? bytes : nil
    }

    private static func unpaddedCount(_ input: UnsafeRawBufferPointer, _ alphabet: Base64Alphabet) -> Int? {
        guard alphabet == .standard else { return input.count }
        guard input.count % 4 == 0 else { return nil }
        var count = input.count
        while count > 0, count > input.count - 2, input[count - 1] == UInt8(ascii: "=") { count -= 1 }
        return count
    }

    /// Fills `output`, which has exactly the room that `count` characters need; false for an invalid character or stray
    /// bits.
    private static func decode(
        _ input: UnsafeRawBufferPointer, count: Int, _ shares: UnsafeBufferPointer<UInt32>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        // An invalid character sets bits above those of the three bytes, so one check at the end finds any.
        var seen: UInt32 = 0
        // What the characters of a group make together: three bytes, the first one lowest.
        func group(_ characters: UInt32) -> UInt32 {
            let bytes =
                shares[Int(characters & 0xFF)] | shares[0x100 | Int(characters >> 8 & 0xFF)]
                | shares[0x200 | Int(characters >> 16 & 0xFF)] | shares[0x300 | Int(characters >> 24)]
            seen |= bytes
            return bytes
        }
        let memory = UnsafeMutableRawBufferPointer(output)
        var (read, written) = (0, 0)
        // Four bytes are written at once, the fourth of which the next group writes over: so there must be a next one.
        while read + 8 <= count {
            let characters = UInt32(littleEndian: input.loadUnaligned(fromByteOffset: read, as: UInt32.self))
            memory.storeBytes(of: group(characters).littleEndian, toByteOffset: written, as: UInt32.self)
            read += 4
            written += 3
        }
        var rest: UInt32 = 0
        while read < count {
            // The characters that a last group lacks count as the one that stands for zero.
            var characters: UInt32 = 0
            for place in 0..<4 {
                let character = read + place < count ? input[read + place] : UInt8(ascii: "A")
                characters |= UInt32(character) << (8 * UInt32(place))
            }
            rest = group(characters)
            read += 4
            for _ in 0..<min(3, output.count - written) {
                output[written] = UInt8(truncatingIfNeeded: rest)
                rest >>= 8
                written += 1
            }
        }
        return seen & 0xFF00_0000 == 0 && rest == 0
    }
}

/// The two alphabets of Base64 that signed data uses.
package enum Base64Alphabet: Sendable {
    // Closed: RFC 4648 has these two.
    /// With `+`, `/` and padding: certificates in `x5c`, receipts, offer signatures.
    case standard
    /// With `-`, `_` and no padding: the segments of a JWS.
    case url

    var characters: [UInt8] {
        switch self {
        case .standard: Self.standardCharacters
        case .url: Self.urlCharacters
        }
    }

    /// What each of the 256 bytes adds to the three bytes of a group, as the first of its characters, the second, the third,
    /// the fourth; the first of the three bytes is the lowest.
    var shares: [UInt32] {
        switch self {
        case .standard: Self.standardShares
        case .url: Self.urlShares
        }
    }

    /// The share of a byte that is no character of the alphabet: bits that no character has.
    private static let foreign: UInt32 = 0xFF00_0000

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardCharacters = Array((common + "+/").utf8)
    private static let urlCharacters = Array((common + "-_").utf8)
    private static let standardShares = shares(of: standardCharacters)
    private static let urlShares = shares(of: urlCharacters)

    private static func shares(of characters: [UInt8]) -> [UInt32] {
        var shares = [UInt32](repeating: foreign, count: 4 * 256)
        for (number, character) in characters.enumerated() {
            let value = UInt32(number)
            // Six bits each, of which the second and the third are divided between two bytes.
            let parts = [
                value << 2, value >> 4 | (value & 0xF) << 12, (value >> 2) << 8 | (value & 0x3) << 22, value << 16,
            ]
            for (place, part) in parts.enumerated() { shares[place * 256 + Int(character)] = part }
        }
        return shares
    }
}

/// Bytes as pairs of hexadecimal digits.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }

    /// Reads digits of either case; nil for anything else.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2), values.allSatisfy({ $0 != nil }) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8((values[$0] ?? 0) << 4 | (values[$0 + 1] ?? 0)) }
    }
}
