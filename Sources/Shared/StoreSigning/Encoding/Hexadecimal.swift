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
