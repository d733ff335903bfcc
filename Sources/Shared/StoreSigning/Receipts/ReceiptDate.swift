import StoreModel

/// Reads the dates of receipts.
enum ReceiptDate {
    /// A date; nil where the text is empty, which is how receipts leave one out.
    static func read(_ element: BERElement, in bytes: [UInt8], _ name: @autoclosure () -> String) throws -> Instant? {
        if let instant = usual(element, in: bytes) { return instant }
        let text = try element.text(in: bytes, name())
        if text.isEmpty { return nil }
        do {
            return try Instant(rfc3339: text)
        } catch {
            throw SigningError(.malformed, "\(name()) is not a date: \(error.description)")
        }
    }

    /// Reads the form that stores write, `2025-12-26T18:39:47Z`, without making text of it.
    ///
    /// A receipt has two or three dates for each purchase. What is not exactly of this form is left to the reader of
    /// all forms, which can say what is wrong.
    private static func usual(_ element: BERElement, in bytes: [UInt8]) -> Instant? {
        let start = element.content.lowerBound
        guard element.tag == .ia5String || element.tag == .utf8String, element.content.count == byteCount,
            bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            bytes[start + 10] == UInt8(ascii: "T"), bytes[start + 13] == UInt8(ascii: ":"),
            bytes[start + 16] == UInt8(ascii: ":"), bytes[start + 19] == UInt8(ascii: "Z"),
            let century = number(at: start, in: bytes), let year = number(at: start + 2, in: bytes),
            let month = number(at: start + 5, in: bytes), let day = number(at: start + 8, in: bytes),
            let hour = number(at: start + 11, in: bytes), let minute = number(at: start + 14, in: bytes),
            let second = number(at: start + 17, in: bytes)
        else { return nil }
        let time = CivilTime(
            year: century * 100 + year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard time.year >= 1, (1...12).contains(month), hour < 24, minute < 60, second < 60, day >= 1,
            day <= StoreCalendar.days(inMonth: month, of: time.year)
        else { return nil }
        return StoreCalendar.instant(of: time)
    }

    private static let byteCount = 20

    /// Two digits.
    private static func number(at index: Int, in bytes: [UInt8]) -> Int? {
        let tens = bytes[index] &- 0x30
        let ones = bytes[index + 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }
}
