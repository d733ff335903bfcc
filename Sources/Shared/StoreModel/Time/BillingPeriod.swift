/// A stretch of calendar time by which subscriptions are sold: a number of days, weeks, months or years.
///
/// `P7D` and `P1W` are different periods, though they last equally long: each keeps the form in which it was sold.
/// ``Instant/adding(_:times:)`` turns a period into dates.
public struct BillingPeriod: Hashable, Sendable {
    /// The units of the calendar; ISO 8601 leaves no room for others here.
    // Closed: the calendar has no other unit in which subscriptions are sold.
    public enum Unit: Character, CaseIterable, Hashable, Sendable {
        /// A day of 24 hours, in GMT.
        case day = "D"
        /// Seven days.
        case week = "W"
        /// A month, from 28 to 31 days.
        case month = "M"
        /// Twelve months.
        case year = "Y"
    }

    /// The most units one period can have.
    public static let largestCount = 999

    /// The unit the period is counted in.
    public let unit: Unit
    /// How many units it lasts, 1 to ``largestCount``.
    public let count: Int

    /// A period of so many units.
    public init(_ count: Int, _ unit: Unit) throws(InvalidValue) {
        guard (1...Self.largestCount).contains(count) else {
            throw InvalidValue(
                .outOfRange, subject: Self.subject, value: "P\(count)\(unit.rawValue)", rule: Self.countRule)
        }
        self.init(known: count, unit)
    }

    /// Reads the ISO 8601 form with one unit, `P1W` or `P3M`.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        var reader = TextReader(text)
        guard
            reader.skip("P"), let count = reader.number(),
            let unit = Unit.allCases.first(where: { reader.skip($0.letter) }),
            reader.isAtEnd
        else {
            throw InvalidValue(subject: Self.subject, value: text, rule: "has the form P, a number, and D, W, M or Y")
        }
        guard (1...Int64(Self.largestCount)).contains(count) else {
            throw InvalidValue(.outOfRange, subject: Self.subject, value: text, rule: Self.countRule)
        }
        self.init(known: Int(count), unit)
    }

    /// Makes a period whose count is known to be in bounds.
    init(known count: Int, _ unit: Unit) {
        self.unit = unit
        self.count = count
    }

    private static let subject = "period"
    private static let countRule = "has between 1 and \(largestCount) units"
}

extension BillingPeriod.Unit {
    fileprivate var letter: Unicode.Scalar { rawValue.unicodeScalars.first ?? "D" }
}

extension BillingPeriod: LosslessStringConvertible, Codable {
    /// Reads the ISO 8601 form; nil if ``init(parsing:)`` would throw.
    public init?(_ description: String) {
        guard let period = try? BillingPeriod(parsing: description) else { return nil }
        self = period
    }

    /// The ISO 8601 form, `P1W`.
    public var description: String { "P\(count)\(unit.rawValue)" }

    /// Reads the ISO 8601 form.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Writes the ISO 8601 form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension BillingPeriod {
    /// `P3D`, for offers only.
    public static let threeDays = BillingPeriod(known: 3, .day)
    /// `P1W`.
    public static let oneWeek = BillingPeriod(known: 1, .week)
    /// `P2W`, for offers only.
    public static let twoWeeks = BillingPeriod(known: 2, .week)
    /// `P1M`.
    public static let oneMonth = BillingPeriod(known: 1, .month)
    /// `P2M`.
    public static let twoMonths = BillingPeriod(known: 2, .month)
    /// `P3M`.
    public static let threeMonths = BillingPeriod(known: 3, .month)
    /// `P6M`.
    public static let sixMonths = BillingPeriod(known: 6, .month)
    /// `P9M`, for offers only.
    public static let nineMonths = BillingPeriod(known: 9, .month)
    /// `P1Y`.
    public static let oneYear = BillingPeriod(known: 1, .year)

    /// The periods a subscription can have, shortest first.
    public static let ofSubscriptions: [BillingPeriod] = [
        .oneWeek, .oneMonth, .twoMonths, .threeMonths, .sixMonths, .oneYear,
    ]

    /// The periods an offer can have, shortest first.
    public static let ofOffers: [BillingPeriod] = [
        .threeDays, .oneWeek, .twoWeeks, .oneMonth, .twoMonths, .threeMonths, .sixMonths, .nineMonths, .oneYear,
    ]

    /// Whether a subscription can be sold by this period.
    public var isForSubscriptions: Bool { Self.ofSubscriptions.contains(self) }

    /// Whether a subscription of a `.storekit` file can have this period: tests on a Mac use three days too.
    package var isForTestFiles: Bool { isForSubscriptions || self == .threeDays }

    /// The periods of subscriptions in words, for those who want another one.
    package static let subscriptionRule =
        "a subscription renews every week, every 1, 2, 3 or 6 months, or every year: "
        + ofSubscriptions.map(\.description).joined(separator: ", ")

    /// Whether an offer can last for this period.
    public var isForOffers: Bool { Self.ofOffers.contains(self) }
}
