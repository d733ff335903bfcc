import StoreFoundation

extension HTTPDate {
    /// Reads the form of today and the two of old that a recipient must understand:
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT`, whose years are those from 1970 to 2069
    /// - `Sun Nov  6 08:49:37 1994`
    package init?(parsing text: String) {
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let words = text.split(separator: " ")
        let parsed: HTTPDate? =
            switch words.count {
            case 6: Self.current(words)
            case 5: Self.ofC(words)
            case 4: Self.ofMail(words)
            default: nil
            }
        guard let parsed else { return nil }
        self = parsed
    }

    private static func current(_ words: [Substring]) -> HTTPDate? {
        guard words[0].last == ",", weekdays.contains(String(words[0].dropLast())), words[5] == "GMT" else {
            return nil
        }
        return date(words[3], 4, words[2], words[1], 2, words[4])
    }

    private static func ofMail(_ words: [Substring]) -> HTTPDate? {
        let longNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let day = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard words[0].last == ",", longNames.contains(String(words[0].dropLast())), words[3] == "GMT", day.count == 3,
            let year = number(day[2], 2)
        else { return nil }
        return date((year < 70 ? "20" : "19") + day[2], 4, day[1], day[0], 2, words[2])
    }

    private static func ofC(_ words: [Substring]) -> HTTPDate? {
        guard weekdays.contains(String(words[0])) else { return nil }
        return date(words[4], 4, words[1], words[2], words[2].count == 1 ? 1 : 2, words[3])
    }

    private static func date(
        _ year: some StringProtocol, _ yearDigits: Int, _ month: Substring, _ day: Substring, _ dayDigits: Int,
        _ time: Substring
    ) -> HTTPDate? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let year = number(year, yearDigits), let month = months.firstIndex(of: String(month)),
            let day = number(day, dayDigits), let civil = CivilDate(year: year, month: month + 1, day: day),
            clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
            let second = number(clock[2], 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        // A leap second is the last of its minute: there is no other instant for it.
        let seconds = hour * 3600 + minute * 60 + min(second, 59)
        return HTTPDate(secondsSince1970: civil.daysSince1970 * 86400 + seconds)
    }

    private static func number(_ text: some StringProtocol, _ digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
