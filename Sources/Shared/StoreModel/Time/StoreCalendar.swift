import StoreFoundation

/// The calendar of the store: every text form of an instant and all arithmetic in months and years.
///
/// Instants are counted in the proleptic Gregorian calendar, and calendar arithmetic is done in GMT, so that the same
/// subscription expires at the same moment whoever asks and wherever. ``Instant`` offers all of this as properties and
/// initialisers; nothing else in Till formats, reads or adds up dates.
///
/// Text forms exist for the years 1 to 9999, from ``Instant/earliest`` to ``Instant/latest``. An instant outside is
/// written as the nearest of these two; a text outside is refused.
public enum StoreCalendar {
    /// The years that have a text form.
    public static let years = 1...9999

    static let millisecondsPerSecond: Int64 = 1000
    static let millisecondsPerDay: Int64 = 86_400_000
}

// MARK: - Days and dates

extension StoreCalendar {
    /// What the calendar and the clock of Greenwich show at an instant.
    package static func civilTime(of instant: Instant) -> CivilTime {
        civilTime(ofMilliseconds: instant.clampedToText.millisecondsSinceEpoch)
    }

    /// The instant at which the calendar and the clock of Greenwich show a time; the parts may exceed their ranges.
    package static func instant(of time: CivilTime) -> Instant {
        let day = Int64(CivilDate.daysSince1970(year: time.year, month: time.month, day: time.day))
        let seconds = Int64((time.hour * 60 + time.minute) * 60 + time.second)
        return Instant(
            millisecondsSinceEpoch: day * millisecondsPerDay + seconds * millisecondsPerSecond + Int64(time.millisecond)
        )
    }

    private static func civilTime(ofMilliseconds milliseconds: Int64) -> CivilTime {
        let (day, ofDay) = CivilDate.divide(Int(milliseconds), by: Int(millisecondsPerDay))
        let date = CivilDate(daysSince1970: day)
        return CivilTime(
            year: date.year, month: date.month, day: date.day, hour: ofDay / 3_600_000, minute: ofDay / 60_000 % 60,
            second: ofDay / 1000 % 60, millisecond: ofDay % 1000)
    }
}

// MARK: - Periods

extension StoreCalendar {
    /// The instant so many periods after an anchor, or before it if negative.
    ///
    /// Months and years keep the day of the anchor where the month has it and take its last day where not: from January
    /// 31 one month leads to February 28 or 29, two to March 31. Count from the anchor, never from the last result, or
    /// the day is lost in February. The time of day stays, in GMT. A result outside the supported years becomes
    /// ``Instant/earliest`` or ``Instant/latest``.
    static func add(_ period: BillingPeriod, times: Int, to anchor: Instant) -> Instant {
        let (units, overflow) = period.count.multipliedReportingOverflow(by: times)
        let limit: Instant = times < 0 ? .earliest : .latest
        guard !overflow, units.magnitude < 10_000_000 else { return limit }
        let anchor = anchor.clampedToText
        switch period.unit {
        case .day: return anchor.adding(milliseconds: Int64(units) * millisecondsPerDay).clampedToText
        case .week: return anchor.adding(milliseconds: Int64(units) * 7 * millisecondsPerDay).clampedToText
        case .month: return add(months: units, to: anchor) ?? limit
        case .year: return add(months: units * 12, to: anchor) ?? limit
        }
    }

    private static func add(months: Int, to anchor: Instant) -> Instant? {
        var time = civilTime(of: anchor)
        let (year, month) = CivilDate.divide(time.year * 12 + time.month - 1 + months, by: 12)
        guard years.contains(year) else { return nil }
        time.year = year
        time.month = month + 1
        time.day = min(time.day, CivilDate.days(inMonth: time.month, of: year))
        return instant(of: time)
    }
}

// MARK: - Text

extension StoreCalendar {
    /// The text forms, by what stands around date and time of day.
    enum Form {
        case rfc3339, rfc3339Milliseconds, gmt, pacific

        var separator: Unicode.Scalar {
            switch self {
            case .rfc3339, .rfc3339Milliseconds: "T"
            case .gmt, .pacific: " "
            }
        }

        var suffix: StaticString {
            switch self {
            case .rfc3339, .rfc3339Milliseconds: "Z"
            case .gmt: " Etc/GMT"
            case .pacific: " America/Los_Angeles"
            }
        }
    }

    /// How many bytes no text is longer than.
    static let room = 40

    /// Writes an instant; fractions of what the form shows are dropped.
    static func text(of instant: Instant, as form: Form) -> String {
        String(unsafeUninitializedCapacity: room) { write(instant, as: form, into: $0) }
    }

