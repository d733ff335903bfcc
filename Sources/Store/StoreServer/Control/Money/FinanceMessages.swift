import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// What was taken, given back, kept and earned, of one thing in one currency.
package struct FinanceRow: Codable, Hashable, Sendable {
    package let bundleId: BundleID?
    package let appId: AppID?
    package let productId: ProductID?
    package let storefront: StorefrontCode?
    package let day: String?
    package let month: String?
    package let currency: Currency
    package let sales: Int
    package let refunds: Int
    package let taken: String
    package let givenBack: String
    package let commission: String
    package let proceeds: String

    init(_ row: FinanceReport.Row) {
        self.init(row.key, row.sums)
    }

    /// - Parameter key: nil for a sum of everything.
    init(_ key: FinanceReport.Key?, _ sums: LedgerSums) {
        bundleId = key?.bundle
        appId = key?.app
        productId = key?.product
        storefront = key?.storefront
        day = key?.day?.description
        month = key?.month?.description
        currency = sums.currency
        (sales, refunds) = (sums.sales, sums.refunds)
        taken = sums.taken.decimalText
        givenBack = sums.givenBack.decimalText
        commission = sums.commission.decimalText
        proceeds = sums.proceeds.decimalText
    }
}

extension FinanceRow: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "day": .string("In GMT by the store's clock.", example: "2026-11-25"),
            "month": .string("In GMT by the store's clock.", example: "2026-11"),
            "taken": .string("By customers, before anything went back to them.", example: "12.87"),
            "givenBack": .string("To customers.", example: "2.97"),
            "commission": .string("What the store keeps of what stays.", example: "2.97"),
            "proceeds": .string("What developers are owed of it.", example: "6.93"),
        ]
    }
}

/// A report on money in a period.
package struct FinanceAnswer: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let by: String
    /// Missing for all teams.
    package let teamId: TeamID?
    package let from: Instant?
    package let until: Instant?
    package let items: [FinanceRow]
    /// Of everything, by currency. Currencies are never added up.
    package let totals: [FinanceRow]
    /// Whether there are more items, which the totals have too.
    package let isCut: Bool

    init(_ report: FinanceReport, of scope: FinanceScope, in environment: StoreEnvironment) {
        self.environment = environment
        by = report.grouping.rawValue
        teamId = scope.team
        (from, until) = (report.period.start, report.period.end)
        items = report.rows.map(FinanceRow.init)
        totals = report.totals.map { FinanceRow(nil, $0) }
        isCut = report.isCut
    }
}

extension FinanceAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "by": .string(among: FinanceReport.Grouping.allCases.map(\.rawValue)),
            "isCut": .boolean("Whether there are more items, which the totals have too."),
        ]
    }
}

/// The statement of a team for a month.
package struct StatementAnswer: Codable, Hashable, Sendable {
    package struct Account: Codable, Hashable, Sendable {
        package let account: String
        package let bundleId: BundleID
        package let proceeds: String
        package let currency: Currency
        package let isEqual: Bool
    }

    package let teamId: TeamID
    package let name: String
    package let environment: StoreEnvironment
    package let month: String
    package let isFinal: Bool
    package let items: [FinanceRow]
    package let totals: [FinanceRow]
    package let accounts: [Account]
    package let missingForPayout: [String]
    package let isCut: Bool

    init(_ statement: FinanceStatement, in environment: StoreEnvironment) {
        teamId = statement.team
        name = statement.teamName
        self.environment = environment
        month = statement.month.description
        isFinal = statement.isFinal
        items = statement.lines.map(FinanceRow.init)
        totals = statement.totals.map { FinanceRow(nil, $0) }
        accounts = statement.accounts.map {
            Account(
                account: $0.name, bundleId: $0.bundle, proceeds: $0.proceeds.decimalText,
                currency: $0.proceeds.currency,
                isEqual: $0.isEqual)
        }
        missingForPayout = statement.missing
        isCut = statement.isCut
    }
}

extension StatementAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "month": .string("In GMT by the store's clock.", example: "2026-11"),
            "isFinal": .boolean("Whether the month is over."),
            "missingForPayout": .array(of: .string(), description: "Without it nothing could be paid out."),
        ]
    }
}

extension StatementAnswer.Account: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "account": .string("Of the ledger.", example: "proceeds/1000000001"),
            "isEqual": .boolean("Whether the items come to what was booked there."),
        ]
    }
}
