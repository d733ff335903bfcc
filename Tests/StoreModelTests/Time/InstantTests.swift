import Foundation
import StoreModel
import Testing

@Suite("Instants")
struct InstantTests {
    private func decode(_ json: String) throws -> Instant {
        try #require(try JSONDecoder().decode([Instant].self, from: Data("[\(json)]".utf8)).first)
    }

    @Test("An instant is a JSON integer of milliseconds (P19)")
    func isAnInteger() throws {
        let instant = Instant(millisecondsSinceEpoch: 1_766_774_387_123)
        let json = String(decoding: try JSONEncoder().encode([instant]), as: UTF8.self)
        #expect(json == "[1766774387123]")
        #expect(try decode("1766774387123") == instant)
    }

    @Test(
        "Fractions, as Xcode writes them, are rounded to the nearest millisecond",
        arguments: [
            ("1766774387123.4", 1_766_774_387_123), ("1766774387123.5", 1_766_774_387_124), ("-0.4", 0), ("-1.5", -2),
            ("1.0", 1), ("1e3", 1000), ("1695522411232.5452", 1_695_522_411_233),
        ])
    func fractionsAreRounded(json: String, milliseconds: Int64) throws {
        #expect(try decode(json) == Instant(millisecondsSinceEpoch: milliseconds))
    }

    @Test(
        "Numbers that are no instant are refused with a decoding error",
        arguments: [
            "253402300800000", "-62135596800001", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "1e300", "1e400", "-1e400", "1e19", "\"1766774387123\"", "null", "true", "{}", "[]",
        ])
    func othersAreRefused(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }

    @Test("The refusal of an instant out of range says so and carries the value")
    func refusalExplains() throws {
        let error = #expect(throws: DecodingError.self) { try decode("253402300800000") }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("expected corrupted data, not \(String(describing: error))")
            return
        }
        let cause = try #require(context.underlyingError as? InvalidValue)
        #expect(cause.code == .outOfRange)
        #expect(cause.excerpt == "253402300800000")
    }

    @Test("Durations move instants, without their fractions of a millisecond")
    func durations() {
        let instant = Instant(millisecondsSinceEpoch: 1000)
        #expect(instant + .milliseconds(5) == Instant(millisecondsSinceEpoch: 1005))
        #expect(instant - .seconds(2) == Instant(millisecondsSinceEpoch: -1000))
        #expect(instant + .microseconds(1999) == Instant(millisecondsSinceEpoch: 1001))
        #expect(instant - .microseconds(1999) == Instant(millisecondsSinceEpoch: 999))
        var moved = instant
        moved += .seconds(1)
        #expect(moved - instant == .seconds(1))
        #expect(instant - moved == .seconds(-1))
    }

    @Test("Arithmetic saturates instead of trapping")
    func arithmeticSaturates() {
        let last = Instant(millisecondsSinceEpoch: .max)
        let first = Instant(millisecondsSinceEpoch: .min)
        #expect(last + .milliseconds(1) == last)
        #expect(first - .milliseconds(1) == first)
        #expect(first + .seconds(Int64.max) == last)
        #expect(last - .seconds(Int64.max) == first)
        #expect(Instant(millisecondsSinceEpoch: 0) + .seconds(Int64.max) == last)
        #expect(Instant(millisecondsSinceEpoch: 0) - .seconds(Int64.max) == first)
        #expect(last - first == .milliseconds(Int64.max) - .milliseconds(Int64.min))
    }

    @Test("Instants and Foundation dates convert both ways, to the millisecond")
    func dates() throws {
        for milliseconds: Int64 in [0, 1, -1, 1_766_774_387_123, -62_135_596_800_000, 253_402_300_799_999] {
            let instant = Instant(millisecondsSinceEpoch: milliseconds)
            #expect(Instant(date: instant.date) == instant)
        }
        #expect(Instant(millisecondsSinceEpoch: 1500).date == Date(timeIntervalSince1970: 1.5))
        #expect(Instant(date: Date(timeIntervalSince1970: 0.0014)) == Instant(millisecondsSinceEpoch: 1))
    }

    @Test(
        "Dates that no instant can hold give nil",
        arguments: [Double.infinity, -.infinity, .nan, 1e18, -1e18, 253_402_300_800])
    func farDates(seconds: Double) {
        #expect(Instant(date: Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("Instants are ordered by time")
    func order() {
        #expect(Instant(millisecondsSinceEpoch: -1) < Instant(millisecondsSinceEpoch: 0))
        #expect([Instant.latest, .earliest].sorted() == [.earliest, .latest])
    }
}
