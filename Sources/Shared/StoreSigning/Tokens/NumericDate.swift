import StoreModel

/// A date in a JWT: seconds since 1970 as a JSON number, which some signers give a fraction.
struct NumericDate: Codable, Hashable, Sendable {
    let instant: Instant

    init(_ instant: Instant) {
        self.instant = instant
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        let milliseconds = (seconds * 1000).rounded()
        guard let exact = Int64(exactly: milliseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a date is out of range")
        }
        instant = Instant(millisecondsSinceEpoch: exact)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(instant.millisecondsSinceEpoch / 1000)
    }
}