    /// Writes it into memory that has ``room``; gives how many bytes that are.
    static func write(
        _ instant: Instant, as form: Form, into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var milliseconds = instant.clampedToText.millisecondsSinceEpoch
        if form == .pacific {
            let local = milliseconds + Int64(pacificOffset(at: milliseconds)) * millisecondsPerSecond
            milliseconds = max(local, Instant.earliest.millisecondsSinceEpoch)
        }
        let time = civilTime(ofMilliseconds: milliseconds)
        var writer = FixedWriter(buffer: buffer)
        writer.put(time.year, digits: 4)
        writer.put("-", time.month)
        writer.put("-", time.day)
        writer.put(form.separator, time.hour)
        writer.put(":", time.minute)
        writer.put(":", time.second)
        if form == .rfc3339Milliseconds {
            writer.put(".")
            writer.put(time.millisecond, digits: 3)
        }
        form.suffix.withUTF8Buffer { writer.put($0) }
        return writer.count
    }

    /// Reads one of the forms, strictly.
    static func read(_ text: some StringProtocol, as form: Form) throws(InvalidValue) -> Instant {
        var reader = TextReader(text)
        guard let time = readTime(&reader, separator: form.separator) else { throw malformed(text, form) }
        var fraction: Int64 = 0
        var offset: Int64 = 0
        if form.separator == "T" {
            guard let read = readFraction(&reader), let zone = readOffset(&reader) else { throw malformed(text, form) }
            (fraction, offset) = (read, zone)
        } else if !reader.skip(text: form.suffix) {
            throw malformed(text, form)
        }
        guard reader.isAtEnd else { throw malformed(text, form) }
        guard isReal(time) else {
            throw InvalidValue(
                .outOfRange, subject: "time", value: text,
                rule: "names a day and a time of day that exist, in the years 1 to 9999")
        }
        var instant = instant(of: time).adding(milliseconds: fraction - offset)
        if form == .pacific {
            guard let local = instantInPacificZone(showing: instant) else {
                throw InvalidValue(
                    .outOfRange, subject: "time", value: text, rule: "was not skipped when clocks were put forward")
            }
            instant = local
        }
        guard instant == instant.clampedToText else { throw Instant.outOfRange(String(text)) }
        return instant
    }

    private static func readTime(_ reader: inout TextReader, separator: Unicode.Scalar) -> CivilTime? {
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip(separator),
            let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), reader.skip(":"),
            let second = reader.number(digits: 2)
        else { return nil }
        return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Reads an optional fraction of a second, rounded to the nearest millisecond.
    private static func readFraction(_ reader: inout TextReader) -> Int64? {
        guard reader.skip(".") else { return 0 }
        var tenThousandths = 0
        var count = 0
        while let digit = reader.digit() {
            if count < 4 { tenThousandths = tenThousandths * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in count..<max(count, 4) { tenThousandths *= 10 }
        return Int64((tenThousandths + 5) / 10)
    }

    /// Reads `Z` or a numeric offset from GMT, in milliseconds.
    private static func readOffset(_ reader: inout TextReader) -> Int64? {
        if reader.skip("Z") { return 0 }
        let isWest = reader.skip("-")
        guard isWest || reader.skip("+"),
            let hours = reader.number(digits: 2), hours < 24, reader.skip(":"),
            let minutes = reader.number(digits: 2), minutes < 60
        else { return nil }
        let offset = Int64(hours * 60 + minutes) * 60 * millisecondsPerSecond
        return isWest ? -offset : offset
    }

    private static func isReal(_ time: CivilTime) -> Bool {
        years.contains(time.year) && (1...12).contains(time.month) && time.day >= 1
            && time.day <= CivilDate.days(inMonth: time.month, of: time.year)
            && time.hour < 24 && time.minute < 60 && time.second < 60
    }

    private static func malformed(_ text: some StringProtocol, _ form: Form) -> InvalidValue {
        let example =
            form.separator == "T" ? "2025-12-26T18:39:47Z" : "2025-12-26 18:39:47\(form.suffix)"
        return InvalidValue(subject: "time", value: text, rule: "has the form of \(example)")
    }
}

// MARK: - Pacific time

extension StoreCalendar {
    /// Seconds to add to GMT for the clocks of California.
    private static func pacificOffset(at milliseconds: Int64) -> Int {
        PacificOffsets.shared.offset(at: milliseconds)
    }

    /// The instant at which Californian clocks show what those of Greenwich show at another.
    ///
    /// An hour that occurs twice in autumn means its first occurrence: the text does not tell. An hour skipped in
    /// spring means none.
    private static func instantInPacificZone(showing shown: Instant) -> Instant? {
        let dayBefore = pacificOffset(at: shown.millisecondsSinceEpoch - millisecondsPerDay)
        let dayAfter = pacificOffset(at: shown.millisecondsSinceEpoch + millisecondsPerDay)
        for offset in [max(dayBefore, dayAfter), min(dayBefore, dayAfter)] {
            let candidate = shown.adding(milliseconds: Int64(-offset) * millisecondsPerSecond)
            if pacificOffset(at: candidate.millisecondsSinceEpoch) == offset { return candidate }
        }
        return nil
    }
}
