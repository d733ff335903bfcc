public import Foundation

extension Instant {
    /// The instant of a Foundation date, to the nearest millisecond; nil outside the years 1 to 9999.
    public init?(date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds) else { return nil }
        self.init(millisecondsSinceEpoch: whole)
        guard self >= .earliest, self <= .latest else { return nil }
    }

    /// The same instant as a Foundation date.
    public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1000) }
}
