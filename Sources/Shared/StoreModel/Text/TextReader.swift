/// Reads a short text from its start, one strict piece after another.
///
/// Every piece either fits and is consumed, or the answer is nil and the parse has failed: nothing is trimmed or
/// corrected on the way.
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

    /// Consumes a number of exactly so many digits; at most 18, so that it fits.
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
