extension Instant {
    /// The RFC 3339 form in whole seconds, `2025-12-26T18:39:47Z`.
    public var rfc3339: String { StoreCalendar.text(of: self, as: .rfc3339) }

    /// The RFC 3339 form that keeps every millisecond, `2025-12-26T18:39:47.250Z`.
    public var rfc3339Milliseconds: String { StoreCalendar.text(of: self, as: .rfc3339Milliseconds) }

    /// The form of dates in receipts, `2025-12-26 18:39:47 Etc/GMT`.
    public var gmtText: String { StoreCalendar.text(of: self, as: .gmt) }

    /// The form of `_pst` fields in receipts, `2025-12-26 10:39:47 America/Los_Angeles`.
    ///
    /// Summer time is applied where it is in force.
    public var pacificText: String { StoreCalendar.text(of: self, as: .pacific) }

    /// The form of `_ms` fields in receipts, a decimal number of milliseconds.
    public var millisecondsText: String { String(millisecondsSinceEpoch) }

    /// Writes ``gmtText`` at the start of some memory, which has room for ``textBytes``; gives how many bytes that are.
    package func writeGMTText(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        StoreCalendar.write(self, as: .gmt, into: buffer)
    }

    /// Writes ``pacificText`` in the same way.
    package func writePacificText(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        StoreCalendar.write(self, as: .pacific, into: buffer)
    }

    /// The longest text of an instant, in bytes.
    package static let textBytes = StoreCalendar.room

    /// Reads the RFC 3339 form, with an optional fraction of a second and `Z` or a numeric offset.
    ///
    /// A fraction is rounded to the nearest millisecond. Leap seconds and lower-case letters are refused.
    public init(rfc3339 text: some StringProtocol) throws(InvalidValue) {
        self = try StoreCalendar.read(text, as: .rfc3339)
    }

    /// Reads the form of dates in receipts, `2025-12-26 18:39:47 Etc/GMT`.
    public init(gmtText text: some StringProtocol) throws(InvalidValue) {
        self = try StoreCalendar.read(text, as: .gmt)
    }

    /// Reads the form of `_pst` fields in receipts, `2025-12-26 10:39:47 America/Los_Angeles`.
    ///
    /// An hour that occurs twice when clocks go back means its first occurrence, because the text is ambiguous; an hour
    /// that clocks skipped is refused.
    public init(pacificText text: some StringProtocol) throws(InvalidValue) {
        self = try StoreCalendar.read(text, as: .pacific)
    }

    /// Reads the form of `_ms` fields in receipts: a decimal number without plus sign or leading zeros.
    public init(millisecondsText text: some StringProtocol) throws(InvalidValue) {
        var reader = TextReader(text)
        let isNegative = reader.skip("-")
        guard let number = reader.number(), reader.isAtEnd, !(isNegative && number == 0) else {
            throw InvalidValue(subject: "milliseconds", value: text, rule: "is a decimal number without leading zeros")
        }
        self.init(millisecondsSinceEpoch: isNegative ? -number : number)
        guard self == clampedToText else { throw Self.outOfRange(String(text)) }
    }

    /// The instant this many billing periods later, or earlier if negative, counted in the calendar of GMT.
    ///
    /// Months and years keep the day of this instant, the anchor: January 31 leads to February 28 or 29 and then to
    /// March 31. So count every period of a subscription from the same anchor. A result after ``latest`` or before
    /// ``earliest`` becomes that.
    public func adding(_ period: BillingPeriod, times: Int = 1) -> Instant {
        StoreCalendar.add(period, times: times, to: self)
    }
}

extension Instant: CustomStringConvertible {
    /// The RFC 3339 form with milliseconds, for logs.
    public var description: String { rfc3339Milliseconds }
}
