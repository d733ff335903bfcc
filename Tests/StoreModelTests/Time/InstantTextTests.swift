import Foundation
import StoreModel
import TestSupport
import Testing

@Suite("Text forms of instants (P19)")
struct InstantTextTests {
    @Test("Every form agrees with Python and GNU date, across leap years and changes of clocks")
    func formsAgreeWithForeignTools() throws {
        #expect(goldenInstants.count > 100)
        for row in goldenInstants {
            let instant = Instant(millisecondsSinceEpoch: row.seconds * 1000)
            #expect(instant.gmtText == row.gmt + " Etc/GMT")
            #expect(instant.rfc3339 == row.gmt.replacingOccurrences(of: " ", with: "T") + "Z")
            #expect(instant.millisecondsText == "\(row.seconds)000" || row.seconds == 0)
            if let pacific = row.pacific {
                #expect(instant.pacificText == pacific + " America/Los_Angeles")
            }
        }
    }

    @Test("What was written is read back, whole seconds in every form")
    func formsAreReadBack() throws {
        var shownTwice: Set<String> = []
        for row in goldenInstants {
            let instant = Instant(millisecondsSinceEpoch: row.seconds * 1000)
            #expect(try Instant(rfc3339: instant.rfc3339) == instant)
            #expect(try Instant(gmtText: instant.gmtText) == instant)
            #expect(try Instant(millisecondsText: instant.millisecondsText) == instant)
            guard let pacific = row.pacific, shownTwice.insert(pacific).inserted else { continue }
            #expect(try Instant(pacificText: instant.pacificText) == instant, "\(instant) \(pacific)")
        }
        #expect(shownTwice.count < goldenInstants.count)
    }

    @Test("A fraction of a second is dropped in whole-second forms, towards the past")
    func fractionsAreDropped() {
        #expect(Instant(millisecondsSinceEpoch: 1999).rfc3339 == "1970-01-01T00:00:01Z")
        #expect(Instant(millisecondsSinceEpoch: -1).rfc3339 == "1969-12-31T23:59:59Z")
        #expect(Instant(millisecondsSinceEpoch: -1).gmtText == "1969-12-31 23:59:59 Etc/GMT")
        #expect(Instant(millisecondsSinceEpoch: -1).rfc3339Milliseconds == "1969-12-31T23:59:59.999Z")
        #expect(Instant(millisecondsSinceEpoch: 7).description == "1970-01-01T00:00:00.007Z")
    }

