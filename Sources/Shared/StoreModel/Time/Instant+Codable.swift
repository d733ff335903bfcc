extension Instant: Codable {
    /// Reads a JSON number of milliseconds.
    ///
    /// A fraction, as Xcode writes it, is rounded to the nearest millisecond. Instants without a text form, before
    /// ``earliest`` or after ``latest``, are refused, so that no arithmetic on received times can overflow.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds: Int64
        if let whole = try? container.decode(Int64.self) {
            milliseconds = whole
        } else {
            let number = try container.decode(Double.self)
            guard let rounded = Int64(exactly: number.rounded()) else {
                throw Self.outOfRange(String(number)).decodingError(at: decoder.codingPath)
            }
            milliseconds = rounded
        }
        self.init(millisecondsSinceEpoch: milliseconds)
        guard self >= .earliest, self <= .latest else {
            throw Self.outOfRange(String(milliseconds)).decodingError(at: decoder.codingPath)
        }
    }

    /// Writes a JSON integer of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millisecondsSinceEpoch)
    }

    static func outOfRange(_ value: String) -> InvalidValue {
        InvalidValue(.outOfRange, subject: "instant", value: value, rule: "lies in the years 1 to 9999")
    }
}
