import StoreCatalogue
import StoreModel
import StoreService

/// Reports on money in tables and sentences.
struct FinanceText {
    let visit: ConsoleVisit

    /// The table of a report; of one currency only, if one is given.
    func table(_ report: FinanceReport, in currency: Currency? = nil) -> DataTable {
        let rows = report.rows.filter { currency == nil || $0.sums.currency == currency }
        return table(
            Self.title(report.grouping), rows, by: report.grouping,
            empty: [p { "Nothing was taken or given back in these days." }])
    }

    func table(
        _ title: String, _ rows: [FinanceReport.Row], by grouping: FinanceReport.Grouping, empty: [any HTML]
    ) -> DataTable {
        DataTable(
            title: title,
            columns: columns(of: grouping) + [
                .text("Currency"), .amount("Sold"), .amount("Refunded"), .amount("Taken"), .amount("Given back"),
                .amount("Commission"), .amount("Proceeds"),
            ],
            rows: rows.map { cells(of: $0.key, grouping) + amounts(of: $0.sums) }, empty: empty)
    }

    private func columns(of grouping: FinanceReport.Grouping) -> [DataTable.Column] {
        switch grouping {
        case .app: [.text("App")]
        case .product: [.text("Product"), .optional("App")]
        case .storefront: [.text("Storefront")]
        case .day: [.text("Day")]
        case .month: [.text("Month")]
        }
    }

    private func cells(of key: FinanceReport.Key, _ grouping: FinanceReport.Grouping) -> [[any HTML]] {
        let app: [any HTML] =
            key.bundle.map { bundle in
                visit.may(.catalogue, .both)
                    ? [a(.href(visit.link("/apps/\(bundle)"))) { dotted(bundle.text) }] : dotted(bundle.text)
            } ?? []
        switch grouping {
        case .app: return [app]
        case .product: return [dotted(key.product?.text ?? ""), app]
        case .storefront: return [[key.storefront?.description ?? ""]]
        case .month: return [[key.month?.description ?? ""]]
        case .day:
            let day = key.day?.description ?? ""
            guard visit.may(.customers) else { return [[day]] }
            return [[a(.href(visit.link("/transactions", ("from", day), ("until", day)))) { day }]]
        }
    }

    private func amounts(of sums: LedgerSums) -> [[any HTML]] {
        [
            [sums.currency.code], ["\(sums.sales)"], ["\(sums.refunds)"], [sums.taken.decimalText],
            [sums.givenBack.decimalText], [sums.commission.decimalText], [sums.proceeds.decimalText],
        ]
    }

    static func title(_ grouping: FinanceReport.Grouping) -> String { "By \(grouping.rawValue)" }

    /// What came in, went back and stays, of one currency.
    func figures(_ sums: LedgerSums) -> Element {
        div(.class("figures four")) {
            figure("Taken", "\(sums.taken)", "\(sums.sales) \(sums.sales == 1 ? "payment" : "payments")")
            figure("Given back", "\(sums.givenBack)", sums.refunds == 1 ? "once" : "\(sums.refunds) times")
            figure("Commission", "\(sums.commission)", "of what stays")
            figure("Proceeds", "\(sums.proceeds)", "what developers are owed")
        }
    }

    private func figure(_ name: String, _ amount: String, _ words: String) -> Element {
        div(.class("figure")) {
            span(.class("muted")) { name }
            b { amount }
            small { words }
        }
    }

    /// What was earned, currency by currency.
    static func sentence(_ totals: [LedgerSums]) -> String {
        guard let first = totals.first else { return "nothing" }
        let others = totals.dropFirst().prefix(3).map { "\($0.proceeds)" }
        return (["\(first.proceeds)"] + others).joined(separator: ", ") + (totals.count > 4 ? " and more" : "")
    }
}
