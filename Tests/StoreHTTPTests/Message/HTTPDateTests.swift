import StoreHTTP
import TestSupport
import Testing

/// Dates as HTTP writes and wrote them.
struct HTTPDateTests {
    @Test("Instants have the text that another tool gives them, and are read back")
    func current() {
        for (seconds, text) in GoldenDates.current {
            #expect(HTTPDate(secondsSince1970: seconds).text == text)
            #expect(HTTPDate(parsing: text)?.secondsSince1970 == seconds)
        }
    }

    @Test("The forms of old are read")
    func old() {
        for (seconds, text) in GoldenDates.ofMail + GoldenDates.ofC {
            #expect(HTTPDate(parsing: text)?.secondsSince1970 == seconds, "\(text)")
        }
    }

    @Test("Every day of four centuries survives a round trip")
    func everyDay() {
        let days = stride(from: -40_000, to: 110_000, by: 1)
        #expect(
            days.allSatisfy { day in
                let date = HTTPDate(secondsSince1970: day * 86400 + 1)
                return HTTPDate(parsing: date.text) == date
            })
    }

    @Test("A leap second is the last second of its minute")
    func leapSecond() {
        #expect(HTTPDate(parsing: "Sat, 31 Dec 2016 23:59:60 GMT")?.secondsSince1970 == 1_483_228_799)
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 2100 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 23:60:00 GMT", "Sun, 06 Nov 1994 23:59:61 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Son, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49 1994", "784111777", "Sun, 06 Nov 1994 -8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT and more and more words", "Sun, 06\tNov 1994 08:49:37 GMT",
        ])
    func bad(_ text: String) {
        #expect(HTTPDate(parsing: text) == nil)
    }

    @Test("Nanoseconds before 1970 belong to the second they are in")
    func nanoseconds() {
        #expect(HTTPDate(nanosecondsSince1970: -1).secondsSince1970 == -1)
        #expect(HTTPDate(nanosecondsSince1970: 1_999_999_999).secondsSince1970 == 1)
    }

    @Test("Instants beyond four digits of years become the nearest that can be written")
    func extremes() {
        #expect(HTTPDate(secondsSince1970: .max).text == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(secondsSince1970: .min).text == "Sat, 01 Jan 0000 00:00:00 GMT")
    }

    @Test("Damaged dates are read as dates or not at all")
    func mutants() {
        let originals = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        for mutant in Mutants("HTTP dates", of: originals, rounds: 3000) {
            if let date = HTTPDate(parsing: mutant.text) {
                #expect(HTTPDate(parsing: date.text) == date, "\(mutant)")
            }
        }
    }
}
