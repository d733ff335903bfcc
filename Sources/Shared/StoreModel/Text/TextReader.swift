/// Reads a short text from its start, one strict piece after another.
///
/// A piece that fits is consumed; otherwise the result is nil and the parse has failed. Text is never trimmed or
/// corrected.
struct TextReader {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) {
        rest = Substring(text).utf8
    }

    /// Whether everything was consumed.
    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes one ASCII character if it comes next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let next = rest.first, UInt32(next) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes a text if it comes next.
    mutating func skip(text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes in
            guard rest.starts(with: bytes) else { return false }
            rest.removeFirst(bytes.count)
            return true
        }
    }

    /// Consumes a number of exactly this many digits, at most 18, so it fits.
    mutating func number(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Consumes one decimal digit.
    mutating func digit() -> Int? {
        guard let byte = rest.first, byte >= 0x30, byte <= 0x39 else { return nil }
        rest.removeFirst()
        return Int(byte - 0x30)
    }

    /// Consumes a decimal number without sign or leading zeros; nil too where it does not fit.
    mutating func number() -> Int64? {
        guard let first = digit() else { return nil }
        var number = Int64(first)
        while let digit = digit() {
            guard number != 0 else { return nil }
            let (tens, tooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = tens.addingReportingOverflow(Int64(digit))
            guard !tooLarge, !overflow else { return nil }
            number = sum
        }
        return number
    }
}

/// Writes digits and ASCII characters into the bytes of a string of known size.
struct FixedWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    /// Writes one ASCII character.
    mutating func put(_ character: Unicode.Scalar) {
        buffer[count] = UInt8(truncatingIfNeeded: character.value)
        count += 1
    }

    /// Writes ASCII characters as they are.
    mutating func put(_ characters: UnsafeBufferPointer<UInt8>) {
        for character in characters {
            buffer[count] = character
            count += 1
        }
    }

    /// Writes a number with leading zeros.
    mutating func put(_ number: Int, digits: Int) {
        var number = number
        for position in stride(from: count + digits - 1, through: count, by: -1) {
            buffer[position] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
            number /= 10
        }
        count += digits
    }

    /// Writes a byte as two hexadecimal digits, in lower case.
    mutating func put(hexadecimal byte: UInt8) {
        for digit in [byte >> 4, byte & 0xF] {
            buffer[count] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
            count += 1
        }
    }

    /// Writes a separator and a number of two digits.
    mutating func put(_ separator: Unicode.Scalar, _ number: Int) {
        put(separator)
        put(number, digits: 2)
    }
}