    @Test(
        "RFC 3339 takes offsets and fractions, and rounds to the nearest millisecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T19:00:00-05:00", 0),
            ("1970-01-01T05:45:00+05:45", 0), ("1970-01-01T00:00:00-00:00", 0), ("1970-01-01T00:00:00.5Z", 500),
            ("1970-01-01T00:00:00.0004Z", 0), ("1970-01-01T00:00:00.0005Z", 1), ("1970-01-01T00:00:00.00049999Z", 0),
            ("1970-01-01T00:00:00.123456789Z", 123), ("1970-01-01T00:00:00.9999Z", 1000),
            ("1969-12-31T23:59:59.250Z", -750),
        ])
    func offsetsAndFractions(text: String, milliseconds: Int64) throws {
        #expect(try Instant(rfc3339: text) == Instant(millisecondsSinceEpoch: milliseconds))
    }

    @Test(
        "Anything else is refused, and the error names the text",
        arguments: [
            "", "2025", "2025-12-26", "2025-12-26 18:39:47Z", "2025-12-26T18:39:47", "2025-12-26t18:39:47z",
            "2025-12-26T18:39Z",
            "2025-12-26T18:39:47.Z", "2025-12-26T18:39:47+1:00", "2025-12-26T18:39:47+0100",
            "2025-12-26T18:39:47+24:00",
            "2025-12-26T18:39:47+01:60", " 2025-12-26T18:39:47Z", "2025-12-26T18:39:47Z ", "25-12-26T18:39:47Z",
            "12025-12-26T18:39:47Z", "+2025-12-26T18:39:47Z", "2025-12-26T18:39:47ZZ", "2025-1-26T18:39:47Z",
            "٢٠٢٥-12-26T18:39:47Z", "2025-12-26T18:39:47\u{0}Z",
        ])
    func malformedIsRefused(text: String) {
        let error = #expect(throws: InvalidValue.self) { try Instant(rfc3339: text) }
        #expect(error?.code == .malformed)
        #expect(error?.subject == "time")
    }

    @Test(
        "Days and hours that do not exist are refused",
        arguments: [
            "2025-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2025-04-31T00:00:00Z", "2025-13-01T00:00:00Z",
            "2025-00-01T00:00:00Z", "2025-01-00T00:00:00Z", "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z",
            "2016-12-31T23:59:60Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59.9999Z",
        ])
    func unrealIsRefused(text: String) {
        #expect(throws: InvalidValue.self) { try Instant(rfc3339: text) }
        if let error = #expect(throws: InvalidValue.self, performing: { try Instant(rfc3339: text) }) {
            #expect(error.code == .outOfRange)
        }
    }

    @Test("A leap day exists in 2000 and 2024, not in 1900 or 2100")
    func leapDays() throws {
        #expect(try Instant(rfc3339: "2000-02-29T00:00:00Z").rfc3339 == "2000-02-29T00:00:00Z")
        #expect(try Instant(gmtText: "2024-02-29 00:00:00 Etc/GMT").rfc3339 == "2024-02-29T00:00:00Z")
        #expect(throws: InvalidValue.self) { try Instant(rfc3339: "1900-02-29T00:00:00Z") }
        #expect(throws: InvalidValue.self) { try Instant(gmtText: "2100-02-29 00:00:00 Etc/GMT") }
    }

    @Test("Legacy forms name their zone exactly, and take no fraction")
    func legacyFormsAreStrict() {
        for text in [
            "2025-12-26 18:39:47", "2025-12-26 18:39:47 GMT", "2025-12-26T18:39:47 Etc/GMT",
            "2025-12-26 18:39:47.0 Etc/GMT",
            "2025-12-26 18:39:47 America/Los_Angeles", "2025-12-26 18:39:47 Etc/GMT ",
        ] {
            #expect(throws: InvalidValue.self) { try Instant(gmtText: text) }
        }
        #expect(throws: InvalidValue.self) { try Instant(pacificText: "2025-12-26 18:39:47 Etc/GMT") }
        #expect(throws: InvalidValue.self) { try Instant(pacificText: "2025-12-26 18:39:47 America/Denver") }
    }

    @Test("The hour that clocks skip in spring is refused, the one they repeat in autumn means its first run")
    func clocksGoForwardAndBack() throws {
        let skipped = #expect(throws: InvalidValue.self) {
            try Instant(pacificText: "2026-03-08 02:30:00 America/Los_Angeles")
        }
        #expect(skipped?.rule.contains("put forward") == true)
        let before = try Instant(pacificText: "2026-03-08 01:59:59 America/Los_Angeles")
        let after = try Instant(pacificText: "2026-03-08 03:00:00 America/Los_Angeles")
        #expect(after - before == .seconds(1))
        let repeated = try Instant(pacificText: "2026-11-01 01:30:00 America/Los_Angeles")
        #expect(repeated.gmtText == "2026-11-01 08:30:00 Etc/GMT")
        #expect((repeated + .seconds(3600)).pacificText == "2026-11-01 01:30:00 America/Los_Angeles")
    }

    @Test(
        "Decimal milliseconds are strict",
        arguments: ["", "-", "+1", "01", "-0", "1.5", " 1", "1e3", "9223372036854775808"])
    func millisecondsAreStrict(text: String) {
        #expect(throws: InvalidValue.self) { try Instant(millisecondsText: text) }
    }

    @Test("Decimal milliseconds reach exactly from the first to the last instant that has a text form")
    func millisecondsAreBounded() throws {
        #expect(try Instant(millisecondsText: "-62135596800000") == .earliest)
        #expect(try Instant(millisecondsText: "253402300799999") == .latest)
        #expect(throws: InvalidValue.self) { try Instant(millisecondsText: "-62135596800001") }
        #expect(throws: InvalidValue.self) { try Instant(millisecondsText: "253402300800000") }
    }

    @Test("An instant without a text form is written as the nearest that has one")
    func textIsTotal() {
        #expect(Instant(millisecondsSinceEpoch: .max).rfc3339Milliseconds == "9999-12-31T23:59:59.999Z")
        #expect(Instant(millisecondsSinceEpoch: .min).rfc3339 == "0001-01-01T00:00:00Z")
        #expect(Instant(millisecondsSinceEpoch: .min).pacificText == "0001-01-01 00:00:00 America/Los_Angeles")
        #expect(Instant(millisecondsSinceEpoch: .max).pacificText == "9999-12-31 15:59:59 America/Los_Angeles")
    }

    @Test("Random instants survive every text form")
    func randomInstantsSurvive() throws {
        var generator = RandomizedRun.generator(named: "instants")
        let range = Instant.earliest.millisecondsSinceEpoch...Instant.latest.millisecondsSinceEpoch
        var previous = Instant.earliest
        for _ in 0..<RandomizedRun.cases(20_000) {
            let instant = Instant(millisecondsSinceEpoch: .random(in: range, using: &generator))
            #expect(try Instant(rfc3339: instant.rfc3339Milliseconds) == instant)
            let seconds = Instant(millisecondsSinceEpoch: instant.millisecondsSinceEpoch / 1000 * 1000)
            #expect(try Instant(gmtText: seconds.gmtText) == seconds)
            #expect((instant < previous) == (instant.rfc3339Milliseconds < previous.rfc3339Milliseconds))
            previous = instant
        }
    }
}
