import StoreHTTP
import StoreModel
import StoreService

/// How subscriptions do, on the overview: a card for each figure, and the table behind them.
struct SubscriptionCards {
    let visit: ConsoleVisit
    let figures: SubscriptionFigures

    /// Currencies that have a place on the card.
    private static let most = 3

    @HTMLBuilder var element: [any HTML] {
        // A store that sells no subscriptions has nothing of this.
        if figures.running + figures.retrying + figures.ended > 0 {
            h2 { "Subscriptions, of \(SubscriptionFigures.days) days" }
            div(.class("figures four")) {
                card("Monthly recurring revenue", income.first ?? "nothing", income.dropFirst().joined(separator: ", "))
                card("Renewals", "\(figures.renewals)", "\(figures.running) run now")
                card("Churn", Self.percent(figures.churn), "\(figures.ended) ended")
                card(
                    "Trial conversion", Self.percent(figures.conversion),
                    figures.trials == 0 ? "no trial ended" : "\(figures.convertedTrials) of \(figures.trials) trials")
            }
            details(.class("behind")) {
                summary { "The table behind them" }
                table
            }
        }
    }

    private func card(_ name: String, _ value: String, _ more: String) -> Element {
        div(.class("figure")) {
            span(.class("muted")) { name }
            b { value }
            span(.class("muted")) { more }
        }
    }

    private var income: [String] {
        let shown = figures.monthly.prefix(Self.most).map { "\($0.amount)" }
        return figures.monthly.count > Self.most ? shown + ["and others"] : shown
    }

    private static func percent(_ thousandths: Int?) -> String {
        thousandths.map { "\($0 / 10).\($0 % 10) %" } ?? "–"
    }

    private var table: [any HTML] {
        let days = SubscriptionFigures.days
        var rows: [(what: String, count: String, how: String)] = [
            ("Run", "\(figures.running)", "their customers have what they subscribed to, now"),
            ("In the grace period", "\(figures.inGrace)", "of these: could not be paid, and count all the same"),
            ("In billing retry", "\(figures.retrying)", "could not be paid, do not count, and are tried again"),
            ("Ended", "\(figures.ended)", "stopped within \(days) days, for good"),
            ("Churn", Self.percent(figures.churn), "ended, of those that run and those that ended"),
            (
                "Renewals", "\(figures.renewals)",
                "periods after the first that began within \(days) days, or are charged ahead"
            ),
            ("Trials", "\(figures.trials)", "free trials that ended within \(days) days"),
            ("Converted", "\(figures.convertedTrials)", "of these: a paid period followed"),
        ]
        rows += figures.monthly.map {
            (
                "Monthly, \($0.amount.currency.code)", "\($0.amount)",
                "what those that run bring in a month; \($0.count) of this currency"
            )
        }
        return DataTable(
            title: "Figures of subscriptions",
            columns: [.text("What"), .amount("How much"), .text("How it is counted")],
            rows: rows.map { [[$0.what], [$0.count], [$0.how]] }, empty: []
        ).element
    }
}
