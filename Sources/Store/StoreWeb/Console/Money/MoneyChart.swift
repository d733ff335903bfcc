import StoreModel
import StoreService

/// Money over time as a picture of bars: what was taken above the line, what went back below it, by one scale. Its words are HTML, so
/// that they do not shrink with it, and the table behind it says the same.
struct MoneyChart {
    /// A bar: a day or a month.
    struct Bar: Sendable {
        let name: String
        let sums: LedgerSums
    }

    let currency: Currency
    let bars: [Bar]
    /// What a bar is of.
    let unit: String

    /// The units of the picture above the line and below it, and those of a bar.
    private static let (above, below) = (1000, 120)
    private static let (step, width, gap) = (24, 18, 3)
    /// How many bars have their names below them.
    private static let names = 3

    /// The minor units that are as high as the picture is above its line.
    private var top: Int64 {
        let taken = bars.map(\.sums.taken.minorUnits).max() ?? 0
        let back = bars.map(\.sums.givenBack.minorUnits).max() ?? 0
        // What goes back has less room, and the same scale.
        let (wide, isTooMuch) = back.multipliedReportingOverflow(by: Int64(Self.above))
        return max(1, taken, isTooMuch ? .max : wide / Int64(Self.below))
    }

    private func height(_ amount: Money, of most: Int) -> Int {
        guard amount.minorUnits > 0 else { return 0 }
        let height = Int128(amount.minorUnits) * Int128(Self.above) / Int128(top)
        // What is there is seen.
        return min(most, max(4, Int(height)))
    }

    var element: Element {
        figure(.class("chart")) {
            figcaption { h2 { "Taken and given back, \(currency) a \(unit)" } }
            div(.class("plot")) {
                div(.class("y"), .isHidden) {
                    span { axis(top) }
                    span { axis(top / 2) }
                    span { "0" }
                }
                svg(
                    .viewBox("0 0 \(max(1, bars.count) * Self.step) \(Self.above + Self.below)"), .isStretched,
                    .role("img"), .label(words)
                ) {
                    for (place, bar) in bars.enumerated() { drawn(bar, at: place) }
                }
                div(.class("x"), .isHidden) {
                    for name in shownNames { span { name } }
                }
            }
            ul(.class("key"), .isHidden) {
                key("paid-fill", "taken")
                key("back-fill", "given back")
            }
        }
    }

    private func axis(_ amount: Int64) -> String { Money(minorUnits: amount, currency: currency).decimalText }

    private func drawn(_ bar: Bar, at place: Int) -> [any HTML] {
        let x = place * Self.step + Self.gap
        let (paid, back) = (height(bar.sums.taken, of: Self.above), height(bar.sums.givenBack, of: Self.below))
        var drawn: [any HTML] = []
        if paid > 0 {
            drawn.append(
                rect(.class("paid-fill"), .x(x), .y(Self.above - paid), .width(Self.width), .height(paid)) {
                    title { "\(bar.name): \(bar.sums.taken) taken" }
                })
        }
        if back > 0 {
            drawn.append(
                rect(.class("back-fill"), .x(x), .y(Self.above), .width(Self.width), .height(back)) {
                    title { "\(bar.name): \(bar.sums.givenBack) given back" }
                })
        }
        return drawn
    }

    private func key(_ name: String, _ text: String) -> Element {
        li {
            svg(.viewBox("0 0 12 12"), .isHidden) { rect(.class(name), .x(0), .y(0), .width(12), .height(12)) }
            text
        }
    }

    /// The first, one in the middle and the last.
    private var shownNames: [String] {
        guard bars.count > Self.names else { return bars.map(\.name) }
        return [bars[0].name, bars[bars.count / 2].name, bars[bars.count - 1].name]
    }

    private var words: String {
        let count = "\(bars.count) \(unit)\(bars.count == 1 ? "" : "s")"
        return
            "Money of \(count) in \(currency), what was taken above the line, what went back below it; the table below has every \(unit)"
    }
}

extension MoneyChart {
    /// The most days that have a bar of their own; of a longer period months have one.
    static let mostDays = 92
    /// The most months that are drawn, the newest ones.
    static let mostMonths = 60

    /// A chart of a report by days or months, with a bar for those without money too.
    ///
    /// - Parameter today: where a period without an end ends.
    init(of report: FinanceReport, in currency: Currency, today: ReportDay) {
        self.currency = currency
        let rows = report.rows.filter { $0.sums.currency == currency }
        let isByMonth = report.grouping == .month
        unit = isByMonth ? "month" : "day"
        let known = rows.compactMap { $0.key.day ?? $0.key.month?.first }
        let first = report.period.start.map { ReportDay($0) } ?? known.min() ?? today
        let last = report.period.end.map { ReportDay($0).adding(-1) } ?? max(known.max() ?? today, today)
        let none = LedgerSums.none(currency)
        if isByMonth {
            let sums = Dictionary(rows.map { ($0.key.month, $0.sums) }) { first, _ in first }
            var months: [ReportMonth] = []
            var month = last.month
            while month >= first.month, months.count < Self.mostMonths {
                months.append(month)
                month = month.previous
            }
            bars = months.reversed().map { Bar(name: $0.description, sums: sums[$0] ?? none) }
        } else {
            let sums = Dictionary(rows.map { ($0.key.day, $0.sums) }) { first, _ in first }
            let start = max(first, last.adding(1 - Self.mostDays))
            bars = (min(start.number, last.number)...last.number).map {
                let day = ReportDay(number: $0)
                return Bar(name: day.description, sums: sums[day] ?? none)
            }
        }
    }
}
