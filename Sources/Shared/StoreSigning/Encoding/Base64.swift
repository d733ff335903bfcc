/// Base64 as signed data needs it: strict, and fast enough not to show beside a signature.
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

    /// Writes the text of `input` and answers how long it is; `output` must have room for `encodedCount`.
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

    /// Reads text strictly: no white space, exact padding, no stray bits. Answers nil otherwise.
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
            alphabet.values.withUnsafeBufferPointer { values in
                valid = decode(input, count: count, values: values, into: output)
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

    /// Fills `output`, which has exactly the room that `count` characters need; false for a foreign character or stray bits.
    private static func decode(
        _ input: UnsafeRawBufferPointer, count: Int, values: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var read = 0
        var written = 0
        // A foreign character has the two highest bits set, so one check at the end finds any.
        var seen: UInt8 = 0
        func take() -> UInt32 {
            let value = values[Int(input[read])]
            seen |= value
            read += 1
            return UInt32(value)
        }
        while read + 4 <= count {
            let group = take() << 18 | take() << 12 | take() << 6 | take()
            output[written] = UInt8(truncatingIfNeeded: group >> 16)
            output[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
            output[written + 2] = UInt8(truncatingIfNeeded: group)
            written += 3
        }
        var stray: UInt32 = 0
        switch count - read {
        case 2:
            let group = take() << 6 | take()
            output[written] = UInt8(truncatingIfNeeded: group >> 4)
            stray = group & 0xF
        case 3:
            let group = take() << 12 | take() << 6 | take()
            output[written] = UInt8(truncatingIfNeeded: group >> 10)
            output[written + 1] = UInt8(truncatingIfNeeded: group >> 2)
            stray = group & 0x3
        default: break
        }
        return seen & 0xC0 == 0 && stray == 0
    }
}
